import type { Arrow } from './page-jumps.ts'

/** Of the gutter in which the arrows are drawn, in pixels. */
const LANE = 5
const TIP = 4
/** More lanes are drawn one on the other. */
const LANES = 4

/** The room that these arrows take beside the list, in pixels. */
export const gutterOf = (arrows: readonly Arrow[]): number =>
  arrows.length === 0 ? 0 : (1 + widest(arrows)) * LANE + TIP + 2

const widest = (arrows: readonly Arrow[]): number =>
  Math.min(LANES - 1, Math.max(...arrows.map(({ lane }) => lane)))

/** Arrows from row to row of a list whose rows are all as high as each other; words beside them say the same. */
export const OutlineArrows = ({ arrows, rows }: { arrows: readonly Arrow[]; rows: number }) => {
  const width = gutterOf(arrows)
  const middleOf = (row: number, share: number): string => `${((row + share) / rows) * 100}%`
  return (
    <svg
      aria-hidden="true"
      width={width}
      className="pointer-events-none absolute inset-y-0 left-0 h-full overflow-visible text-ink-3"
    >
      {arrows.map(({ from, to, lane }) => {
        const x = (1 + widest(arrows) - Math.min(lane, LANES - 1)) * LANE - LANE / 2
        // What begins and what ends on a row do not meet there.
        const [start, end] = [middleOf(from, 0.6), middleOf(to, 0.4)]
        return (
          <g key={`${from} ${to}`} stroke="currentColor" strokeWidth={1.5} strokeLinecap="round">
            <line x1={width - 1} x2={x} y1={start} y2={start} />
            <line x1={x} x2={x} y1={start} y2={end} />
            <line x1={x} x2={width - 1} y1={end} y2={end} />
            <svg x={width - 1} y={end} overflow="visible" role="presentation">
              <path d={`M${-TIP},${-TIP} L0,0 L${-TIP},${TIP}`} fill="none" />
            </svg>
          </g>
        )
      })}
    </svg>
  )
}
