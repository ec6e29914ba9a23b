import type { NumberSummary } from '#domain/numbers.ts'
import { Columns } from './charts/columns.tsx'
import { FigureList } from './figure-list.tsx'
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
        columns={histogram.map(({ from, to, count: here }) => ({
          label: isWhole
            ? formatNumber(from)
            : `de ${formatNumber(from)} à moins de ${formatNumber(to)}`,
          tick: formatNumber(from),
          count: here,
        }))}
      />
    </div>
  )
}
