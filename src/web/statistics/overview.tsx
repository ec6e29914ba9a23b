import type { Figures } from '#contract/figures.ts'
import { filterIds } from './answer-choices.ts'
import { Bars } from './charts/bars.tsx'
import { LineChart } from './charts/line.tsx'
import { groupDays } from './day-points.ts'
import type { Filtering } from './filters.ts'
import {
  formatDuration,
  formatNumber,
  formatParticipants,
  formatPercentageOf,
  formatShare,
} from './format.ts'
import { NumberFigure } from './number-figure.tsx'
import { Card } from './part.tsx'

type Props = { figures: Figures; filtering: Filtering }

/** The figures of all participants: their results, their scores, and their number by day. */
export const Overview = ({ figures, filtering }: Props) => {
  const { scores, duration, days, nb_participants } = figures
  const { unit, points } = groupDays(days)
  return (
    <div className="grid min-w-0 gap-5 lg:grid-cols-2">
      {figures.results.length > 0 && <ResultShares figures={figures} filtering={filtering} />}
      {scores && (
        <Card id="scores" title="Répartition des scores">
          <NumberFigure
            title="Répartition des scores"
            of="Score"
            summary={scores}
            total={nb_participants}
          />
        </Card>
      )}
      {duration && (
        <Card id="duration" title="Temps pour finir">
          <p className="text-2xl font-semibold tabular-nums">
            {duration.is_more && 'Au moins '}
            {formatDuration(duration.median_seconds)}
          </p>
          <p className="text-ink-2">
            médiane de {formatParticipants(duration.count)} sur {formatNumber(nb_participants)}
          </p>
        </Card>
      )}
      {figures.consent && (
        <Card id="consent" title="Accord pour l’envoi à vos outils">
          <p className="tabular-nums">{consentText(figures.consent)}</p>
        </Card>
      )}
      {points.length > 0 && (
        <Card id="days" title={`Participants par ${unit}`} className="lg:col-span-2">
          <LineChart title={`Participants par ${unit}`} of={capital(unit)} points={points} />
        </Card>
      )}
    </div>
  )
}

const ResultShares = ({ figures: { results, nb_participants, choices }, filtering }: Props) => {
  const ids = filterIds(
    results.map(({ result_name }) => result_name),
    choices.results.map(({ id, name }) => ({ id, text: name })),
  )
  return (
    <Card id="results" title="Répartition des résultats">
      <Bars
        filtering="Filtrer par résultat"
        total={nb_participants}
        lines={results.map(({ result_name, count }, index) => ({
          text: result_name,
          count,
          said: `${formatShare(count, nb_participants)} · ${formatPercentageOf(count, nb_participants)}`,
          color: index,
          filter: filtering.by('result', ids[index], count),
        }))}
      />
    </Card>
  )
}

const consentText = ({ nb_asked, nb_agreed }: NonNullable<Figures['consent']>): string =>
  `${formatShare(nb_agreed, nb_asked)} ${nb_asked > 1 ? 'participants ont' : 'participant a'} accepté · ${formatPercentageOf(nb_agreed, nb_asked)}`

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
