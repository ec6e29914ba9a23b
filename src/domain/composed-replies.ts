import { cleanEmail, isMailable } from './mailbox.ts'
import type { Replies } from './quiz.ts'
import type { SnapshotQuestion } from './snapshot.ts'

/**
 * Composes the texts of replies (NFC) and removes invisible characters from email addresses, so that equal replies are
 * counted together. Returns the given object if nothing changes.
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
