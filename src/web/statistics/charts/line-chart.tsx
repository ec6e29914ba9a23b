import { formatNumber, formatParticipants, MISSING } from '#web/statistics/format/format.ts'
import { fillClass } from '#web/ui/result-colors.ts'
import { ChartTable } from './chart-table.tsx'
import { areaPath, gridValues, linePath, percentOf, pointX } from './geometry.ts'
import { Plot } from './plot.tsx'

type Point = { label: string; tick: string; count: number }
type Props = {
  title: string
  noun: string
  points: readonly Point[]
  /** The counts of the earlier days for the first points or all of them, and their name. */
  before?: { counts: readonly number[]; name: string } | undefined
}

/** Renders counts over time as a line, with those of the earlier days dotted, and as a table. */
export const LineChart = ({ title, noun, points, before }: Props) => {
  const counts = points.map(({ count }) => count)
  const grid = gridValues(Math.max(0, ...counts, ...(before?.counts ?? [])))
  const top = grid.at(-1) ?? 1
  const formatEarlierCount = (rank: number): string | undefined => {
    const count = before?.counts[rank]
    return count === undefined ? undefined : formatNumber(count)
  }
  const read = ({ label, count }: Point, rank: number): string => {
    const [now, then] = [`${label} : ${formatParticipants(count)}`, formatEarlierCount(rank)]
    return before && then ? `${now} (${before.name} : ${then})` : now
  }
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <Plot
        title={title}
        summary={inWords(points)}
        grid={grid}
        places={points.map((point, rank) => ({ tick: point.tick, valueText: read(point, rank) }))}
        xOf={(rank) => pointX(rank, points.length)}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path d={areaPath(counts, top)} className="fill-d1" opacity={0.1} />
          {before && (
            <path
              d={linePath(before.counts, top, points.length)}
              fill="none"
              strokeWidth={1.5}
              strokeDasharray="3 5"
              vectorEffect="non-scaling-stroke"
              className="stroke-ink-3"
            />
          )}
          <path
            d={linePath(counts, top)}
            fill="none"
            strokeWidth={2.5}
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            className="forced-color-adjust-none stroke-d1"
          />
        </svg>
        <circle
          cx={`${pointX(counts.length - 1, counts.length)}%`}
          cy={`${100 - percentOf(counts.at(-1) ?? 0, top)}%`}
          r={4}
          className={fillClass(0)}
        />
      </Plot>
      {before && (
        <p className="text-xs text-ink-2">
          Trait plein : cette période. Pointillé : {before.name}.
        </p>
      )}
      <ChartTable
        title={title}
        heads={[noun, 'Participants', ...(before ? [capital(before.name)] : [])]}
        rows={points.map(({ label, count }, rank) => ({
          head: label,
          cells: [formatNumber(count), ...(before ? [formatEarlierCount(rank) ?? MISSING] : [])],
        }))}
      />
    </figure>
  )
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const inWords = (points: readonly Point[]): string => {
  const best = points.reduce<Point | undefined>(
    (largest, point) => (largest && largest.count >= point.count ? largest : point),
    undefined,
  )
  if (!best) return ''
  return points.length === 1
    ? `${best.label}, ${formatParticipants(best.count)}`
    : `de ${points[0]?.label} à ${points.at(-1)?.label}, ${formatNumber(best.count)} au plus (${best.label})`
}
