import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { ShownMails } from '#contract/forwarding/quiz-mails.ts'
import type { NoticeFrequency } from '#domain/deliveries/quiz-mail.ts'
import { hasEmailQuestion } from '#domain/questionnaire/consent/consent.ts'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { failureText, useAlertOnFailure } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { QuizSender } from '#web/mail-senders/quiz-sender.tsx'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure, Loading } from '#web/ui/feedback/screen-state.tsx'
import { RadioGroup, Switch } from '#web/ui/form/choice-controls.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { mailDraftKey, mailedSnapshotQuery, mailsQuery } from './automation-queries.ts'
import { MailTextForm } from './mail-text-form.tsx'

const NOTICE_OPTIONS: { value: NoticeFrequency; label: string; hint?: string }[] = [
  { value: 'never', label: 'Ne pas m’écrire' },
  { value: 'each', label: 'À chaque participant, m’écrire', hint: 'Au plus 200 emails par jour.' },
  {
    value: 'daily',
    label: 'Une fois par jour, m’écrire combien sont venus',
    hint: 'À 8 h, les jours où il y a eu des participants.',
  },
]

/**
 * Renders the switches for result mails and for notices to the creator. Changes apply at once, without a publication.
 */
export const MailsCard = ({ session, quiz }: { session: DraftSession; quiz: Quiz }) => {
  const title = useId()
  const query = useQuery(mailsQuery(quiz.id))
  const { data, error } = query
  return (
    <section
      aria-labelledby={title}
      className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 id={title} className="text-base font-semibold">
          Emails
        </h2>
        <HelpLink about="emails" page="emails" />
      </div>
      {data && <Mails session={session} quiz={quiz} mails={data} />}
      {!data && !error && <Loading text="Chargement..." />}
      {!data && error && (
        <LoadFailure
          text={failureText(error, 'Les emails n’ont pas pu être chargés.')}
          query={query}
        />
      )}
    </section>
  )
}

type MailSwitches = Partial<
  Pick<ShownMails, 'sends_result' | 'tells_creator' | 'shows_result' | 'reply_to'>
>

