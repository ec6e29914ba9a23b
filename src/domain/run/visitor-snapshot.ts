import { hasWelcome } from '#domain/questionnaire/pages.ts'
import type { Snapshot, SnapshotAnswer, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { reachableTotals } from './reachable-totals.ts'
import type { RichQuestion, RichSnapshot } from './rich-text.ts'

/**
 * What a visitor's browser needs of a snapshot to show it and to find its result (spec §4 « Result
 * computation »): what the mode does not count with is left out, and of a sondage everything that
 * counts. The same replies give the same result.
 */
export const visitorSnapshot = (snapshot: RichSnapshot): RichSnapshot => {
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
        // Without a mode everyone gets the first result: the others are not sent.
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

/** The same where no score is computed, so that no scale counts. */
const uncounted: typeof withAnswers = (questions, change) =>
  withAnswers(questions, change).map(({ counts_in_score, ...question }) => question)

const withoutTiers = (results: RichSnapshot['results']): RichSnapshot['results'] =>
  results.map((result) => ({ ...result, min_score: null, max_score: null }))

/**
 * For `JSON.stringify` of a visitor's snapshot: leaves out what the player does not read, which are ranks of sorted
 * lists, colours (they are in the style), and nulls; but any number of choices is a null.
 */
export const leaveOut =
  ({ quiz_mode }: RichSnapshot) =>
  (key: string, value: unknown): unknown => {
    const isUnread =
      /^(position|status|font|corners|background_image_id|\w+_color)$/.test(key) ||
      (key === 'associations' && quiz_mode !== 'profils') ||
      (value === null && key !== 'max_choices')
    return isUnread ? undefined : value
  }

/**
 * How much of the player a page carries. `plain`: of a questionnaire as the specification has it. `dressed`: it asks
 * as the specification has it, and shows more, as a picture, a welcome or a mark of a text. `whole`: it asks more.
 */
export type PlayerKind = 'plain' | 'dressed' | 'whole'

export const playerKind = (snapshot: RichSnapshot): PlayerKind => {
  const { quiz, questions } = snapshot
  if (quiz.tie_rule || !questions.every(isPlainlyAsked)) return 'whole'
  return isPlain(snapshot) ? 'plain' : 'dressed'
}

/**
 * True of a questionnaire that shows no picture, no welcome, no detail, no mark of a text and no address, inserts nothing
 * and leads nowhere.
 */
const isPlain = (snapshot: RichSnapshot): boolean => {
  const { quiz, questions, text_blocks, results } = snapshot
  const texts = [
    quiz.end_text,
    ...text_blocks.map(({ content }) => content),
    ...results.map(({ description }) => description),
  ]
  return (
    !texts.some(Array.isArray) &&
    !OF_PARTS.test(JSON.stringify(snapshot)) &&
    isBare(quiz, questions, results)
  )
}

/** What an insertion or an address in a text has. */
const OF_PARTS = /\{\{|:\/\/|www\.|@/i

const isBare = (
  quiz: RichSnapshot['quiz'],
  questions: RichSnapshot['questions'],
  results: RichSnapshot['results'],
): boolean =>
  !hasWelcome(quiz) &&
  !quiz.logo_image_id &&
  !quiz.shows_detail &&
  !quiz.end_button_url &&
  !results.some((one) => one.image_id || one.button_url || one.redirect_url) &&
  !questions.some(({ image_id, answers }) => image_id || answers.some((one) => one.image_id))

/** A question of the six types of the specification, asked as it says. */
const isPlainlyAsked = ({ type, answers, ...question }: RichQuestion): boolean =>
  type !== 'scale' &&
  type !== 'date' &&
  question.is_required !== false &&
  question.max_choices === undefined &&
  !(question.help_text ?? question.help) &&
  !question.has_other &&
  !question.shuffles_answers &&
  !answers.some(({ jump_to }) => typeof jump_to === 'number')

/** The result of this rank, from 1, that a visitor may share; undefined when there is none. */
export const resultAt = (
  { quiz, results }: Snapshot,
  rank: number | undefined,
): SnapshotResult | undefined =>
  quiz.type === 'quiz' && rank !== undefined ? results[rank - 1] : undefined
