import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { focusFirstError } from '#web/session/credentials-form.tsx'
import { formatParticipants } from '#web/statistics/format/format.ts'
import { retentionQuery } from '#web/statistics/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { formatNamedMoment } from '#web/ui/moments.ts'
import { useErasure } from './erasure-dialog.tsx'
import { formatPersonData } from './erasure-labels.ts'
import { useRecordErasure } from './erasure-record.tsx'

/** Exports or deletes all data of one person, in all of the creator's quizzes. */
const PersonForm = () => {
  const [email, setEmail] = useState('')
  const [note, setNote] = useState('')
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { ask, dialog } = useErasure()
  const record = useRecordErasure()
  const queries = useQueryClient()
  const person = email.trim()
  const form = useRef<HTMLElement>(null)
  const refuse = (sentence: string): void => {
    flushSync(() => setError(sentence))
    if (form.current) focusFirstError(form.current)
  }

  const attempt = async (work: () => Promise<string>): Promise<void> => {
    setNote('')
    setError('')
    if (!person) return refuse('Indiquez l’adresse de la personne.')
    setBusy(true)
    try {
      setNote(await work())
    } catch (failure) {
      refuse(errorText(failure))
    }
    setBusy(false)
  }

  const give = async (): Promise<string> => {
    const found = await client.participants.ofPerson({ body: { email: person } })
    if (!hasData(found)) return NO_PARTICIPATION
    saveAs(`donnees-${person.replaceAll(/[^\w.@-]/g, '_')}.json`, JSON.stringify(found, null, 2))
    return `${formatPersonData(found.responses.length, found.invitations.length)} dans le fichier.`
  }

  const remove = async (): Promise<string> => {
    const found = await client.participants.ofPerson({ body: { email: person } })
    if (!hasData(found)) return NO_PARTICIPATION
    const { responses, invitations, sent_to } = found
    const choices = await ask(
      `Supprimer ${formatPersonData(responses.length, invitations.length)} de ${person}, dans tous vos quiz et sondages ? Cette action est définitive.`,
      sent_to,
    )
    if (!choices) return ''
    const body = { email: person, ...choices }
    const { nb_deleted, nb_invitations } = await client.participants.removePerson({ body })
    record({
      erased_at: new Date().toISOString(),
      email: person,
      nb_deleted,
      nb_invitations,
      choices,
      quiz: null,
      nb_webhooks: sent_to.nb_webhooks,
    })
    // The form can be used again before the figures have been reloaded.
    void queries.invalidateQueries({ queryKey: ['quizzes'] })
    return ''
  }

  return (
    <article ref={form} className="flex flex-col gap-3 rounded-xl border border-line p-4">
      {dialog}
      <h3 className="font-medium">Demandes d’une personne</h3>
      <TextField
        label="Adresse email, dans tous vos quiz et sondages"
        type="email"
        value={email}
        maxLength={LIMITS.email}
        autoComplete="off"
        error={error || undefined}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button busy={isBusy} onClick={() => void attempt(give)}>
          Télécharger ses données
        </Button>
        <Button variant="ghost" busy={isBusy} onClick={() => void attempt(remove)}>
          Supprimer ses données
        </Button>
      </div>
      <p role="status" className="text-ink-2 empty:hidden">
        {note}
      </p>
    </article>
  )
}

const NO_PARTICIPATION = 'Aucune participation ni invitation à cette adresse.'

const hasData = (found: { responses: unknown[]; invitations: unknown[] }): boolean =>
  found.responses.length + found.invitations.length > 0

const saveAs = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

const LENGTHS = [
  { value: 'never', label: 'Sans limite', months: null },
  { value: '6', label: '6 mois', months: 6 },
  { value: '12', label: '12 mois', months: 12 },
  { value: '36', label: '36 mois', months: 36 },
] as const
type Months = (typeof LENGTHS)[number]['months']

/** Sets how long participants of this quiz are kept, and shows which are deleted next. */
const RetentionForm = ({ quizId }: { quizId: string }) => {
  const queries = useQueryClient()
  const query = retentionQuery(quizId)
  const { data, error } = useQuery(query)
  const saving = useMutation({
    mutationFn: (months: Months) => lazyClient.retention.set({ id: quizId, body: { months } }),
    onSuccess: (saved) => queries.setQueryData(query.queryKey, saved),
  })
  const months = saving.isPending ? saving.variables : (data?.months ?? null)
  const failure = saving.error ?? error
  const announced = data?.announced
  return (
    <article className="flex flex-col gap-3 rounded-xl border border-line p-4">
      <h3 className="font-medium">Durée de conservation</h3>
      <Select
        label="Supprimer les réponses après"
        value={LENGTHS.find((length) => length.months === months)?.value ?? 'never'}
        options={(data ? LENGTHS : []).map(({ value, label }) => ({ value, label }))}
        disabled={!data}
        onChange={(value) =>
          saving.mutate(LENGTHS.find((length) => length.value === value)?.months ?? null)
        }
      />
      {failure && (
        <p role="alert" className="text-bad">
          {errorText(failure)}
        </p>
      )}
      <p role="status" className={`${announced ? 'text-warn' : 'text-ink-2'} empty:hidden`}>
        {announced
          ? `${formatParticipants(announced.nb_participants)} d’avant le ${formatNamedMoment(announced.before)} : suppression à partir du ${formatNamedMoment(announced.due_at)}. Changez la durée pour l’annuler.`
          : data && noteOf(data.months)}
      </p>
    </article>
  )
}

const noteOf = (months: Months): string =>
  months === null
    ? 'Les réponses sont conservées sans limite.'
    : 'Aucune suppression n’est prévue pour le moment. Chacune est annoncée ici au moins un jour avant.'

/** Renders the rights of participants: limited retention, access to their data, and deletion. */
export const PersonalData = ({ quizId }: { quizId: string }) => (
  <section aria-labelledby="personal-data" className="flex flex-col gap-4 print:hidden">
    <div className="flex items-center justify-between gap-2">
      <h2 id="personal-data" tabIndex={-1} className="text-lg font-semibold">
        Données personnelles
      </h2>
      <HelpLink about="données personnelles" page="effacement" />
    </div>
    <Link
      to={`/quiz/${quizId}/envois`}
      className="self-start text-brand underline pointer-coarse:py-3"
    >
      Envois vers vos outils d’emailing
    </Link>
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,24rem),1fr))] gap-4">
      <RetentionForm quizId={quizId} />
      <PersonForm />
    </div>
  </section>
)
