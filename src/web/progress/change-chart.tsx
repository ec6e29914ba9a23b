import type { ShownMeasure } from '#contract/progress.ts'
import {
  changePointsText,
  describeChange,
  intervalText,
  meanText,
  peopleCountText,
  TOO_FEW_PEOPLE,
} from '#domain/progress/change-texts.ts'
import { ChartTable } from '#web/statistics/charts/chart-table.tsx'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'

/** Line of the chart: a measure of all people or of a group. */
export type ChangeLine = { label: string; measure: Omit<ShownMeasure, 'name'> }

/** Changes of percentages in points. */
const MAX_CHANGE = 100
/** Smallest half width of the axis, so that small changes do not look large. */
const MIN_AXIS = 20

/** Returns the largest change that the axis must show, in steps of ten points. */
const axisOf = (lines: readonly ChangeLine[]): number => {
  const ends = lines.flatMap(({ measure: { change } }) =>
    change ? [Math.abs(change.low), Math.abs(change.high)] : [],
  )
  return Math.min(MAX_CHANGE, Math.max(MIN_AXIS, Math.ceil(Math.max(0, ...ends) / 10) * 10))
}

/**
 * Renders changes as a list: each has its figures in words, and a line from the lower to the upper end of its interval with
 * a dot at the mean. The drawing is hidden from screen readers, because the words have the same figures.
 */
export const ChangeChart = ({ title, lines }: { title: string; lines: readonly ChangeLine[] }) => {
  const axis = axisOf(lines)
  const keys = distinctKeys(lines.map(({ label }) => label))
  return (
    <figure aria-label={title} className="flex flex-col gap-2">
      <ul className="flex flex-col gap-3">
        {lines.map(({ label, measure }, index) => (
          <li key={keys[index]} className="flex flex-col gap-1">
            <Words label={label} measure={measure} />
            {measure.change && <Interval change={measure.change} axis={axis} />}
          </li>
        ))}
      </ul>
      <p aria-hidden="true" className="flex justify-between text-xs text-ink-2">
        <span>{changePointsText(-axis)}</span>
        <span>0</span>
        <span>{changePointsText(axis)}</span>
      </p>
      <ChartTable
        title={title}
        heads={['', 'Avant', 'Après', 'Évolution', 'Intervalle à 95 %', 'Personnes']}
        rows={lines.map(({ label, measure }) => ({ head: label, cells: cellsOf(measure) }))}
      />
    </figure>
  )
}

const cellsOf = ({ change, ...counts }: ChangeLine['measure']): string[] => {
  const people = peopleCountText(counts)
  if (!change) return ['', '', TOO_FEW_PEOPLE, '', people]
  return [
    ...[meanText(change.before_mean), meanText(change.after_mean)],
    ...[changePointsText(change.mean), intervalText(change), people],
  ]
}

const Words = ({ label, measure }: ChangeLine) => {
  const { value, detail } = describeChange(measure)
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="font-medium wrap-anywhere" dir="auto">
        {label}
      </span>
      <span className={measure.change ? 'font-semibold tabular-nums' : 'text-ink-2'}>{value}</span>
      <span className="w-full text-sm text-ink-2">{detail}</span>
    </p>
  )
}

/** Draws an interval on an axis from -`axis` to `axis` points. */
const Interval = ({
  change: { low, mean, high },
  axis,
}: {
  change: NonNullable<ShownMeasure['change']>
  axis: number
}) => {
  const placeOf = (points: number): string => `${((points + axis) / (2 * axis)) * 100}%`
  return (
    <svg aria-hidden="true" className="block h-4 w-full overflow-visible">
      <line x1="0%" x2="100%" y1="50%" y2="50%" className="stroke-line" />
      <line x1="50%" x2="50%" y1="0%" y2="100%" className="stroke-ink-3" />
      <line
        x1={placeOf(low)}
        x2={placeOf(high)}
        y1="50%"
        y2="50%"
        strokeWidth={4}
        strokeLinecap="round"
        className="stroke-brand"
      />
      <circle cx={placeOf(mean)} cy="50%" r={5} className="fill-brand stroke-paper" />
    </svg>
  )
}
