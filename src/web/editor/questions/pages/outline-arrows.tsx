import type { Arrow } from '#web/editor/questions/draft/page-jumps.ts'
import { ARROW_TIP_PX, LANE_WIDTH_PX } from './outline-lanes.ts'

/** Draws arrows between rows of equal height. Hidden from screen readers, because texts state the same jumps. */
const OutlineArrows = ({
  arrows,
  rows,
  width,
  lanes,
}: {
  arrows: readonly Arrow[]
  rows: number
  /** Width of the gutter, in pixels. */
  width: number
  /** Number of lanes in the gutter. */
  lanes: number
}) => {
  const middleOf = (row: number, share: number): string => `${((row + share) / rows) * 100}%`
  return (
    <svg
      aria-hidden="true"
      width={width}
      className="pointer-events-none absolute inset-y-0 left-0 h-full overflow-visible text-ink-3"
    >
      {arrows.map(({ from, to, lane }) => {
        const x = (lanes - Math.min(lane, lanes - 1)) * LANE_WIDTH_PX - LANE_WIDTH_PX / 2
        // Arrows that start and end on one row are drawn at different heights.
        const [start, end] = [middleOf(from, 0.6), middleOf(to, 0.4)]
        return (
          <g key={`${from} ${to}`} stroke="currentColor" strokeWidth={1.5} strokeLinecap="round">
            <line x1={width - 1} x2={x} y1={start} y2={start} />
            <line x1={x} x2={x} y1={start} y2={end} />
            <line x1={x} x2={width - 1} y1={end} y2={end} />
            <svg x={width - 1} y={end} overflow="visible" role="presentation">
              <path
                d={`M${-ARROW_TIP_PX},${-ARROW_TIP_PX} L0,0 L${-ARROW_TIP_PX},${ARROW_TIP_PX}`}
                fill="none"
              />
            </svg>
          </g>
        )
      })}
    </svg>
  )
}

export default OutlineArrows
