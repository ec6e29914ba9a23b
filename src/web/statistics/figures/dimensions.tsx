import type { Figures } from '#contract/statistics/figures.ts'
import { BarChart } from '#web/statistics/charts/bar-chart.tsx'
import { ColumnChart } from '#web/statistics/charts/column-chart.tsx'
import type { FilterToggles } from '#web/statistics/filters/filters.ts'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import {
  formatNumber,
  formatPercentage,
  formatPercentageOf,
  formatShare,
} from '#web/statistics/format/format.ts'
import { FigureCard } from './figure-card.tsx'
import { FigureList } from './number-figure.tsx'

type Dimension = Figures['dimensions'][number]
type Props = {
  figures: Pick<Figures, 'dimensions' | 'nb_participants'>
  toggles: FilterToggles
}

/** Renders mean, spread, histogram and tiers of each dimension. */
export const Dimensions = ({ figures: { dimensions, nb_participants }, toggles }: Props) => {
  if (dimensions.length === 0) return null
  const keys = distinctKeys(dimensions.map(({ name }) => name))
  return (
    <FigureCard id="dimensions" title="Dimensions">
      <div className="grid min-w-0 gap-x-8 gap-y-6 lg:grid-cols-2">
        {dimensions.map((dimension, rank) => (
          <DimensionFigure
            key={keys[rank]}
            dimension={dimension}
            total={nb_participants}
            toggles={toggles}
          />
        ))}
      </div>
    </FigureCard>
  )
}

const DimensionFigure = ({
  dimension: { name, nb_participants, mean, deviation, histogram, tiers },
  total,
  toggles,
}: {
  dimension: Dimension
  total: number
  toggles: FilterToggles
}) => (
  <section aria-label={name} className="flex min-w-0 break-inside-avoid flex-col gap-3">
    <h3 className="font-medium wrap-anywhere" dir="auto">
      {name}
    </h3>
    <FigureList
      figures={[
        ['Moyenne', formatPercentage(mean)],
        ['Écart type', formatNumber(Number(deviation.toFixed(1)))],
        ['Participants', formatShare(nb_participants, total)],
      ]}
    />
    <ColumnChart
      title={`Répartition de ${name}`}
      noun="Pourcentage"
      total={nb_participants}
      columns={histogram.map((count, bar) => ({ ...barLabels(bar, histogram.length), count }))}
    />
    {tiers.length > 0 && (
      <BarChart
        toolbarLabel={`Filtrer par palier de ${name}`}
        total={nb_participants}
        lines={tiers.map(({ title, count, filter }) => ({
          text: title,
          count,
          figureText: `${formatShare(count, nb_participants)} · ${formatPercentageOf(count, nb_participants)}`,
          filter: toggles.byChoice('tier', filter, count),
        }))}
      />
    )}
  </section>
)

/** Returns the range of percents of a bar; the last bar includes 100 %. */
const barLabels = (bar: number, nb_bars: number): { label: string; tick: string } => {
  const width = 100 / nb_bars
  const from = bar * width
  const to = bar === nb_bars - 1 ? 100 : from + width - 1
  return { label: `de ${from} à ${formatPercentage(to)}`, tick: String(from) }
}
