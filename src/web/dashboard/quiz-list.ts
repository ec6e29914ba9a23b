import { RefusedCall } from '#contract/client.ts'
import { isSondage, type Quiz } from '#domain/quiz.ts'

export type QuizList = { quizzes: Quiz[] }

/** The first editing step of a questionnaire (spec §2 « Dashboard »). */
export const editPath = (quiz: Pick<Quiz, 'id' | 'type'>): string =>
  `/quiz/${quiz.id}/${isSondage(quiz) ? 'questions' : 'results'}`

/** The server's own sentence about a refused call, to follow another; empty when there is none. */
export const reasonOf = (error: unknown): string =>
  error instanceof RefusedCall ? ` ${error.message}` : ''

/** The list with a new or changed quiz first: it is sorted by last change. */
export const withQuiz = ({ quizzes }: QuizList, quiz: Quiz): QuizList => ({
  quizzes: [quiz, ...quizzes.filter(({ id }) => id !== quiz.id)],
})

export const withoutQuiz = ({ quizzes }: QuizList, id: string): QuizList => ({
  quizzes: quizzes.filter((quiz) => quiz.id !== id),
})

/** The quiz after this one, which gets the focus when this one is removed. */
export const quizAfter = <Q extends Pick<Quiz, 'id'>>(
  quizzes: readonly Q[],
  id: string,
): Q | undefined => {
  const index = quizzes.findIndex((quiz) => quiz.id === id)
  return index < 0 ? undefined : quizzes[index + 1]
}