const Mails = ({
  session,
  quiz,
  mails,
}: {
  session: DraftSession
  quiz: Quiz
  mails: ShownMails
}) => {
  const { has_mail_server, has_address, warnings } = mails
  // Switches that are being stored, shown until the server's answer replaces `mails`. A query alone would show them only
  // after its next update.
  const [pending, setPending] = useState<{ replaced: ShownMails; body: MailSwitches }>()
  const shown = pending?.replaced === mails ? pending.body : {}
  const { sends_result, tells_creator, shows_result, reply_to } = { ...mails, ...shown }
  /** A choice made while the previous one is being stored. */
  const next = useRef<MailSwitches>(undefined)
  const words = useId()
  const queries = useQueryClient()
  const { run, isBusy } = useAlertOnFailure()
  const mailed = useQuery(mailedSnapshotQuery(quiz.id))
  const { data: snapshot, error: unread } = mailed
  const [isOpen, setOpen] = useState(
    () => queries.getQueryData(mailDraftKey(quiz.id)) !== undefined,
  )
  const [wasOpen, setWasOpen] = useState(isOpen)
  const { queryKey } = mailsQuery(quiz.id)
  const store = (body: Parameters<typeof lazyClient.quizMails.set>[0]['body']) =>
    lazyClient.quizMails.set({ id: quiz.id, body })
  const set = async (body: Parameters<typeof store>[0]): Promise<void> => {
    queries.setQueryData(queryKey, (await store(body)).mails)
  }
  /** Shows a choice at once, and restores the previous one if the server refuses. */
  const change = (body: MailSwitches): void => {
    setPending({ replaced: mails, body: { ...shown, ...body } })
    if (isBusy) {
      next.current = { ...next.current, ...body }
      return
    }
    const attempt = async (): Promise<undefined> => {
      let written: ShownMails | undefined
      try {
        written = (await store(body)).mails
        while (next.current) {
          const chosen = next.current
          next.current = undefined
          written = (await store(chosen)).mails
        }
      } catch (error) {
        next.current = undefined
        setPending(undefined)
        // A failed choice may be stored although its answer was lost.
        void queries.invalidateQueries({ queryKey })
        throw error
      } finally {
        // An earlier choice may be stored although a later one was refused.
        if (written) queries.setQueryData(queryKey, written)
      }
    }
    void run(attempt, { failure: 'Les emails n’ont pas pu être changés.' })
  }
  const isLacking = sends_result && snapshot && !hasEmailQuestion(snapshot.questions)
  return (
    <>
      {!has_mail_server && (
        <Warning>
          {sends_result || tells_creator !== 'never'
            ? 'Ce site n’a plus de serveur d’emails : ce qui est activé attend.'
            : 'Ce site n’a pas de serveur d’emails : aucun email ne peut être activé.'}
        </Warning>
      )}
      <Switch
        label={
          isSondage(quiz)
            ? 'À chaque participant qui laisse son adresse, envoyer un email'
            : 'À chaque participant qui laisse son adresse, envoyer son résultat par email'
        }
        checked={sends_result}
        disabled={!has_mail_server && !sends_result}
        onChange={({ currentTarget }) => change({ sends_result: currentTarget.checked })}
      />
      <p className="text-sm text-ink-2">
        La page l’annonce à la question email. Chaque email contient un lien pour ne plus en
        recevoir.
      </p>
      <Switch
        label={
          isSondage(quiz)
            ? 'Ajouter à l’email ce que montre la page de fin'
            : 'Ajouter le résultat à l’email'
        }
        checked={shows_result}
        onChange={({ currentTarget }) => change({ shows_result: currentTarget.checked })}
      />
      {isLacking && (
        <Warning>
          Ce questionnaire n’a pas de question email : aucun participant ne recevra d’email.
        </Warning>
      )}
      {warnings.map((warning) => (
        <Warning key={warning}>{warning}. L’email laisse ce passage vide.</Warning>
      ))}
      <Button
        className="self-start"
        aria-expanded={isOpen}
        aria-controls={words}
        onClick={() => {
          setOpen(!isOpen)
          setWasOpen(true)
        }}
      >
        {isOpen ? 'Fermer l’email' : 'Modifier l’email'}
      </Button>
      <div id={words} hidden={!isOpen}>
        {/* Stays mounted when closed, so that unsaved text is kept. */}
        {wasOpen && snapshot && (
          <MailTextForm
            quiz={quiz}
            mails={{ ...mails, shows_result }}
            snapshot={snapshot}
            save={set}
          />
        )}
        {wasOpen && !snapshot && !unread && <Loading text="Chargement..." />}
        {!snapshot && unread && (
          <LoadFailure
            text={failureText(unread, 'Le questionnaire n’a pas pu être lu.')}
            query={mailed}
          />
        )}
      </div>
      <QuizSender
        session={session}
        quiz={quiz}
        reply_to={reply_to}
        onReplyTo={(choice) => change({ reply_to: choice })}
      />
      <h3 className="mt-2 text-sm font-semibold">À vous</h3>
      {has_address ? (
        <RadioGroup
          legend="Ce que vous recevez par email"
          value={tells_creator}
          options={has_mail_server ? NOTICE_OPTIONS : NOTICE_OPTIONS.slice(0, 1)}
          onChange={(value) => change({ tells_creator: value })}
        />
      ) : (
        <p className="text-sm text-ink-2">
          Votre compte n’a pas d’adresse email : aucun email ne peut vous parvenir.
        </p>
      )}
    </>
  )
}

const Warning = ({ children }: { children: ReactNode }) => (
  <p role="status" className="flex gap-2 rounded-lg bg-warn-wash p-3 text-sm text-ink">
    <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
    <span>{children}</span>
  </p>
)
