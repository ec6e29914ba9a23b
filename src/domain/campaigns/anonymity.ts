import { isBlankText } from '#domain/common/text.ts'
import type { ContactRole } from '#domain/common/vocabulary.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'

/** Returns the questions that ask who the participant is: an address, a phone number or a name. */
export const findContactQuestions = <
  Q extends Pick<SnapshotQuestion, 'type' | 'text'> & {
    contact_role?: ContactRole | null | undefined
  },
>(
  questions: readonly Q[],
): Q[] =>
  questions.filter(
    (question) =>
      !isBlankText(question.text) &&
      (question.type === 'email' || question.type === 'phone' || contactRoleOf(question) !== null),
  )

/** Returns the French reason why a questionnaire with this question has no anonymous campaign. */
export const anonymityError = (text: string): string =>
  `Une campagne anonyme ne demande ni nom, ni adresse, ni téléphone : « ${text} » en demande`
