import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { replyPartsOf } from './replies.ts'

/** Parts of a question that decide which replies are right. */
export type Solved = Pick<SnapshotQuestion, 'id' | 'type' | 'answers'>

/** Returns true if exactly the right answers are chosen; « Autre » is wrong. */
export const isRight = (question: Solved, replies: Replies): boolean => {
  const right = question.answers.filter(({ is_correct }) => is_correct)
  const parts = replyPartsOf(replies, question)
  return parts.length === right.length && right.every(({ id }) => parts.includes(id))
}
