import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from './path.ts'
import { chosenAnswers } from './replies.ts'

type TieSettings = Pick<Snapshot, 'questions'> & {
  quiz: Pick<Snapshot['quiz'], 'tie_rule' | 'tie_question_id'>
}

/**
 * Returns the first of the tied results, in their order, that the reply to the tie question is associated with.
 * Undefined with another rule, or if the question is missing, on a skipped page, blank or not associated with
 * them.
 */
export const resultOfTieQuestion = <R extends { id: string }>(
  { quiz, questions }: TieSettings,
  tied: readonly R[],
  replies: Replies,
): R | undefined => {
  if (quiz.tie_rule !== 'question') return undefined
  const named = visitedQuestions(questions, replies)
    .filter(({ id }) => id === quiz.tie_question_id)
    .flatMap((question) => chosenAnswers(question, replies))
    .flatMap(({ associations }) => associations)
    .filter(({ is_checked }) => is_checked)
  return tied.find(({ id }) => named.some(({ result_id }) => result_id === id))
}
