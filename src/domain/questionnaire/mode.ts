import type { QuizMode } from '#domain/common/vocabulary.ts'
import { type Answer, type Draft, type Question, type QuizTies, TIE_DEFAULTS } from './quiz.ts'

type Scored = Partial<Pick<Question, 'type' | 'counts_in_score'>> & {
  answers: readonly (Pick<Answer, 'score'> & { associations: readonly { is_checked: boolean }[] })[]
}

/** True when some answer carries a score other than zero, or a scale counts its number. */
const hasScore = (questions: readonly Scored[]): boolean =>
  questions.some(
    ({ type, counts_in_score, answers }) =>
      (type === 'scale' && counts_in_score) ||
      answers.some(({ score }) => score !== null && score !== 0),
  )

/** True when some answer is ticked for a result. */
const hasAssociation = (questions: readonly Scored[]): boolean =>
  questions.some(({ answers }) =>
    answers.some(({ associations }) => associations.some(({ is_checked }) => is_checked)),
  )

/**
 * The mode after an edit (spec §4 « Quiz mode »): a mode once set stays until it is reset; the first
 * non-zero score, or scale that counts, sets 'score', the first ticked association 'profils'. A draft that gained both at
 * once takes `wished` when the client says which came first, else 'score'.
 */
export const modeAfterEdit = (
  current: QuizMode,
  questions: readonly Scored[],
  wished: QuizMode = null,
): QuizMode => {
  if (current) return current
  const scored = hasScore(questions)
  const associated = hasAssociation(questions)
  if (scored && associated) return wished ?? 'score'
  if (scored) return 'score'
  return associated ? 'profils' : null
}

/** The questions with every score and every tick erased, and no scale that counts, as a reset of the mode leaves them (spec §4). */
export const eraseMode = (questions: readonly Question[]): Question[] =>
  questions.map((question) => ({
    ...question,
    counts_in_score: false,
    answers: question.answers.map((answer) => ({
      ...answer,
      score: null,
      associations: answer.associations.map((link) => ({ ...link, is_checked: false })),
    })),
  }))

/** A draft whose mode is reset: without scores, ticks, bounds (spec §4) and a rule for ties. */
export const resetMode = <
  D extends Pick<Draft, 'questions' | 'results' | 'quiz_mode'> & { quiz: QuizTies },
>(
  draft: D,
): D => ({
  ...draft,
  quiz: { ...draft.quiz, ...TIE_DEFAULTS },
  quiz_mode: null,
  questions: eraseMode(draft.questions),
  results: draft.results.map((result) => ({ ...result, min_score: null, max_score: null })),
})

/** Score inputs are hidden in profils mode only (spec §2 « Questions screen »). */
export const showsScores = (mode: QuizMode): boolean => mode !== 'profils'

/** Association checkboxes are hidden in score mode only (spec §2 « Questions screen »). */
export const showsAssociations = (mode: QuizMode): boolean => mode !== 'score'
