import { useState } from 'react'
import type { Figures } from '#contract/statistics/figures.ts'
import { type FunnelStep, worstStep } from '#domain/statistics/visits.ts'
import { ChartTable } from '#web/statistics/charts/chart-table.tsx'
import { Funnel, type FunnelLine } from '#web/statistics/charts/funnel.tsx'
import { formatNumber, formatShare } from '#web/statistics/format/format.ts'
import { Button } from '#web/ui/button.tsx'
import { CONTROL, Field } from '#web/ui/form/text-field.tsx'
import { FigureCard } from './figure-card.tsx'
import { countStopsAfter, MAX_FUNNEL_STEPS, selectFunnelSteps, stepText } from './visit-labels.ts'

type VisitFigures = NonNullable<Figures['visits']>

const TITLE = 'Où s’arrêtent les visiteurs'

/** Renders the funnel of the visits of a version (product 10.6). */
export const Visits = ({ visits }: { visits: Figures['visits'] }) => {
  const [chosen, choose] = useState<number>()
  if (visits?.length === 0) return null
  const shown = visits?.find(({ version }) => version === chosen) ?? visits?.[0]
  return (
    <FigureCard id="visits" title={TITLE}>
      {visits && visits.length > 1 && shown && (
        <VersionChoice visits={visits} chosen={shown.version} onChoose={choose} />
      )}
      {shown ? (
        <Steps
          key={shown.version}
          steps={shown.steps}
          hasJumps={shown.has_jumps}
          nb_confirmed={shown.nb_confirmed}
        />
      ) : (
        <p className="text-ink-2">
          Une visite n’a ni email, ni résultat, ni réponse : seules les dates la filtrent.
        </p>
      )}
      <p className="text-sm text-ink-3">
        Compté sans cookie ni identifiant. Qui demande à ne pas être suivi n’est compté que s’il
        termine.
      </p>
    </FigureCard>
  )
}

const VersionChoice = ({
  visits,
  chosen,
  onChoose,
}: {
  visits: VisitFigures
  chosen: number
  onChoose: (version: number) => void
}) => (
  <Field label="Version publiée">
    {(attributes) => (
      <select
        {...attributes}
        value={chosen}
        onChange={(event) => onChoose(Number(event.currentTarget.value))}
        className={`${CONTROL} h-10 sm:w-60`}
      >
        {visits.map(({ version }) => (
          <option key={version} value={version}>
            Version {version}
          </option>
        ))}
      </select>
    )}
  </Field>
)

type DisplayedFunnel = {
  steps: readonly FunnelStep[]
  /** True if answers can skip pages. The visits of the next page then do not tell how many visits ended. */
  hasJumps: boolean
}

const CONFIRMED = 'Adresse confirmée'

const Steps = ({
  steps,
  hasJumps,
  nb_confirmed,
}: DisplayedFunnel & {
  /** Participants who confirmed their address; null if no participant was asked. */
  nb_confirmed: number | null
}) => {
  const [isUnfolded, setUnfolded] = useState(false)
  const isLong = steps.length > MAX_FUNNEL_STEPS
  const lines = linesOf(
    { steps, hasJumps },
    isUnfolded ? [...steps.keys()] : selectFunnelSteps(steps),
  )
  if (nb_confirmed !== null)
    lines.push({
      text: CONFIRMED,
      count: nb_confirmed,
      stopped: null,
      isWorst: false,
      nb_folded: 0,
    })
  return (
    <>
      <Funnel lines={lines} isWide={lines.length <= MAX_FUNNEL_STEPS} />
      {isLong && (
        <Button
          className="self-start print:hidden"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'Replier les étapes' : `Voir les ${steps.length} étapes`}
        </Button>
      )}
      {hasJumps && (
        <p className="text-sm text-ink-3">
          Des réponses mènent plus loin : chaque page a les visites qui y sont passées.
        </p>
      )}
      <ChartTable
        title={TITLE}
        heads={['Étape', 'Visites', ...(hasJumps ? [] : ['Arrêtées là'])]}
        rows={[
          ...steps.map((step, rank) => ({
            head: stepText(step),
            cells: [
              formatNumber(step.count),
              ...(hasJumps ? [] : [stoppedText(countStopsAfter(steps, rank), step.count)]),
            ],
          })),
          ...(nb_confirmed === null
            ? []
            : [
                {
                  head: CONFIRMED,
                  cells: [formatNumber(nb_confirmed), ...(hasJumps ? [] : ['-'])],
                },
              ]),
        ]}
      />
    </>
  )
}

const stoppedText = (stopped: number | null, count: number): string =>
  stopped === null ? '-' : formatShare(stopped, count)

const linesOf = ({ steps, hasJumps }: DisplayedFunnel, ranks: readonly number[]): FunnelLine[] => {
  const worst = hasJumps ? null : worstStep(steps)
  return ranks.flatMap((rank, index) => {
    const step = steps[rank]
    if (!step) return []
    return [
      {
        text: stepText(step),
        count: step.count,
        stopped: hasJumps ? null : countStopsAfter(steps, rank),
        isWorst: rank === worst,
        nb_folded: rank - (ranks[index - 1] ?? -1) - 1,
      },
    ]
  })
}
