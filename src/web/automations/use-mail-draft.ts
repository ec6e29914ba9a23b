import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MailWords } from '#domain/deliveries/quiz-mail.ts'
import { mailDraftKey } from './automation-queries.ts'
import { MAIL_FIELDS, type MailDraft, rebaseMailDraft } from './mail-draft.ts'

/**
 * Returns the typed texts of an email, which are kept while the application is open, and the actions on them. `stored` are
 * the texts of the server, as the creator sees them.
 */
export const useMailDraft = (quizId: string, stored: MailWords) => {
  const queries = useQueryClient()
  const queryKey = mailDraftKey(quizId)
  const [typed, setTyped] = useState<MailDraft>(
    () => queries.getQueryData(queryKey) ?? { mail: stored, base: stored },
  )
  const followed = rebaseMailDraft(typed, stored)
  if (followed !== typed) setTyped(followed)
  const { mail, base } = followed
  const write = (changed: Partial<MailWords>): void => {
    const written = { mail: { ...mail, ...changed }, base }
    setTyped(written)
    queries.setQueryDefaults(queryKey, { gcTime: Infinity })
    queries.setQueryData(queryKey, written)
  }
  // The server stores trimmed texts.
  const edited = MAIL_FIELDS.filter((name) => mail[name].trim() !== stored[name])
  const pick = (from: MailWords) =>
    Object.fromEntries(edited.map((name) => [name, from[name]])) as Partial<MailWords>
  return {
    mail,
    write,
    /** Edited texts, with the stored texts that they replace. */
    changes: { ...pick(mail), replaces: pick(stored) },
    isSaved: edited.length === 0,
    /** Returns the text that was stored elsewhere since this one was edited; undefined if there is none. */
    storedElsewhere: (name: keyof MailWords): string | undefined =>
      edited.includes(name) && base[name] !== stored[name] ? stored[name] : undefined,
    /** Ends keeping typed texts, unless others were typed after these. */
    forget: (saved: MailWords): void => {
      const kept = queries.getQueryData<MailDraft>(queryKey)?.mail
      if (kept?.subject === saved.subject && kept.text === saved.text)
        queries.removeQueries({ queryKey })
    },
  }
}
