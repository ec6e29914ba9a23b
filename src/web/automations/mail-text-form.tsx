import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { RefusedCall } from '#contract/client/client.ts'
import type { ShownMails } from '#contract/forwarding/quiz-mails.ts'
import { readFieldMessage } from '#contract/kit/field-message.ts'
import { CHANGED_ELSEWHERE } from '#contract/kit/replaced-fields.ts'
import { mailInsertionNames, textInsertionNames } from '#domain/deliveries/mail-insertions.ts'
import { MAIL_LIMITS, type MailWords } from '#domain/deliveries/quiz-mail.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { focusFirstError } from '#web/session/credentials-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { InsertionsContext, RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'
import { mailsQuery } from './automation-queries.ts'
import { MailPreview } from './mail-preview.tsx'
import { useMailDraft } from './use-mail-draft.ts'

type MailChanges = Partial<MailWords> & { replaces: Partial<MailWords> }
type FormRefusal = { field: keyof MailWords | undefined; message: string }

/** Returns the field that a refusal of the server is about, and its sentence. */
const formRefusalOf = (error: unknown, failure: string): FormRefusal => {
  const sentence = failureText(error, failure)
  const { path, reason } = readFieldMessage(sentence)
  return path === 'subject' || path === 'text'
    ? { field: path, message: reason }
    : { field: undefined, message: sentence }
}

/** Renders the subject and the text of the participants' email, with a preview. */
export const MailTextForm = ({
  quiz: { id: quizId, keeps_page },
  mails,
  snapshot,
  save,
}: {
  quiz: Pick<Quiz, 'id' | 'keeps_page'>
  mails: ShownMails
  snapshot: Snapshot
  save: (changes: MailChanges) => Promise<void>
}) => {
  const { shows_result } = mails
  const queries = useQueryClient()
  const typed = useMailDraft(quizId, { subject: mails.subject, text: mails.text })
  const { mail: typedMail, isSaved } = typed
  const [refused, setRefused] = useState<FormRefusal>()
  const saving = useMutation({
    mutationFn: async () => {
      await save(typed.changes)
      typed.forget(typedMail)
    },
  })
  const trying = useMutation({
    mutationFn: () =>
      lazyClient.quizMails.test({ id: quizId, body: { ...typedMail, shows_result } }),
  })
  const write = (changed: Partial<MailWords>): void => {
    typed.write(changed)
    setRefused(undefined)
    saving.reset()
    trying.reset()
  }
  const form = useRef<HTMLFormElement>(null)
  const attempt = (act: () => Promise<unknown>, failure: string): void => {
    setRefused(undefined)
    act().catch((error: unknown) => {
      if (error instanceof RefusedCall && error.code === CHANGED_ELSEWHERE)
        void queries.invalidateQueries(mailsQuery(quizId))
      const found = formRefusalOf(error, failure)
      flushSync(() => setRefused(found))
      if (found.field && form.current) focusFirstError(form.current)
    })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    trying.reset()
    attempt(() => saving.mutateAsync(), 'L’email n’a pas pu être enregistré. Réessayez.')
  }
  const errorAt = (field: keyof MailWords) =>
    refused?.field === field ? { error: refused.message } : {}
  const listInsertions = () => mailInsertionNames(snapshot).map((name) => ({ name }))
  const listTextInsertions = () =>
    textInsertionNames(snapshot, keeps_page).map((name) => ({ name }))
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-3">
      <InsertionsContext value={listInsertions}>
        <RichTextField
          label="Objet"
          value={typedMail.subject}
          has_marks={false}
          maxLength={MAIL_LIMITS.subject}
          {...errorAt('subject')}
          // A subject is a single line.
          onChange={({ currentTarget }) =>
            write({ subject: currentTarget.value.replaceAll(/[\r\n]+/g, ' ') })
          }
        />
      </InsertionsContext>
      <StoredElsewhere
        text={typed.storedElsewhere('subject')}
        onTake={(subject) => write({ subject })}
      />
      <InsertionsContext value={listTextInsertions}>
        <RichTextField
          label="Texte"
          value={typedMail.text}
          maxLength={MAIL_LIMITS.text}
          {...errorAt('text')}
          onChange={({ currentTarget }) => write({ text: currentTarget.value })}
        />
      </InsertionsContext>
      <StoredElsewhere text={typed.storedElsewhere('text')} onTake={(text) => write({ text })} />
      <MailPreview
        typedMail={{ ...typedMail, shows_result }}
        snapshot={snapshot}
        page_url={keeps_page ? `${window.location.origin}/q/${quizId}/ma-page/exemple` : null}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={saving.isPending} disabled={isSaved}>
          Enregistrer
        </Button>
        <Button
          busy={trying.isPending}
          disabled={!mails.has_mail_server || !mails.has_address}
          onClick={() => {
            saving.reset()
            attempt(() => trying.mutateAsync(), 'Le test n’a pas pu partir. Réessayez.')
          }}
        >
          M’envoyer un test
        </Button>
      </div>
      <p role="status" className="text-sm empty:hidden">
        {trying.data?.message ?? (saving.isSuccess ? 'L’email est enregistré.' : null)}
      </p>
      {refused && !refused.field && (
        <p role="alert" className="text-sm text-bad">
          {refused.message}
        </p>
      )}
    </form>
  )
}

/** Shows a text that was stored elsewhere while the creator typed another one. */
const StoredElsewhere = ({
  text,
  onTake,
}: {
  text: string | undefined
  onTake: (text: string) => void
}) =>
  text === undefined ? null : (
    <div className="flex flex-col items-start gap-2 rounded-lg bg-warn-wash p-3 text-sm text-ink">
      <p>Changé ailleurs entre-temps. Enregistrer remplacera ce texte :</p>
      <p className="wrap-anywhere whitespace-pre-line" dir="auto">
        {text}
      </p>
      <Button onClick={() => onTake(text)}>Reprendre ce texte</Button>
    </div>
  )
