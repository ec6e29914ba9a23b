import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { client } from '#web/api/client.ts'
import { errorText } from '#web/api/error-text.ts'
import { formatNamedMoment } from '#web/ui/moments.ts'
import { Select } from '#web/ui/select.tsx'
import { formatParticipants } from './format.ts'
import { PersonForm } from './person-form.tsx'
import { retentionQuery } from './queries.ts'

const LENGTHS = [
  { value: 'never', label: 'Sans limite', months: null },
  { value: '6', label: '6 mois', months: 6 },
  { value: '12', label: '12 mois', months: 12 },
  { value: '36', label: '36 mois', months: 36 },
] as const
type Months = (typeof LENGTHS)[number]['months']

/** Sets how long participants of this quiz are kept, and shows which are removed next. */
const RetentionForm = ({ quizId }: { quizId: string }) => {
  const queries = useQueryClient()
  const query = retentionQuery(quizId)
  const { data, error } = useQuery(query)
  const saving = useMutation({
    mutationFn: (months: Months) => client.retention.set({ id: quizId, body: { months } }),
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
        value={LENGTHS.find((one) => one.months === months)?.value ?? 'never'}
        options={(data ? LENGTHS : []).map(({ value, label }) => ({ value, label }))}
        disabled={!data}
        onChange={(value) =>
          saving.mutate(LENGTHS.find((one) => one.value === value)?.months ?? null)
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

/** The participants' rights: limited retention, access to their data, and deletion. */
export const PersonalData = ({ quizId }: { quizId: string }) => (
  <section aria-labelledby="personal-data" className="flex flex-col gap-4 print:hidden">
    <h2 id="personal-data" className="text-lg font-semibold">
      Données personnelles
    </h2>
    <Link to={`/quiz/${quizId}/envois`} className="self-start text-brand underline">
      Envois vers vos outils d’emailing
    </Link>
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,24rem),1fr))] gap-4">
      <RetentionForm quizId={quizId} />
      <PersonForm />
    </div>
  </section>
)
