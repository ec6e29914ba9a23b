import type { NumberSummary } from '#domain/numbers.ts'
import { Columns } from './charts/columns.tsx'
import { FigureList } from './figure-list.tsx'
import { formatNumber, formatShare } from './format.ts'
import { bandsOf, columnColors, type Tier } from './tier-bands.ts'

/** Mean, median, extremes and histogram of numbers; `total` is the number of participants who saw the question. */
export const NumberFigure = ({
  title,
  of,
  summary,
  total,
  tiers = [],
}: {
  title: string
  of: string
  summary: NumberSummary
  total: number
  /** Of scores: what they lead to. */
  tiers?: readonly Tier[]
}) => {
  const colors = columnColors(summary.histogram, tiers)
  const { count, mean, median, min, max, histogram } = summary
  const isWhole = histogram.every(({ from, to }) => to - from === 1 && Number.isInteger(from))
  return (
    <div className="flex flex-col gap-3">
      <FigureList
        figures={[
          ['Moyenne', formatNumber(mean)],
          ['Médiane', formatNumber(median)],
          ['Minimum', formatNumber(min)],
          ['Maximum', formatNumber(max)],
          ['Participants', formatShare(count, total)],
        ]}
      />
      <Columns
        title={title}
        of={of}
        total={count}
        bands={bandsOf(histogram, tiers)}
        columns={histogram.map(({ from, to, count: here }, rank) => ({
          label: isWhole
            ? formatNumber(from)
            : `de ${formatNumber(from)} à moins de ${formatNumber(to)}`,
          tick: formatNumber(from),
          count: here,
          color: colors[rank],
        }))}
      />
    </div>
  )
}
