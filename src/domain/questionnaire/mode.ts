import type { QuizMode } from '#domain/common/vocabulary.ts'
import { TIE_DEFAULTS } from './defaults.ts'
import type { Answer, Draft, Question, QuizTies } from './quiz.ts'

type ScoredQuestion = Partial<Pick<Question, 'type' | 'counts_in_score' | 'dimension_id'>> & {
  answers: readonly (Pick<Answer, 'score'> & { associations: readonly { is_checked: boolean }[] })[]
}

/** Returns true if an answer has a score other than zero, or if a scale counts in the total or in a dimension. */
const hasScore = (questions: readonly ScoredQuestion[]): boolean =>
  questions.some(
    ({ type, counts_in_score, dimension_id, answers }) =>
      (type === 'scale' && (counts_in_score || dimension_id)) ||
      answers.some(({ score }) => score !== null && score !== 0),
  )

/** Returns true if an answer is checked for a result. */
const hasAssociation = (questions: readonly ScoredQuestion[]): boolean =>
  questions.some(({ answers }) =>
    answers.some(({ associations }) => associations.some(({ is_checked }) => is_checked)),
  )

/**
 * Returns the mode after an edit (product 4.1). A mode stays until it is reset; the first score sets 'score' and the
 * first checked association sets 'profils'. If a draft gained both at once, the mode is `wished`, else 'score'.
 */
export const modeAfterEdit = (
  current: QuizMode,
  questions: readonly ScoredQuestion[],
  wished: QuizMode = null,
): QuizMode => {
  if (current) return current
  const scored = hasScore(questions)
  const associated = hasAssociation(questions)
  if (scored && associated) return wished ?? 'score'
  if (scored) return 'score'
  return associated ? 'profils' : null
}

/**
 * Returns the questions without scores and checked associations, and scales that count nowhere, as after a reset of the
 * mode (product 4.2).
 */
export const eraseMode = (questions: readonly Question[]): Question[] =>
  questions.map((question) => ({
    ...question,
    counts_in_score: false,
    dimension_id: question.type === 'scale' ? null : question.dimension_id,
    answers: question.answers.map((answer) => ({
      ...answer,
      score: null,
      associations: answer.associations.map((link) => ({ ...link, is_checked: false })),
    })),
  }))

/** Returns the draft with its mode reset: no scores, associations, thresholds (product 4.2) or tie rule. */
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

/** Returns true unless the mode is 'profils', which hides the score fields (product 4.3). */
export const hasScoreFields = (mode: QuizMode): boolean => mode !== 'profils'

/** Returns true unless the mode is 'score', which hides the association checkboxes (product 4.3). */
export const hasAssociationFields = (mode: QuizMode): boolean => mode !== 'score'
