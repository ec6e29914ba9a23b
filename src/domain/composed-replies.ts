import { cleanEmail, isMailable } from './mailbox.ts'
import type { Replies } from './quiz.ts'
import type { SnapshotQuestion } from './snapshot.ts'

/**
 * Returns replies as they are stored, so that equal texts are counted together: each text composed (NFC), and addresses
 * without invisible characters. Returns the same object if nothing changes.
 */
export const composeReplies = (
  questions: readonly Pick<SnapshotQuestion, 'id' | 'type'>[],
  replies: Replies,
): Replies => {
  const emails = new Set(questions.flatMap(({ id, type }) => (type === 'email' ? id : [])))
  let hasChanged = false
  const compose = (id: string, text: string): string => {
    const clean = emails.has(id) && cleanEmail(text)
    const composed = clean && isMailable(clean) ? clean : text.normalize()
    hasChanged ||= composed !== text
    return composed
  }
  const entries = Object.entries(replies).map(([id, reply]) => [
    id,
    typeof reply === 'string' ? compose(id, reply) : reply.map((part) => compose(id, part)),
  ])
  return hasChanged ? Object.fromEntries(entries) : replies
}
