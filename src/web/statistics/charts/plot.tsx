import { type PointerEvent, type ReactNode, useState } from 'react'
import { formatNumber } from '#web/statistics/format/format.ts'
import { fillClass } from '#web/ui/result-colors.ts'
import { labelledIndexes, percentOf } from './geometry.ts'
import './charts.css'

/** Renders a square in a data colour, next to its label. */
export const Swatch = ({ color }: { color: number }) => (
  <svg aria-hidden="true" className="size-2.5 shrink-0">
    <rect width="100%" height="100%" rx={3} className={fillClass(color)} />
  </svg>
)

/** A place of the horizontal axis. */
type Place = {
  /** The label below the place, if there is room. */
  tick: string
  /** Text of the value at this place, as the cursor shows it: '3 mars : 12 participants'. */
  valueText: string
}

type Props = {
  title: string
  /** A short description of the chart. */
  summary: string
  /** The values of the horizontal lines, from 0 up. */
  grid: readonly number[]
  places: readonly Place[]
  /** Returns the horizontal position of a place in percent. */
  xOf: (rank: number) => number
  /** Number of ticks that fit on a phone. */
  maxTicks?: number
  /** Content of the chart, in percent of the width and of the height. */
  children: ReactNode
}

/**
 * Renders the frame of a chart: grid, ticks, and a cursor that shows the values of a place on hover and on the arrow
 * keys. All positions are in percent, so that no width must be measured.
 */
export const Plot = ({ title, summary, grid, places, xOf, maxTicks = 5, children }: Props) => {
  const [read, setRead] = useState<number | null>(null)
  const top = grid.at(-1) ?? 1
  const at = read === null ? undefined : places[read]
  return (
    <>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 pt-2">
        <Scale grid={grid} top={top} />
        <div className="relative h-40">
          <svg
            role="img"
            aria-label={`${title} : ${summary}`}
            className="size-full overflow-visible"
          >
            {grid.map((value) => (
              <line
                key={value}
                x2="100%"
                y1={`${100 - percentOf(value, top)}%`}
                y2={`${100 - percentOf(value, top)}%`}
                className={value === 0 ? 'stroke-field' : 'stroke-line'}
              />
            ))}
            {at && read !== null && (
              <line x1={`${xOf(read)}%`} x2={`${xOf(read)}%`} y2="100%" className="stroke-ink-2" />
            )}
            {children}
          </svg>
          {places.length > 1 && (
            <ValueCursor title={title} places={places} xOf={xOf} read={read} onRead={setRead} />
          )}
        </div>
        <Ticks places={places} xOf={xOf} maxTicks={maxTicks} />
      </div>
      <p aria-hidden="true" className="min-h-4 text-xs text-ink-2 tabular-nums print:hidden">
        {at?.valueText}
      </p>
    </>
  )
}

const Scale = ({ grid, top }: { grid: readonly number[]; top: number }) => (
  <div aria-hidden="true" className="relative text-right text-xs text-ink-3 tabular-nums">
    <span className="invisible">{formatNumber(top)}</span>
    {grid.map((value) => (
      <span
        key={value}
        className="absolute right-0 translate-y-1/2"
        style={{ bottom: `${percentOf(value, top)}%` }}
      >
        {formatNumber(value)}
      </span>
    ))}
  </div>
)

const Ticks = ({
  places,
  xOf,
  maxTicks,
}: {
  places: readonly Place[]
  xOf: (rank: number) => number
  maxTicks: number
}) => {
  const ranks = labelledIndexes(places.length, maxTicks)
  return (
    <div aria-hidden="true" className="relative col-start-2 mt-1 h-4 text-xs text-ink-2">
      {ranks.map((rank) => (
        <span
          key={rank}
          className={`absolute whitespace-nowrap ${shiftOf(xOf(rank))}`}
          style={{ left: `${xOf(rank)}%` }}
        >
          {places[rank]?.tick}
        </span>
      ))}
    </div>
  )
}

/** Shifts a tick near an edge inwards. */
const shiftOf = (x: number): string => {
  if (x < 3) return ''
  return x > 97 ? '-translate-x-full' : '-translate-x-1/2'
}

type ValueCursorProps = Pick<Props, 'title' | 'places' | 'xOf'> & {
  read: number | null
  onRead: (rank: number | null) => void
}

/** Renders a range input that selects a value of the chart, because the browser's slider brings keys, touch and announcements. */
const ValueCursor = ({ title, places, xOf, read, onRead }: ValueCursorProps) => {
  const last = places.length - 1
  const value = read ?? last
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent<HTMLInputElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const share = width === 0 ? 0 : (clientX - left) / width
    onRead(Math.round(Math.max(0, Math.min(1, share)) * last))
  }
  return (
    <input
      type="range"
      min={0}
      max={last}
      step={1}
      value={value}
      aria-label={`Lire « ${title} »`}
      aria-valuetext={places[value]?.valueText}
      className="chart-reader absolute inset-y-0 print:hidden"
      style={{ left: `${xOf(0)}%`, width: `${xOf(last) - xOf(0)}%` }}
      onChange={(event) => onRead(Number(event.currentTarget.value))}
      onFocus={() => onRead(value)}
      onBlur={() => onRead(null)}
      onPointerMove={onPointerMove}
      onPointerLeave={() => onRead(null)}
    />
  )
}
