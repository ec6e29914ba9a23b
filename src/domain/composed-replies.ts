import { isPrintableAscii } from './blank-text.ts'
import { cleanEmail, isMailable } from './mailbox.ts'
import type { Replies, Reply } from './quiz.ts'
import type { SnapshotQuestion } from './snapshot.ts'

const isPlain = (reply: Reply): boolean =>
  typeof reply === 'string' ? isPrintableAscii(reply) : reply.every(isPrintableAscii)

/**
 * Composes the texts of replies (NFC) and removes invisible characters from email addresses, so that equal replies are
 * counted together. Returns the given object if nothing changes.
 */
export const composeReplies = (
  questions: readonly Pick<SnapshotQuestion, 'id' | 'type'>[],
  replies: Replies,
): Replies => {
  // Most replies are ids of answers and addresses, which nothing changes.
  if (Object.values(replies).every(isPlain)) return replies
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
