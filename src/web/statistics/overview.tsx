import type { ReactNode } from 'react'
import type { Figures } from '#contract/figures.ts'
import { percentageOf } from '#domain/statistics.ts'
import { ColumnChart } from './column-chart.tsx'
import { CountLines } from './count-lines.tsx'
import { groupDays } from './day-groups.ts'
import {
  formatDuration,
  formatNumber,
  formatParticipants,
  formatPercentage,
  formatShare,
} from './format.ts'
import { NumberFigure } from './number-figure.tsx'

/** The figures of all participants: their results, their scores, and their number by day. */
export const Overview = ({ figures }: { figures: Figures }) => {
  const { results, scores, duration, days, nb_participants } = figures
  const { unit, columns } = groupDays(days)
  return (
    <section aria-labelledby="overview" className="flex flex-col gap-4">
      <h2 id="overview" className="text-lg font-semibold">
        Vue d’ensemble
      </h2>
      <div className="grid gap-4 lg:grid-cols-2">
        {results.length > 0 && (
          <Card title="Répartition des résultats">
            <CountLines
              lines={results.map(({ result_name, ...line }) => ({ text: result_name, ...line }))}
              formatCount={({ count, percentage }) =>
                `${formatShare(count, nb_participants)} · ${formatPercentage(percentage)}`
              }
            />
          </Card>
        )}
        {scores && (
          <Card title="Répartition des scores">
            <NumberFigure
              title="Répartition des scores"
              of="Score"
              summary={scores}
              total={nb_participants}
            />
          </Card>
        )}
        {duration && (
          <Card title="Temps pour finir" isWide={results.length > 0 === (scores !== null)}>
            <p className="text-2xl font-semibold tabular-nums">
              {duration.is_more && 'Au moins '}
              {formatDuration(duration.median_seconds)}
            </p>
            <p className="mt-1 text-ink-2">
              médiane de {formatParticipants(duration.count)} sur {formatNumber(nb_participants)}
            </p>
          </Card>
        )}
        {figures.consent && (
          <Card title="Accord pour l’envoi à vos outils">
            <p className="tabular-nums">{consentText(figures.consent)}</p>
          </Card>
        )}
        {columns.length > 0 && (
          <Card title={`Participants par ${unit}`} isWide>
            <ColumnChart title={`Participants par ${unit}`} of={capital(unit)} columns={columns} />
          </Card>
        )}
      </div>
    </section>
  )
}

const consentText = ({ nb_asked, nb_agreed }: NonNullable<Figures['consent']>): string =>
  `${nb_agreed} sur ${nb_asked} ${nb_asked > 1 ? 'participants ont' : 'participant a'} accepté · ${formatPercentage(percentageOf(nb_agreed, nb_asked))}`

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const Card = ({
  title,
  isWide = false,
  children,
}: {
  title: string
  isWide?: boolean
  children: ReactNode
}) => (
  <article className={`min-w-0 rounded-xl border border-line p-4 ${isWide ? 'lg:col-span-2' : ''}`}>
    <h3 className="mb-3 font-medium">{title}</h3>
    {children}
  </article>
)
