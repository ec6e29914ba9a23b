import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from './path.ts'
import { replyPartsOf } from './replies.ts'

/** Returns the trimmed reply to the first email question that the run visits; '' without a reply (product 8.9). */
export const participantEmail = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
  passed = visitedQuestions(questions, replies),
): string => {
  const first = passed.find(({ type }) => type === 'email')
  return first ? (replyPartsOf(replies, first)[0]?.trim() ?? '') : ''
}
