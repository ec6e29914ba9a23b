import type { QuizMail } from '#domain/deliveries/quiz-mail.ts'

/** Names of the texts of an email. */
export const MAIL_FIELDS = ['subject', 'text'] as const satisfies (keyof QuizMail)[]

/** Typed texts of an email, and the stored texts that the creator saw when typing began. */
export type MailDraft = { mail: QuizMail; over: QuizMail }

/**
 * Returns the typed texts after the stored ones have changed. A text that was not edited follows the stored one. Returns
 * the given object if nothing changes.
 */
export const rebaseMailDraft = (typed: MailDraft, stored: QuizMail): MailDraft => {
  const { mail, over } = typed
  const followed = { mail: { ...mail }, over: { ...over } }
  let hasChanged = false
  for (const name of MAIL_FIELDS) {
    if (over[name] === stored[name]) continue
    const trimmed = mail[name].trim()
    const isUnedited = trimmed === over[name].trim()
    if (!isUnedited && trimmed !== stored[name]) continue
    if (isUnedited) followed.mail[name] = stored[name]
    followed.over[name] = stored[name]
    hasChanged = true
  }
  return hasChanged ? followed : typed
}
