import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { otherText, replyPartsOf } from '#domain/run/replies.ts'

/** Parts of a question that decide which replies are right. */
export type QuestionAnswers = Pick<SnapshotQuestion, 'id' | 'type' | 'answers'>

/** Returns true if exactly the right answers are chosen; « Autre » is wrong. */
export const isRight = (question: QuestionAnswers, replies: Replies): boolean => {
  const parts = replyPartsOf(replies, question)
  return (
    !parts.some(otherText) &&
    !question.answers.some(({ id, is_correct }) => !is_correct === parts.includes(id))
  )
}
