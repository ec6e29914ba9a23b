import { ArrowDown, ArrowUp } from 'lucide-react'

/** Column of a table. */
export type TableColumn = {
  /** Title, which differs from those of the other columns unless there is a `key`. */
  title: string
  key?: string | undefined
  /** True if the column has numbers that are aligned to the right. */
  isRightAligned?: boolean
  /** Present if the rows can be sorted by the column; `order` is set if they are. */
  sort?: { order: 'asc' | 'desc' | undefined; onSort: () => void } | undefined
}

/** Renders the head of a table. `className` sets the padding and the background of each title. */
export const TableHead = ({
  columns,
  className,
}: {
  columns: readonly TableColumn[]
  className: string
}) => (
  <thead>
    <tr>
      {columns.map(({ title, key = title, isRightAligned, sort }) => (
        <th
          key={key}
          scope="col"
          dir="auto"
          aria-sort={sort?.order && ARIA_SORT[sort.order]}
          className={`${className} ${isRightAligned ? 'text-right' : 'text-left'} font-medium text-ink-2`}
        >
          {sort ? <SortButton title={title} {...sort} /> : title}
        </th>
      ))}
    </tr>
  </thead>
)

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

/** Renders a sort button for pointers only, because keyboard users have the sort field above the table. */
const SortButton = ({
  title,
  order,
  onSort,
}: { title: string } & NonNullable<TableColumn['sort']>) => {
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={onSort}
      className="-mx-1 inline-flex items-center gap-1 rounded-md px-1 font-medium hover:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
    >
      {title}
      {order && <Arrow aria-hidden="true" className="size-3.5" />}
    </button>
  )
}
