import type { DimensionChart as ChartKind } from '#domain/common/vocabulary.ts'

/** Dimension with its percentage in a run. */
export type ChartedDimension = { id: string; name: string; percent: number }

/** Number of dimensions from which a radar has an area. */
export const MIN_RADAR_DIMENSIONS = 3

const SIZE = 200
const RADIUS = 78
const RINGS = [25, 50, 75, 100]
/** Distance of the numbers from the centre, in percent of the radius. */
const NUMBERS_AT = 116

type Point = { x: number; y: number }

/** Returns the point of an axis at a percentage of the radius. The first axis goes up, the others follow clockwise. */
const pointOf = (rank: number, count: number, percent: number): Point => {
  const angle = (2 * Math.PI * rank) / count - Math.PI / 2
  const length = (RADIUS * percent) / 100
  const at = (part: number): number => Math.round((SIZE / 2 + length * part) * 10) / 10
  return { x: at(Math.cos(angle)), y: at(Math.sin(angle)) }
}

const polygonOf = (percents: readonly number[]): string =>
  percents
    .map((percent, rank) => pointOf(rank, percents.length, percent))
    .map(({ x, y }) => `${x},${y}`)
    .join(' ')

/**
 * Renders the percentages as a radar whose axes have the numbers of the list. SVG attributes are used because pages
 * allow no style attribute, and because paper shows them.
 */
const Radar = ({ dimensions }: { dimensions: readonly ChartedDimension[] }) => {
  const count = dimensions.length
  return (
    <svg className="q-radar" viewBox={`0 0 ${SIZE} ${SIZE}`} width="100%" aria-hidden="true">
      <g fill="none" stroke="currentColor" opacity="0.35">
        {RINGS.map((percent) => (
          <polygon key={percent} points={polygonOf(dimensions.map(() => percent))} />
        ))}
        {dimensions.map(({ id }, rank) => {
          const { x, y } = pointOf(rank, count, 100)
          return <line key={id} x1={SIZE / 2} y1={SIZE / 2} x2={x} y2={y} />
        })}
      </g>
      <polygon
        points={polygonOf(dimensions.map(({ percent }) => percent))}
        fill="currentColor"
        opacity="0.25"
      />
      <polygon
        points={polygonOf(dimensions.map(({ percent }) => percent))}
        fill="none"
        stroke="currentColor"
      />
      {dimensions.map(({ id, percent }, rank) => {
        const { x, y } = pointOf(rank, count, percent)
        return <circle key={id} cx={x} cy={y} r="3" fill="currentColor" />
      })}
      {dimensions.map(({ id }, rank) => {
        const { x, y } = pointOf(rank, count, NUMBERS_AT)
        const text = `${rank + 1}`
        // Digits are about 9 units wide and 12 high.
        return (
          <text key={id} x={x - text.length * 4.5} y={y + 5.5} fill="currentColor">
            {text}
          </text>
        )
      })}
    </svg>
  )
}

const Bar = ({ percent }: { percent: number }) => (
  <svg className="q-bar" width="100%" height="8" aria-hidden="true">
    <rect width="100%" height="100%" fill="currentColor" opacity="0.15" />
    <rect width={`${percent}%`} height="100%" fill="currentColor" />
  </svg>
)

/**
 * Renders a chart of percentages of dimensions, with a list of the same figures for screen readers. Renders
 * nothing if the quiz has no chart; fewer than three dimensions are drawn as bars.
 */
export const DimensionChart = ({
  chart,
  dimensions,
}: {
  chart: ChartKind
  dimensions: readonly ChartedDimension[]
}) => {
  if (chart === 'none' || dimensions.length === 0) return null
  const isRadar = chart === 'radar' && dimensions.length >= MIN_RADAR_DIMENSIONS
  return (
    <div className="q-dimensions">
      {isRadar && <Radar dimensions={dimensions} />}
      <ol>
        {dimensions.map(({ id, name, percent }) => (
          <li key={id}>
            <span dir="auto">{name}</span> <b>{`${percent}\u00a0%`}</b>
            {!isRadar && <Bar percent={percent} />}
          </li>
        ))}
      </ol>
    </div>
  )
}
