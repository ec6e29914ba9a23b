import type { MailWords } from '#domain/deliveries/quiz-mail.ts'

/** Names of the texts of an email. */
export const MAIL_FIELDS = ['subject', 'text'] as const satisfies (keyof MailWords)[]

/** Typed texts of an email, and the stored texts that the creator saw when typing began. */
export type MailDraft = { mail: MailWords; base: MailWords }

/**
 * Returns the typed texts after the stored ones have changed. A text that was not edited follows the stored one. Returns
 * the given object if nothing changes.
 */
export const rebaseMailDraft = (typed: MailDraft, stored: MailWords): MailDraft => {
  const { mail, base } = typed
  const followed = { mail: { ...mail }, base: { ...base } }
  let hasChanged = false
  for (const name of MAIL_FIELDS) {
    if (base[name] === stored[name]) continue
    const trimmed = mail[name].trim()
    const isUnedited = trimmed === base[name].trim()
    if (!isUnedited && trimmed !== stored[name]) continue
    if (isUnedited) followed.mail[name] = stored[name]
    followed.base[name] = stored[name]
    hasChanged = true
  }
  return hasChanged ? followed : typed
}
