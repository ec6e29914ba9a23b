import { MIN_RESULTS } from '#domain/common/vocabulary.ts'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'

/** Steps of the editor, in order. */
export const STEPS = ['results', 'questions', 'settings'] as const
/** Step of the editor. */
export type Step = (typeof STEPS)[number]

/** State of a step in the step bar. */
export type StepState = 'done' | 'current' | 'open' | 'locked'

type Progress = { quiz: Pick<Quiz, 'type'>; result_count: number; question_count: number }

/** Returns true while a quiz has too few results for questions; a sondage needs none (product 1.4). */
export const areQuestionsLocked = ({
  quiz,
  result_count,
}: Omit<Progress, 'question_count'>): boolean => result_count < MIN_RESULTS && !isSondage(quiz)

/**
 * Returns the states of the three steps (product 7.7). Questions are locked until there are two results; settings are
 * always open and optional.
 */
export const stepStates = (
  current: Step,
  { quiz, result_count, question_count }: Progress,
): Record<Step, StepState> => {
  const hasResults = result_count >= MIN_RESULTS
  const states: Record<Step, StepState> = {
    results: hasResults ? 'done' : 'open',
    questions: question_count > 0 ? 'done' : 'open',
    settings: 'open',
  }
  if (areQuestionsLocked({ quiz, result_count })) states.questions = 'locked'
  states[current] = 'current'
  return states
}
