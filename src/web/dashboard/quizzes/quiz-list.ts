import { RefusedCall } from '#contract/client/client.ts'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'

/** The cached answer with the creator's quizzes. */
export type QuizList = { quizzes: Quiz[]; nb_trashed: number }

/** Returns the path of the first editing step of a questionnaire (product 7.4). */
export const editPath = (quiz: Pick<Quiz, 'id' | 'type'>): string =>
  `/quiz/${quiz.id}/${isSondage(quiz) ? 'questions' : 'results'}`

/** Returns the server's reason for a refused call, to append to a sentence; '' without a reason. */
export const refusalReason = (error: unknown): string =>
  error instanceof RefusedCall ? ` ${error.message}` : ''

/** Returns the list with a new or changed quiz first, because the list is sorted by last change. */
export const putQuizFirst = (list: QuizList, quiz: Quiz): QuizList => ({
  ...list,
  quizzes: [quiz, ...list.quizzes.filter(({ id }) => id !== quiz.id)],
})

/** Returns the list without a quiz that is now in the trash. */
export const removeQuizFromList = (list: QuizList, id: string): QuizList => ({
  ...list,
  quizzes: list.quizzes.filter((quiz) => quiz.id !== id),
})

/** Returns the quiz after this one, which gets the focus when this one is removed. */
export const findQuizAfter = <Q extends Pick<Quiz, 'id'>>(
  quizzes: readonly Q[],
  id: string,
): Q | undefined => {
  const index = quizzes.findIndex((quiz) => quiz.id === id)
  return index < 0 ? undefined : quizzes[index + 1]
}
