import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import { formatNumber, formatPercentageOf } from '#web/statistics/format/format.ts'
import { fillClass } from '#web/ui/result-colors.ts'
import { ChartTable } from './chart-table.tsx'
import { gridValues, heightPercent } from './geometry.ts'
import { Plot, Swatch } from './plot.tsx'
import type { Band } from './tier-bands.ts'

type Column = {
  label: string
  /** A shorter label for below the column. */
  tick?: string
  count: number
  /** Index of the data colour; undefined for a figure without a result. */
  color?: number | undefined
}

type Props = {
  /** The accessible name of the chart. */
  title: string
  /** Heading of the first column of the table. */
  noun: string
  columns: readonly Column[]
  /** The count that the shares refer to. */
  total: number
  /** Named parts of the axis. */
  bands?: readonly Band[]
  /** Largest number of columns that all have their count above them. */
  maxTicks?: number
}

const GAP = 0.14
const MAX_COUNTS = 16

/** Renders counts as columns side by side, with the parts of their axis below, and as a table. */
export const ColumnChart = ({ title, noun, columns, total, bands = [], maxTicks }: Props) => {
  const grid = gridValues(Math.max(0, ...columns.map(({ count }) => count)))
  const top = grid.at(-1) ?? 1
  const width = 100 / Math.max(1, columns.length)
  const keys = distinctKeys(columns.map(({ label }) => label))
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <Plot
        title={title}
        summary={inWords(columns)}
        grid={grid}
        places={columns.map(({ label, tick = label, count }) => ({
          tick,
          valueText: `${label} : ${formatNumber(count)} · ${formatPercentageOf(count, total)}`,
        }))}
        xOf={(rank) => (rank + 0.5) * width}
        maxTicks={maxTicks ?? columns.length}
      >
        {bands.map(({ name, color, from, to }) => (
          <rect
            key={`${from} ${name}`}
            x={`${from}%`}
            width={`${to - from}%`}
            height="100%"
            className={fillClass(color)}
            opacity={0.09}
          />
        ))}
        {columns.map(({ count, color }, rank) => (
          <g key={keys[rank]}>
            <rect
              x={`${(rank + GAP / 2) * width}%`}
              y={`${100 - heightPercent(count, top)}%`}
              width={`${(1 - GAP) * width}%`}
              height={`${heightPercent(count, top)}%`}
              rx={3}
              className={fillClass(color ?? 0)}
            />
            {columns.length <= MAX_COUNTS && count > 0 && (
              <text
                x={`${(rank + 0.5) * width}%`}
                y={`${100 - heightPercent(count, top)}%`}
                dy={-4}
                textAnchor="middle"
                className="fill-ink-2 text-xs tabular-nums max-sm:hidden"
              >
                {formatNumber(count)}
              </text>
            )}
          </g>
        ))}
      </Plot>
      {bands.length > 0 && <Legend bands={bands} />}
      <ChartTable
        title={title}
        heads={[noun, 'Réponses', 'Part']}
        rows={columns.map(({ label, count }) => ({
          head: label,
          cells: [formatNumber(count), formatPercentageOf(count, total)],
        }))}
      />
    </figure>
  )
}

/** Renders the ranges and names of the parts of the axis, so that they do not depend on colours. */
const Legend = ({ bands }: { bands: readonly Band[] }) => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
    {bands.map(({ name, range, color }) => (
      <li key={`${range} ${name}`} className="flex min-w-0 items-baseline gap-1.5">
        <Swatch color={color} />
        <span className="shrink-0 tabular-nums">{range}</span>
        <span className="min-w-0 wrap-anywhere" dir="auto">
          {name}
        </span>
      </li>
    ))}
  </ul>
)

const inWords = (columns: readonly Column[]): string => {
  const best = columns.reduce<Column | undefined>(
    (largest, column) => (largest && largest.count >= column.count ? largest : column),
    undefined,
  )
  return best
    ? `${columns.length} colonne${columns.length > 1 ? 's' : ''}, la plus haute « ${best.label} » avec ${formatNumber(best.count)}`
    : ''
}
