import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { questionsPassed } from './path.ts'
import { chosenAnswers } from './replies.ts'

type Settled = Pick<Snapshot, 'questions'> & {
  quiz: Pick<Snapshot['quiz'], 'tie_rule' | 'tie_question_id'>
}

/**
 * Of equal results, in their order, the first that the answers to the tie question are associated with; undefined
 * with another rule, and where the question does not tell: it is gone, offers no answers, is on no page that was
 * passed, was left blank, or its answers lead to none of them.
 */
export const resultOfTieQuestion = <R extends { id: string }>(
  { quiz, questions }: Settled,
  equals: readonly R[],
  replies: Replies,
): R | undefined => {
  if (quiz.tie_rule !== 'question') return undefined
  const named = questionsPassed(questions, replies)
    .filter(({ id }) => id === quiz.tie_question_id)
    .flatMap((question) => chosenAnswers(question, replies))
    .flatMap(({ associations }) => associations)
    .filter(({ is_checked }) => is_checked)
  return equals.find(({ id }) => named.some(({ result_id }) => result_id === id))
}
