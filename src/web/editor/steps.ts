import { isSondage, type Quiz } from '#domain/quiz.ts'
import { MINIMUM_RESULTS } from '#domain/vocabulary.ts'

export const STEPS = ['results', 'questions', 'settings'] as const
export type Step = (typeof STEPS)[number]

export type StepState = 'done' | 'current' | 'open' | 'locked'

type Progress = { quiz: Pick<Quiz, 'type'>; result_count: number; question_count: number }

/**
 * The states of the three steps (spec §2 « Step bar »). Questions are locked until there are two results, but
 * never in a sondage, which needs none (decisions « Sondage »); settings are always open and optional.
 */
export const stepStates = (
  current: Step,
  { quiz, result_count, question_count }: Progress,
): Record<Step, StepState> => {
  const hasResults = result_count >= MINIMUM_RESULTS
  const isUnlocked = hasResults || isSondage(quiz)
  const states: Record<Step, StepState> = {
    results: hasResults ? 'done' : 'open',
    questions: question_count > 0 ? 'done' : 'open',
    settings: 'open',
  }
  if (!isUnlocked) states.questions = 'locked'
  states[current] = 'current'
  return states
}
