import { hasWelcome } from './first-and-last.ts'
import type { RichSnapshot } from './rich-text.ts'
import type { Snapshot, SnapshotAnswer, SnapshotResult } from './snapshot.ts'

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
      questions: withAnswers(questions, withoutCounts),
      results: [],
      quiz_mode: null,
    }
  switch (quiz_mode) {
    case 'score':
      return {
        ...snapshot,
        questions: withAnswers(questions, (answer) => ({ ...answer, associations: [] })),
      }
    case 'profils':
      return {
        ...snapshot,
        questions: withAnswers(questions, (answer) => ({ ...answer, score: null })),
        results: withoutTiers(results),
      }
    default:
      return {
        ...snapshot,
        questions: withAnswers(questions, withoutCounts),
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

const withoutTiers = (results: RichSnapshot['results']): RichSnapshot['results'] =>
  results.map((result) => ({ ...result, min_score: null, max_score: null }))

/**
 * True of a questionnaire that shows no picture, no welcome, no detail and no mark of a text, inserts nothing and leads
 * nowhere: its page does not carry what these need.
 */
export const isPlain = (snapshot: RichSnapshot): boolean => {
  const { quiz, questions, text_blocks, results } = snapshot
  const texts = [
    quiz.end_text,
    ...text_blocks.map(({ content }) => content),
    ...results.map(({ description }) => description),
  ]
  return (
    !texts.some(Array.isArray) &&
    !JSON.stringify(snapshot).includes('{{') &&
    isBare(quiz, questions, results)
  )
}

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

/** The result of this rank, from 1, that a visitor may share; undefined when there is none. */
export const resultAt = (
  { quiz, results }: Snapshot,
  rank: number | undefined,
): SnapshotResult | undefined =>
  quiz.type === 'quiz' && rank !== undefined ? results[rank - 1] : undefined
