import { isChoice, type Replies, type Reply } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { OTHER, replyTo } from '#domain/run/replies.ts'
import type { Run } from './run.ts'

const withoutOther = (part: string): string => (part.startsWith(OTHER) ? OTHER : part)

/**
 * Returns the replies of a run. The replies of a finished run have no typed texts such as names and addresses, which
 * the next person on the device must not see. Chosen answers and the numbers of scales stay.
 */
export const visibleReplies = (
  { questions }: { questions: readonly Pick<SnapshotQuestion, 'id' | 'type'>[] },
  { is_finished, replies }: Pick<Run, 'is_finished' | 'replies'>,
): Replies =>
  is_finished
    ? Object.fromEntries(
        questions
          .filter((question) => isChoice(question) || question.type === 'scale')
          .map(({ id }): [string, Reply] => {
            const reply = replyTo(replies, id)
            return [id, typeof reply === 'string' ? withoutOther(reply) : reply.map(withoutOther)]
          }),
      )
    : replies
