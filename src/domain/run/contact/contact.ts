import { oneLine } from '#domain/common/one-line.ts'
import { MAX_PHONE_LENGTH } from '#domain/common/phone-numbers.ts'
import { cutText } from '#domain/common/text.ts'
import type { ContactRole } from '#domain/common/vocabulary.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from '#domain/run/path.ts'
import { replyPartsOf } from '#domain/run/replies.ts'

/** Contact data of a participant besides the address; null if not asked, not reached or left blank. */
export type ContactData = Record<ContactRole, string | null>

/** Contact data of a participant who gave none. */
export const NO_CONTACT: ContactData = { first_name: null, last_name: null, phone: null }

/** Maximum lengths in characters. Longer names are shortened, and longer phone numbers do not count. */
export const CONTACT_LIMITS: Record<ContactRole, number> = {
  first_name: 200,
  last_name: 200,
  phone: MAX_PHONE_LENGTH,
}

/** Returns a reply on one line, as contact data is stored; null if nothing remains. */
const contactValue = (role: ContactRole, reply: string): string | null => {
  const line = oneLine(reply).replaceAll(/\s+/g, ' ')
  if (line.length > CONTACT_LIMITS[role])
    return role === 'phone' ? null : cutText(line, CONTACT_LIMITS[role])
  return line || null
}

/** Returns the contact data of a run from the visited questions with a role. The first reply of a role counts. */
export const contactDataOf = (
  visited: readonly SnapshotQuestion[],
  replies: Replies,
): ContactData => {
  const data = { ...NO_CONTACT }
  for (const question of visited) {
    const role = contactRoleOf(question)
    if (role !== null && data[role] === null)
      data[role] = contactValue(role, replyPartsOf(replies, question)[0] ?? '')
  }
  return data
}

/** Returns the trimmed reply to the first email question that the run visits; '' without a reply (product 8.9). */
export const participantEmail = (
  { questions }: Pick<Snapshot, 'questions'>,
  replies: Replies,
  passed = visitedQuestions(questions, replies),
): string => {
  const first = passed.find(({ type }) => type === 'email')
  return first ? (replyPartsOf(replies, first)[0]?.trim() ?? '') : ''
}
