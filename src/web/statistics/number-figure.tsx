import type { NumberSummary } from '#domain/numbers.ts'
import { ColumnChart } from './column-chart.tsx'
import { formatNumber, formatShare } from './format.ts'

/** Mean, median, extremes and histogram of numbers; `total` is the number of participants who saw the question. */
export const NumberFigure = ({
  title,
  of,
  summary,
  total,
}: {
  title: string
  of: string
  summary: NumberSummary
  total: number
}) => {
  const { count, mean, median, min, max, histogram } = summary
  const isWhole = histogram.every(({ from, to }) => to - from === 1 && Number.isInteger(from))
  const figures: [string, string][] = [
    ['Moyenne', formatNumber(mean)],
    ['Médiane', formatNumber(median)],
    ['Minimum', formatNumber(min)],
    ['Maximum', formatNumber(max)],
    ['Participants', formatShare(count, total)],
  ]
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-wrap gap-x-8 gap-y-2">
        {figures.map(([name, value]) => (
          <li key={name}>
            <p className="text-xs text-ink-3">{name}</p>
            <p className="font-medium tabular-nums">{value}</p>
          </li>
        ))}
      </ul>
      <ColumnChart
        title={title}
        of={of}
        columns={histogram.map(({ from, to, count: here }) => ({
          label: isWhole
            ? formatNumber(from)
            : `de ${formatNumber(from)} à moins de ${formatNumber(to)}`,
          count: here,
        }))}
      />
    </div>
  )
}
