import type { DimensionChart as ChartKind } from '#domain/common/vocabulary.ts'
import {
  MIN_RADAR_AXES,
  RADAR_LABELS_AT,
  RADAR_RINGS,
  radarPoint,
  radarPolygon,
  radarViewBox,
} from '#domain/run/radar.ts'

/** Dimension with its percentage in a run. */
export type ChartedDimension = { id: string; name: string; percent: number }

/**
 * Renders the percentages as a radar whose axes have the numbers of the list. Uses no class of the player, because
 * the preview on the same screen loads the style of these classes.
 */
const Radar = ({ dimensions }: { dimensions: readonly ChartedDimension[] }) => {
  const count = dimensions.length
  const shape = radarPolygon(dimensions.map(({ percent }) => percent))
  return (
    <svg data-chart="radar" viewBox={radarViewBox(count)} width="100%" aria-hidden="true">
      <g fill="none" stroke="currentColor" opacity="0.35">
        {RADAR_RINGS.map((ring) => (
          <polygon key={ring} points={radarPolygon(dimensions.map(() => ring))} />
        ))}
        {dimensions.map(({ id }, axis) => {
          const [x2, y2] = radarPoint(axis, count, 100)
          return <line key={id} x2={x2} y2={y2} />
        })}
      </g>
      <polygon points={shape} fill="currentColor" opacity="0.25" />
      <polygon points={shape} fill="none" stroke="currentColor" />
      {dimensions.map(({ id, percent }, axis) => {
        const [cx, cy] = radarPoint(axis, count, percent)
        return <circle key={id} cx={cx} cy={cy} r="4" fill="currentColor" />
      })}
      {dimensions.map(({ id }, axis) => {
        const [x, y] = radarPoint(axis, count, RADAR_LABELS_AT)
        return (
          <text
            key={id}
            x={x}
            y={y}
            fill="currentColor"
            textAnchor="middle"
            dominantBaseline="central"
          >
            {axis + 1}
          </text>
        )
      })}
    </svg>
  )
}

const Bar = ({ percent }: { percent: number }) => (
  <svg width="100%" height="8" aria-hidden="true">
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
  const isRadar = chart === 'radar' && dimensions.length >= MIN_RADAR_AXES
  return (
    <div>
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
