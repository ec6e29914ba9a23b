import type { CSSProperties } from 'react'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import { formatNumber, formatPercentageOf, formatShare } from '#web/statistics/format/format.ts'
import { resultColorStyle } from '#web/ui/result-colors.ts'
import { ChartTable } from './chart-table.tsx'
import { percentOf } from './geometry.ts'
import './charts.css'

/** `count` is the total of the column. */
type Column = { text: string; count: number; color: number }
type Row = { text: string; counts: readonly number[] }
type Props = {
  /** The accessible name of the table, and the heading of its rows. */
  title: string
  /** Name of what the columns show. */
  noun: string
  /** Columns, each with its data colour. */
  columns: readonly Column[]
  /** Rows, each with its counts by column. */
  rows: readonly Row[]
}

/** A Tab stop, so that the arrow keys scroll a wide table. */
const TAB_STOP = 0

/**
 * Renders how each column is distributed over the rows. Each share is written, and a larger share has a stronger
 * colour.
 */
export const Heatmap = ({ title, noun, columns, rows }: Props) => (
  <figure className="flex min-w-0 flex-col gap-2">
    <section
      aria-label={`Image : ${noun}`}
      tabIndex={TAB_STOP}
      className="max-w-full overflow-x-auto rounded-lg"
    >
      <Picture title={title} noun={noun} columns={columns} rows={rows} />
    </section>
    <ChartTable
      title={title}
      heads={[noun, ...columns.map(({ text }) => text)]}
      rows={rows.map(({ text, counts }) => ({
        head: text,
        cells: columns.map(
          ({ count }, rank) =>
            `${formatShare(counts[rank] ?? 0, count)} · ${formatPercentageOf(counts[rank] ?? 0, count)}`,
        ),
      }))}
    />
  </figure>
)

const Picture = ({ title, noun, columns, rows }: Props) => {
  const column_keys = distinctKeys(columns.map(({ text }) => text))
  const row_keys = distinctKeys(rows.map(({ text }) => text))
  const nb_columns: CSSProperties & Record<'--columns', number> = { '--columns': columns.length }
  return (
    <div
      role="img"
      aria-label={`${title} : ${summarise(columns, rows)}`}
      className="heat-grid text-sm"
      style={nb_columns}
    >
      <span className="self-end pr-2 text-xs font-medium text-ink-2 wrap-anywhere" dir="auto">
        {noun}
      </span>
      {columns.map(({ text, count }, rank) => (
        <span
          key={column_keys[rank]}
          className="self-end px-1 py-1.5 text-center text-xs font-medium text-ink-2 wrap-anywhere"
          dir="auto"
        >
          {text}
          <span className="block font-normal text-ink-3 tabular-nums">{formatNumber(count)}</span>
        </span>
      ))}
      {rows.flatMap(({ text, counts }, index) => [
        <span key={row_keys[index]} className="self-center py-1.5 pr-2 wrap-anywhere" dir="auto">
          {text}
        </span>,
        ...columns.map(({ count: all, color }, rank) => (
          <span
            key={`${row_keys[index]} ${column_keys[rank]}`}
            className="heat-cell flex min-h-9 items-center justify-center rounded-md tabular-nums"
            style={heatOf(color, percentOf(counts[rank] ?? 0, all))}
          >
            {formatPercentageOf(counts[rank] ?? 0, all)}
          </span>
        )),
      ])}
    </div>
  )
}

/** Returns the style of a cell. charts.css mixes its colour so that the text stays readable. */
const heatOf = (color: number, share: number): CSSProperties & Record<`--${string}`, string> => ({
  ...resultColorStyle(color),
  '--share': `${Math.round(share)}`,
})

/** Returns a sentence about the column in which one row has the largest share. */
const summarise = (columns: readonly Column[], rows: readonly Row[]): string => {
  const cells = rows.flatMap((row) =>
    columns.map((column, rank) => ({
      row,
      column,
      count: row.counts[rank] ?? 0,
    })),
  )
  const largest = cells.reduce<(typeof cells)[number] | undefined>(
    (largest, cell) =>
      largest &&
      percentOf(largest.count, largest.column.count) >= percentOf(cell.count, cell.column.count)
        ? largest
        : cell,
    undefined,
  )
  return largest
    ? `la plus forte part est « ${largest.row.text} » avec ${formatPercentageOf(largest.count, largest.column.count)} de « ${largest.column.text} »`
    : ''
}
