import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { api } from '#contract/api.ts'
import type { Answer } from '#contract/kit/endpoint.ts'
import type { ComparableCampaign, PROGRESS_FORMATS, ShownProgress } from '#contract/progress.ts'
import { download } from '#web/api/download.ts'
import { failureText } from '#web/integrations/use-alert-on-failure.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'
import { Button } from '#web/ui/button.tsx'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { LoadFailure, Loading, Message } from '#web/ui/feedback/screen-state.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { formatMoment } from '#web/ui/moments.ts'
import { ChangeChart } from './change-chart.tsx'
import { progressQuery } from './progress-queries.ts'

type Shown = Answer<typeof api.progress.get>
type Place = { quizId: string; campaignId: string }

const NONE = ''

/** Renders the comparison of a campaign with an earlier one. */
const ProgressScreen = ({ quizId, campaignId }: Place) => {
  const [chosen, setChosen] = useState<string>(NONE)
  const query = useQuery(progressQuery(quizId, campaignId, chosen))
  const { data, error } = query
  if (!data)
    return error ? (
      <LoadFailure
        text={failureText(error, 'La comparaison n’a pas pu être chargée.')}
        query={query}
      />
    ) : (
      <Loading text="Chargement..." />
    )
  if (data.candidates.length === 0 && !data.progress)
    return (
      <Message
        title="Aucune campagne à comparer"
        text="Une campagne se compare avec une campagne plus ancienne du même questionnaire, ou d’un questionnaire dont des dimensions ont le même nom."
      />
    )
  const before = chosen || data.before_campaign_id || NONE
  return (
    <>
      <section className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card">
        <Select
          label="Campagne d’avant"
          value={before}
          options={[
            ...(before === NONE ? [{ value: NONE, label: 'Choisir une campagne' }] : []),
            ...data.candidates.map((candidate) => ({
              value: candidate.campaign_id,
              label: nameOf(candidate),
            })),
          ]}
          onChange={setChosen}
        />
        {error && (
          <p role="alert" className="text-bad">
            {failureText(error, 'La comparaison n’a pas pu être chargée.')}
          </p>
        )}
        {data.progress && (
          <Declaration
            quizId={quizId}
            campaignId={campaignId}
            shown={data}
            progress={data.progress}
            onForget={() => setChosen(NONE)}
          />
        )}
      </section>
      {data.progress ? (
        <Figures quizId={quizId} campaignId={campaignId} progress={data.progress} />
      ) : (
        <p className="text-ink-2">Choisissez la campagne d’avant pour voir l’évolution.</p>
      )}
    </>
  )
}

const nameOf = ({ name, quiz_name, starts_at, is_anonymous }: ComparableCampaign): string =>
  `${name} (${quiz_name}, ${formatMoment(starts_at, 'long')}${is_anonymous ? ', anonyme' : ''})`

/** Says whether participants see the comparison, and lets the creator change it. */
const Declaration = ({
  quizId,
  campaignId,
  shown,
  progress,
  onForget,
}: Place & { shown: Shown; progress: ShownProgress; onForget: () => void }) => {
  const queries = useQueryClient()
  const naming = useMutation({
    mutationFn: (before_campaign_id: string | null) =>
      lazyClient.progress.setBefore({ id: quizId, campaignId, body: { before_campaign_id } }),
    onSuccess: (_, before_campaign_id) => {
      if (before_campaign_id === null) onForget()
      return queries.invalidateQueries({ queryKey: ['quizzes', quizId, 'campaigns', campaignId] })
    },
  })
  if (!progress.is_paired)
    return (
      <p className="text-sm text-ink-2">
        Une des campagnes est anonyme : les moyennes sont comparées, et personne ne voit sa propre
        évolution.
      </p>
    )
  const { campaign_id } = progress.before
  const isNamed = shown.before_campaign_id === campaign_id
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-sm text-ink-2">
        {isNamed
          ? 'Chaque personne qui a répondu aux deux campagnes voit son évolution sur « Ma page » et dans son rapport.'
          : 'Les participants ne voient pas cette comparaison.'}
      </p>
      <Button busy={naming.isPending} onClick={() => naming.mutate(isNamed ? null : campaign_id)}>
        {isNamed ? 'Ne plus la montrer aux participants' : 'La montrer aux participants'}
      </Button>
      {naming.error && (
        <p role="alert" className="text-bad">
          {failureText(naming.error, 'Le choix n’a pas pu être enregistré. Réessayez.')}
        </p>
      )}
    </div>
  )
}

