import type { QuizType } from '#domain/common/vocabulary.ts'
import { hasWelcome } from '#domain/questionnaire/pages.ts'
import type {
  Consent,
  Snapshot,
  SnapshotAnswer,
  SnapshotResult,
} from '#domain/questionnaire/snapshot.ts'
import { reachableTotals } from './reachable-totals.ts'
import type { RichQuestion, RichSnapshot } from './rich-text.ts'

/**
 * Returns the part of a snapshot that a visitor's browser needs to show it and to compute the result (spec §4 «
 * Result computation »). Scores or associations that do not count are omitted; equal replies give an equal result.
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
        // Without a mode everyone gets the first result, so that the others are not sent.
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

/**
 * Returns a replacer for `JSON.stringify` that omits what the player does not read: ranks of sorted lists, colours
 * (they are in the style) and nulls. A null `max_choices` stays, because it means « no limit ».
 */
export const createSnapshotReplacer =
  ({ quiz_mode }: RichSnapshot) =>
  (key: string, value: unknown): unknown => {
    const isOmitted =
      /^(position|status|font|corners|background_image_id|\w+_color)$/.test(key) ||
      (key === 'associations' && quiz_mode !== 'profils') ||
      (value === null && key !== 'max_choices')
    return isOmitted ? undefined : value
  }

/**
 * Builds of the player, from small to large. `plain` supports the specification; `dressed` adds images, a welcome
 * screen, formatting, insertions and links. `whole` adds scales, dates, jumps, tie rules and options such as « Autre ».
 */
export type PlayerKind = 'plain' | 'dressed' | 'whole'

/** Returns the smallest player bundle that can run a snapshot. */
export const playerKindOf = (snapshot: RichSnapshot): PlayerKind => {
  const { quiz, questions } = snapshot
  if (quiz.tie_rule || !questions.every(isPlainQuestion)) return 'whole'
  return isPlain(snapshot) ? 'plain' : 'dressed'
}

/** Returns true if a questionnaire shows no image, welcome screen, detail, formatting, address, insertion or link. */
const isPlain = (snapshot: RichSnapshot): boolean => {
  const { quiz, questions, text_blocks, results } = snapshot
  const texts = [
    quiz.end_text,
    ...text_blocks.map(({ content }) => content),
    ...results.map(({ description }) => description),
  ]
  return (
    !texts.some(Array.isArray) &&
    !INSERTION_OR_ADDRESS.test(JSON.stringify(snapshot)) &&
    hasNoExtras(quiz, questions, results)
  )
}

/** Signs of an insertion or of an address in a text. */
const INSERTION_OR_ADDRESS = /\{\{|:\/\/|www\.|@/i

const hasNoExtras = (
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

/** Returns true if a question has one of the six types of the specification and no other option. */
const isPlainQuestion = ({ type, answers, ...question }: RichQuestion): boolean =>
  type !== 'scale' &&
  type !== 'date' &&
  question.is_required !== false &&
  question.max_choices === undefined &&
  !(question.help_text ?? question.help) &&
  !question.has_other &&
  !question.shuffles_answers &&
  !answers.some(({ jump_to }) => typeof jump_to === 'number')

/** Additions to the email question: consent checkbox and note about the result mail. */
export type EmailQuestionNotes = {
  consent: Consent | null
  /** True if the quiz sends a mail to participants. */
  is_mailed: boolean
}
/** No additions to the email question. */
export const NO_EMAIL_NOTES: EmailQuestionNotes = { consent: null, is_mailed: false }

const MAIL_NOTES: Record<QuizType, string> = {
  quiz: 'Vous recevrez votre résultat par email.',
  sondage: 'Vous recevrez un email de confirmation.',
}

/**
 * Returns the snapshot with checkbox and mail note at its first email question, whose reply is the participant's
 * address. Returns the same snapshot if there is nothing to add.
 */
export const addEmailNotes = (
  snapshot: Snapshot,
  { consent, is_mailed }: EmailQuestionNotes,
): Snapshot => {
  const first = snapshot.questions.find(({ type }) => type === 'email')
  if (!first || !(consent || is_mailed)) return snapshot
  const help = [first.help, is_mailed && MAIL_NOTES[snapshot.quiz.type]]
    .filter(Boolean)
    .join('\n\n')
  const noted = { ...first, ...(help && { help }), ...(consent && { consent }) }
  return {
    ...snapshot,
    questions: snapshot.questions.map((question) => (question === first ? noted : question)),
  }
}

/** Returns the result with this rank, from 1, that a visitor can share; undefined if there is none. */
export const resultAt = (
  { quiz, results }: Snapshot,
  rank: number | undefined,
): SnapshotResult | undefined =>
  quiz.type === 'quiz' && rank !== undefined ? results[rank - 1] : undefined
