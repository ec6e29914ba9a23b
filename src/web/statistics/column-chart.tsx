import { useState } from 'react'
import { distinctKeys } from './distinct-keys.ts'

type Column = { label: string; count: number }
type Props = {
  /** The accessible name of the chart. */
  title: string
  /** Heading of the first column of the table. */
  of: string
  columns: readonly Column[]
}

const HEIGHT = 100
const WIDTH = 10
const GAP = 1.5
/** Width of one column in percent, while the chart has few. */
const SHARE = 12

/** Counts as columns, and as a table that can be opened. */
export const ColumnChart = ({ title, of, columns }: Props) => {
  const most = Math.max(1, ...columns.map(({ count }) => count))
  const keys = distinctKeys(columns.map(({ label }) => label))
  const heightOf = (count: number): number =>
    count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT)
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <div className="min-w-32" style={{ width: `${Math.min(100, columns.length * SHARE)}%` }}>
        <p aria-hidden="true" className="text-xs text-ink-3 tabular-nums">
          {most}
        </p>
        <svg
          role="img"
          aria-label={`${title} : ${inWords(columns)}`}
          viewBox={`0 0 ${columns.length * WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-32 w-full border-b border-field text-brand"
        >
          {columns.map(({ label, count }, index) => (
            <rect
              key={keys[index]}
              x={index * WIDTH + GAP / 2}
              y={HEIGHT - heightOf(count)}
              width={WIDTH - GAP}
              height={heightOf(count)}
              fill="currentColor"
            >
              <title>{`${label} : ${count}`}</title>
            </rect>
          ))}
        </svg>
        <div aria-hidden="true" className="flex justify-between gap-4 text-xs text-ink-3">
          <span>{columns[0]?.label}</span>
          {columns.length > 1 && <span className="text-right">{columns.at(-1)?.label}</span>}
        </div>
      </div>
      <AsTable title={title} of={of} columns={columns} />
    </figure>
  )
}

const inWords = (columns: readonly Column[]): string => {
  const best = columns.reduce<Column | undefined>(
    (most, column) => (most && most.count >= column.count ? most : column),
    undefined,
  )
  return best
    ? `${columns.length} colonnes, la plus haute « ${best.label} » avec ${best.count}`
    : ''
}

const CELL = 'border-t border-line px-3 py-1.5 text-left font-normal'

const AsTable = ({ title, of, columns }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const keys = distinctKeys(columns.map(({ label }) => label))
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-6 w-fit text-brand">Voir en tableau</summary>
      {isOpen && (
        <div className="mt-2 max-h-72 w-fit max-w-full overflow-auto rounded-lg border border-line">
          <table className="text-sm">
            <caption className="sr-only">{title}</caption>
            <thead>
              <tr>
                <th scope="col" className="px-3 py-1.5 text-left font-medium text-ink-2">
                  {of}
                </th>
                <th scope="col" className="px-3 py-1.5 text-left font-medium text-ink-2">
                  Participants
                </th>
              </tr>
            </thead>
            <tbody>
              {columns.map(({ label, count }, index) => (
                <tr key={keys[index]}>
                  <th scope="row" className={CELL}>
                    {label}
                  </th>
                  <td className={`${CELL} tabular-nums`}>{count}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}
