import { excerpt } from '#domain/common/text.ts'
import type { ContactRole } from '#domain/common/vocabulary.ts'
import { CONTACT_ROLE_LABELS, contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { isBlank } from '#domain/questionnaire/snapshot.ts'
import { EXCERPT_CHARACTERS, type PublishError } from './publish-error.ts'

/** Returns an error for each question whose role an earlier question already has. Blank questions are not published. */
export const contactRoleErrors = (questions: readonly Question[]): PublishError[] => {
  const firstTexts = new Map<ContactRole, string>()
  return questions.flatMap((question): PublishError[] => {
    const role = contactRoleOf(question)
    if (role === null || isBlank({ kind: 'question', question })) return []
    const first = firstTexts.get(role)
    if (first === undefined) {
      firstTexts.set(role, question.text)
      return []
    }
    const [one, other] = [first, question.text].map(
      (text) => `« ${excerpt(text, EXCERPT_CHARACTERS)} »`,
    )
    const message = `La coordonnée « ${CONTACT_ROLE_LABELS[role]} » est demandée par deux questions : ${one} et ${other}`
    return [{ message, question_id: question.id, field: 'contact_role' }]
  })
}
