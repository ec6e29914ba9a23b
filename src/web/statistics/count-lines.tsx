import { distinctKeys } from './distinct-keys.ts'
import './statistics.css'

export type CountLine = { text: string; count: number; percentage: number }

/** Texts with their counts and bars; the largest are bold. */
export const CountLines = ({
  lines,
  formatCount,
}: {
  lines: readonly CountLine[]
  formatCount: (line: CountLine) => string
}) => {
  const keys = distinctKeys(lines.map(({ text }) => text))
  const counts = lines.map(({ count }) => count)
  const most = Math.max(...counts)
  // Where all counts are equal, none is bold.
  const isBest = (count: number): boolean => count === most && Math.min(...counts) < most
  return (
    <ul className="mt-3 flex flex-col gap-3">
      {lines.map((line, index) => (
        <li key={keys[index]}>
          <p
            className={`flex flex-wrap items-baseline justify-between gap-x-4 ${isBest(line.count) ? 'font-semibold' : ''}`}
          >
            <span className="min-w-0 wrap-anywhere">{line.text}</span>
            <span className="ml-auto text-ink-2 tabular-nums">{formatCount(line)}</span>
          </p>
          <Bar percentage={line.percentage} />
        </li>
      ))}
    </ul>
  )
}

const Bar = ({ percentage }: { percentage: number }) => (
  <div aria-hidden="true" className="mt-1 h-2 overflow-hidden rounded-full bg-press">
    <div
      className="statistics-bar h-full rounded-full bg-brand"
      style={{ width: `${percentage}%` }}
    />
  </div>
)