const Figures = ({ quizId, campaignId, progress }: Place & { progress: ShownProgress }) => {
  const { measures, groups, nb_people, nb_before, nb_after, is_paired } = progress
  if (measures.length === 0)
    return (
      <Message
        title="Rien à comparer"
        text="Il faut des réponses aux deux campagnes, et un score ou des dimensions communes."
      />
    )
  return (
    <>
      <section className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card">
        <h2 className="text-lg font-semibold">Toutes les personnes</h2>
        <p>{countText({ nb_people, nb_before, nb_after })}</p>
        <ChangeChart
          title="Évolution de toutes les personnes"
          lines={measures.map(({ name, ...measure }) => ({ label: name, measure }))}
        />
        <p className="text-sm text-ink-2">
          Les scores sont en pour cent des points possibles, et les évolutions en points de
          pourcentage. L’intervalle contient la vraie moyenne dans 95 cas sur 100 ; s’il contient 0,
          l’évolution peut être due au hasard. Au-dessous de cinq personnes, aucune moyenne n’est
          montrée.
        </p>
        {progress.left_out_dimensions.length > 0 && (
          <p className="text-sm text-ink-2">
            Dans une seule des campagnes :{' '}
            <span dir="auto">{progress.left_out_dimensions.join(', ')}</span>.
          </p>
        )}
      </section>
      {groups.length > 0 && <Groups progress={progress} />}
      {is_paired && <PeopleFile quizId={quizId} campaignId={campaignId} progress={progress} />}
    </>
  )
}

/** Returns how many people are compared. */
const countText = ({
  nb_people,
  nb_before,
  nb_after,
}: Pick<ShownProgress, 'nb_people' | 'nb_before' | 'nb_after'>): string => {
  const replies = `${nb_before.toLocaleString('fr-FR')} avant et ${nb_after.toLocaleString('fr-FR')} après`
  if (nb_people === null) return `Réponses : ${replies}.`
  const people =
    nb_people > 1
      ? `${nb_people.toLocaleString('fr-FR')} personnes ont répondu aux deux campagnes`
      : `${nb_people} personne a répondu aux deux campagnes`
  return `${people}, sur ${replies}.`
}

const Groups = ({
  progress: { measures, groups, nb_left_out_groups },
}: {
  progress: ShownProgress
}) => {
  const [rank, setRank] = useState(0)
  const shown = Math.min(rank, measures.length - 1)
  return (
    <section className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card">
      <h2 className="text-lg font-semibold">Par groupe</h2>
      <Select
        label="Chiffre comparé"
        value={String(shown)}
        options={measures.map(({ name }, index) => ({ value: String(index), label: name }))}
        onChange={(value) => setRank(Number(value))}
      />
      <ChangeChart
        title={`Évolution par groupe : ${measures[shown]?.name ?? ''}`}
        lines={groups.flatMap(({ group_name, measures: own }) => {
          const measure = own[shown]
          return measure ? [{ label: group_name ?? 'Sans groupe', measure }] : []
        })}
      />
      {nb_left_out_groups > 0 && (
        <p className="text-sm text-ink-2">
          {`${nb_left_out_groups} autres groupes, plus petits, ne sont pas montrés.`}
        </p>
      )}
    </section>
  )
}

const FORMATS: readonly { format: (typeof PROGRESS_FORMATS)[number]; label: string }[] = [
  { format: 'xlsx', label: 'Classeur Excel' },
  { format: 'csv_excel', label: 'CSV pour Excel' },
  { format: 'csv', label: 'CSV standard' },
]

const PeopleFile = ({ quizId, campaignId, progress }: Place & { progress: ShownProgress }) => {
  const ordering = useMutation({
    mutationFn: (format: (typeof PROGRESS_FORMATS)[number]) =>
      lazyClient.progress.people({
        id: quizId,
        campaignId,
        body: { format, before: progress.before.campaign_id },
      }),
    onSuccess: (file) => {
      download(file)
      announceToScreenReader('Le fichier est prêt : son téléchargement commence.')
    },
  })
  return (
    <section className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card">
      <h2 className="text-lg font-semibold">Personne par personne</h2>
      <p className="text-sm text-ink-2">
        Une ligne par personne qui a répondu aux deux campagnes, avec ses scores avant et après.
      </p>
      <div className="flex flex-wrap gap-2">
        {FORMATS.map(({ format, label }) => (
          <Button
            key={format}
            icon={<Download aria-hidden="true" />}
            busy={ordering.isPending}
            onClick={() => ordering.mutate(format)}
          >
            {label}
          </Button>
        ))}
      </div>
      {ordering.error && (
        <p role="alert" className="text-bad">
          {failureText(ordering.error, 'Le fichier n’a pas pu être préparé. Réessayez.')}
        </p>
      )}
    </section>
  )
}

export default ProgressScreen
