import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { Person } from './people.ts'

/** Returns the replies with which the run of an invited person begins: name and address, where a question asks for them. */
export const personReplies = (
  questions: readonly SnapshotQuestion[],
  person: Pick<Person, 'email' | 'first_name' | 'last_name'>,
): Replies => {
  const replies: Replies = {}
  const first_email = questions.find(({ type }) => type === 'email')
  if (first_email) replies[first_email.id] = person.email
  for (const role of ['first_name', 'last_name'] as const) {
    const question = questions.find((asked) => contactRoleOf(asked) === role)
    const name = person[role]
    if (question && name !== null) replies[question.id] = name
  }
  return replies
}
