import { Check } from 'lucide-react'
import { distinctKeys } from '#web/statistics/format/distinct-keys.ts'
import { fillClass } from '#web/ui/result-colors.ts'
import { Toolbar } from '#web/ui/rich-text/toolbar.tsx'
import { percentOf } from './geometry.ts'
import { Swatch } from './plot.tsx'
import './charts.css'

/** A line of a bar chart. */
export type BarLine = {
  text: string
  /** Remark in small letters below the text. */
  note?: string | undefined
  count: number
  /** The text at the end of the line. */
  figureText: string
  /** Index of the data colour; undefined for a figure without a result. */
  color?: number
  /** The filter that a tap toggles; undefined if the line cannot filter. */
  filter?: { isOn: boolean; toggle: () => void } | undefined
}

type Props = {
  lines: readonly BarLine[]
  /** The count that a full bar stands for. */
  total: number
  /** Accessible name of the lines that filter: 'Filtrer par résultat'. */
  toolbarLabel: string
  /** True if no line is bold, for figures whose maximum has no special importance. */
  isPlain?: boolean
}

/**
 * Renders texts with their counts, each over a bar; the largest are bold unless `isPlain` is true. The list serves as its own table. Lines
 * that filter form one Tab stop, with arrows between them.
 */
export const BarChart = ({ lines, total, toolbarLabel, isPlain = false }: Props) => {
  const list = <List lines={lines} total={total} isPlain={isPlain} />
  return lines.some(({ filter }) => filter) ? (
    <Toolbar label={toolbarLabel} isVertical>
      {list}
    </Toolbar>
  ) : (
    list
  )
}

const List = ({ lines, total, isPlain }: Pick<Props, 'lines' | 'total' | 'isPlain'>) => {
  const keys = distinctKeys(lines.map(({ text }) => text))
  const counts = lines.map(({ count }) => count)
  const max_count = Math.max(...counts)
  // All lines are plain if all counts are equal.
  const isLargest = (count: number): boolean =>
    !isPlain && count === max_count && Math.min(...counts) < max_count
  return (
    <ul className="mt-2 flex w-full min-w-0 flex-col">
      {lines.map((line, index) => (
        <li key={keys[index]} className="break-inside-avoid">
          <Line
            line={line}
            isLargest={isLargest(line.count)}
            share={percentOf(line.count, total)}
          />
        </li>
      ))}
    </ul>
  )
}

const LINE = 'flex w-full flex-col gap-1 rounded-md py-1.5 text-left'

const Line = ({ line, isLargest, share }: { line: BarLine; isLargest: boolean; share: number }) => {
  const { text, note, figureText, color, filter } = line
  const content = (
    <>
      <span
        className={`flex flex-wrap items-baseline justify-between gap-x-4 ${isLargest ? 'font-semibold' : ''}`}
      >
        <span className="flex min-w-0 items-baseline gap-2 wrap-anywhere">
          {color !== undefined && <Swatch color={color} />}
          <span dir="auto">
            {text}
            {note && <span className="block text-xs font-normal text-ink-2">{note}</span>}
          </span>
        </span>
        <span className="ml-auto flex items-center gap-1 text-ink-2 tabular-nums">
          {filter?.isOn && <Check aria-hidden="true" className="size-4 text-brand" />}
          {figureText}
        </span>
      </span>
      <Bar share={share} color={color ?? 0} />
    </>
  )
  return filter ? (
    <button
      type="button"
      aria-pressed={filter.isOn}
      onClick={filter.toggle}
      className={`${LINE} -mx-2 w-[calc(100%+1rem)] px-2 hover:bg-press aria-pressed:bg-brand-wash pointer-coarse:min-h-11`}
    >
      {content}
    </button>
  ) : (
    <div className={LINE}>{content}</div>
  )
}

/** Filled shapes, because printers leave out backgrounds. */
const Bar = ({ share, color }: { share: number; color: number }) => (
  <svg aria-hidden="true" className="block h-2.5 w-full">
    <rect width="100%" height="100%" rx={4} className="fill-press" />
    {share > 0 && (
      <rect width={`${share}%`} height="100%" rx={4} className={`chart-bar ${fillClass(color)}`} />
    )}
  </svg>
)
