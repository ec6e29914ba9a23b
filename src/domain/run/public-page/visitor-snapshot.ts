import { filterFields, namesOf } from '#domain/questionnaire/fields/field.ts'
import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import { OPTION_FIELDS } from '#domain/questionnaire/fields/row-fields.ts'
import type { SnapshotAnswer } from '#domain/questionnaire/snapshot.ts'
import { reachableTotals } from '#domain/run/reachable-totals.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'
import { publicSnapshot } from './public-snapshot.ts'

/**
 * Returns the snapshot for a visitor's browser, without scores, tiers and associations that do not count. Equal replies
 * give the result of the whole snapshot (product 8.10).
 */
export const visitorSnapshot = (snapshot: RichSnapshot): RichSnapshot =>
  withPageTexts(withoutUncounted(publicSnapshot(snapshot)))

/** Removes the conditional texts that no end page of this snapshot shows. */
const withPageTexts = ({ text_variants = [], ...snapshot }: RichSnapshot): RichSnapshot => {
  const results = new Set(snapshot.results.map(({ id }) => id))
  const shown = text_variants.filter(
    ({ place, result_id }) => place !== 'result' || results.has(result_id ?? ''),
  )
  return shown.length > 0 ? { ...snapshot, text_variants: shown } : snapshot
}

const withoutUncounted = (snapshot: RichSnapshot): RichSnapshot => {
  const { quiz, questions, results, quiz_mode } = snapshot
  if (quiz.type === 'sondage')
    return {
      ...snapshot,
      questions: uncounted(questions, withoutCounts),
      results: [],
      quiz_mode: null,
    }
  switch (quiz_mode) {
    case 'score':
      return {
        ...snapshot,
        questions: withAnswers(questions, (answer) => ({ ...answer, associations: [] })),
        ...(quiz.shows_detail && { totals: reachableTotals(questions) }),
      }
    case 'profils':
      return {
        ...snapshot,
        questions: uncounted(questions, (answer) => ({ ...answer, score: null })),
        results: withoutTiers(results),
      }
    default:
      return {
        ...snapshot,
        questions: uncounted(questions, withoutCounts),
        // Other results are not sent, because every run of a quiz without a mode gets the first result.
        results: withoutTiers(results).slice(0, 1),
      }
  }
}

const withoutCounts = (answer: SnapshotAnswer): SnapshotAnswer => ({
  ...answer,
  score: null,
  associations: [],
})

const withAnswers = (
  questions: RichSnapshot['questions'],
  change: (answer: SnapshotAnswer) => SnapshotAnswer,
): RichSnapshot['questions'] =>
  questions.map((question) => ({ ...question, answers: question.answers.map(change) }))

/** Returns the questions with changed answers and without counting scales, for quizzes without a score. */
const uncounted: typeof withAnswers = (questions, change) =>
  withAnswers(questions, change).map(({ counts_in_score, ...question }) => question)

const withoutTiers = (results: RichSnapshot['results']): RichSnapshot['results'] =>
  results.map((result) => ({ ...result, min_score: null, max_score: null }))

/** Fields that the player does not read, besides colours. */
const UNREAD_FIELDS: ReadonlySet<string> = new Set([
  ...['position', 'status'],
  ...namesOf(
    filterFields({ ...PAGE_FIELDS, ...OPTION_FIELDS }, ({ audience }) => audience === 'snapshot'),
  ),
])

/**
 * Returns a replacer for `JSON.stringify` that omits fields the player does not read. Omitted are ranks of sorted
 * lists, colours (which are in the style), settings of statistics and nulls. A null `max_choices` stays, because it
 * means « no limit ».
 */
export const createSnapshotReplacer =
  ({ quiz_mode }: RichSnapshot) =>
  (key: string, value: unknown): unknown => {
    const isOmitted =
      UNREAD_FIELDS.has(key) ||
      key.endsWith('_color') ||
      (key === 'associations' && quiz_mode !== 'profils') ||
      (value === null && key !== 'max_choices')
    return isOmitted ? undefined : value
  }
