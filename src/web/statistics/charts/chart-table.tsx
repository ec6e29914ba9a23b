import { useState } from 'react'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import { TableHead } from '#web/ui/table-head.tsx'

type TableRow = { head: string; cells: readonly string[] }
type Props = { title: string; heads: readonly string[]; rows: readonly TableRow[] }

const CELL = 'border-t border-line px-3 py-1.5 text-left font-normal'

/** Renders the data of a chart as a table that can be opened, for screen readers and for copying. */
export const ChartTable = ({ title, heads, rows }: Props) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="print:hidden" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-6 w-fit items-center text-brand pointer-coarse:min-h-11">
        Voir en tableau
      </summary>
      {isOpen && <OpenTable title={title} heads={heads} rows={rows} />}
    </details>
  )
}

/** A Tab stop, so that the arrow keys scroll a long table. */
const TAB_STOP = 0

const OpenTable = ({ title, heads, rows }: Props) => {
  const keys = distinctKeys(rows.map(({ head }) => head))
  const head_keys = distinctKeys(heads)
  return (
    <section
      aria-label={`${title} : tableau`}
      tabIndex={TAB_STOP}
      className="mt-2 max-h-72 w-fit max-w-full overflow-auto rounded-lg border border-line"
    >
      <table className="text-sm">
        <caption className="sr-only">{title}</caption>
        <TableHead
          columns={heads.map((title, rank) => ({ title, key: head_keys[rank] }))}
          className="px-3 py-1.5"
        />
        <tbody>
          {rows.map(({ head, cells }, index) => (
            <tr key={keys[index]}>
              <th scope="row" dir="auto" className={CELL}>
                {head}
              </th>
              {cells.map((cell, rank) => (
                <td key={head_keys[rank + 1]} className={`${CELL} tabular-nums`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
