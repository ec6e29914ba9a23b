import { randomUUID } from 'node:crypto'
import type { Client } from '#contract/client/client.ts'
import { CONTACT_ROLES, type ContactRole } from '#domain/common/vocabulary.ts'
import { CONTACT_ROLE_LABELS } from '#domain/questionnaire/contact-roles.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SampleQuiz } from './sample-quizzes.ts'

/** Quiz that asks for an address and for contact data. */
export type ContactQuiz = SampleQuiz & { contact_ids: Record<ContactRole, string> }

/** Adds optional questions for first name, last name and phone number to page 2, and publishes the quiz. */
export const askForContact = async (client: Client, quiz: SampleQuiz): Promise<ContactQuiz> => {
  const contact_ids = { first_name: randomUUID(), last_name: randomUUID(), phone: randomUUID() }
  for (const [rank, contact_role] of CONTACT_ROLES.entries())
    await client.questions.create({
      id: quiz.id,
      body: {
        id: contact_ids[contact_role],
        text: `${CONTACT_ROLE_LABELS[contact_role]} ?`,
        type: contact_role === 'phone' ? 'phone' : 'text',
        contact_role,
        global_position: 10 + rank,
        page_number: 2,
        is_required: false,
      },
    })
  await client.quizzes.publish({ id: quiz.id })
  return { ...quiz, contact_ids }
}

/** Returns replies to all questions of a quiz that asks for contact data. */
export const contactReplies = (
  { question_id, answer_ids, open_id, contact_ids }: ContactQuiz,
  { email = '', ...contact }: Partial<Record<ContactRole | 'email', string>>,
  choice = 1,
): Replies => ({
  [question_id]: answer_ids[choice] ?? '',
  [open_id]: email,
  ...Object.fromEntries(CONTACT_ROLES.map((role) => [contact_ids[role], contact[role] ?? ''])),
})
