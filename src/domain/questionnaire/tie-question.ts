import type { PublishError } from './publish-error.ts'
import { type Draft, isChoice, isSondage, type QuizTies } from './quiz.ts'

type Tied = Pick<Draft, 'questions'> & { quiz: QuizTies }

/**
 * The draft, without a tie question that it does not have, or no longer has, or that offers no answers. Every edit,
 * change and merge ends here, so that no draft points at a question that is gone.
 */
export const keepTieQuestion = <D extends Tied>(draft: D): D => {
  const { tie_question_id: id } = draft.quiz
  const isKept = id === null || draft.questions.some((one) => one.id === id && isChoice(one))
  return isKept ? draft : { ...draft, quiz: { ...draft.quiz, tie_question_id: null } }
}

/** An error where a question is to settle ties and none is chosen: the order would decide unnoticed. */
export const tieErrors = (
  draft: Tied & Pick<Draft, 'quiz_mode'> & { quiz: Pick<Draft['quiz'], 'type'> },
): PublishError[] => {
  const { quiz, quiz_mode } = keepTieQuestion(draft)
  const isMissing =
    !isSondage(quiz) &&
    quiz_mode === 'profils' &&
    quiz.tie_rule === 'question' &&
    quiz.tie_question_id === null
  if (!isMissing) return []
  const message = 'Choisissez la question qui départage les résultats à égalité, ou une autre règle'
  return [{ message, field: 'tie_question_id' }]
}
