/** @jsxImportSource #web/player */
import type { Replies } from '#domain/questionnaire/quiz.ts'
import { formatPercent, type ShownDimension, shownDimensions } from '#domain/run/dimensions.ts'
import {
  MIN_RADAR_AXES,
  RADAR_LABELS_AT,
  RADAR_RINGS,
  radarPoint,
  radarPolygon,
  radarViewBox,
} from '#domain/run/radar.ts'
import type { Insertions, RichSnapshot, RichText } from '#domain/run/rich-text.ts'
import { CreatorText } from '#web/player/content/texts.tsx'
import { Bar } from './result-breakdown.tsx'
import './dimensions.css'

/**
 * Renders percentages as a radar chart, hidden from screen readers because the list has the same figures. Axes have
 * the numbers of the list, so that long names never overlap.
 */
const Radar = ({ percents }: { percents: readonly number[] }) => (
  <svg className="q-radar" viewBox={radarViewBox(percents.length)} aria-hidden="true">
    {RADAR_RINGS.map((ring) => (
      <polygon
        key={ring}
        className="q-radar-ring"
        points={radarPolygon(percents.map(() => ring))}
      />
    ))}
    <polygon className="q-radar-shape" points={radarPolygon(percents)} />
    {percents.map((percent, axis) => {
      const [x, y] = radarPoint(axis, percents.length, 100)
      const [label_x, label_y] = radarPoint(axis, percents.length, RADAR_LABELS_AT)
      const [dot_x, dot_y] = radarPoint(axis, percents.length, percent)
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the axes of a chart never move
        <g key={axis}>
          <line className="q-radar-ring" x2={x} y2={y} />
          <circle cx={dot_x} cy={dot_y} r="4" />
          <text x={label_x} y={label_y}>
            {axis + 1}
          </text>
        </g>
      )
    })}
  </svg>
)

/** Renders the texts of a dimension below its name; null if it has none. */
const Texts = ({
  dimension: { name, percent, tier, description },
  insertions,
}: {
  dimension: ShownDimension<RichText>
  insertions: Insertions | null
}) =>
  tier?.text || description ? (
    <div className="q-dimension">
      <h2 dir="auto">{name}</h2>
      <p dir="auto">
        <b>{formatPercent(percent)}</b>
        {tier && ` : ${tier.title}`}
      </p>
      {tier?.text && <CreatorText text={tier.text} insertions={insertions} />}
      {description && <CreatorText text={description} insertions={insertions} />}
    </div>
  ) : null

/**
 * Renders the dimensions of a run: a list of their percentages and tiers with a chart, then their texts. Null if the run
 * shows no dimension.
 */
export const Dimensions = ({
  snapshot,
  replies,
  insertions,
}: {
  snapshot: RichSnapshot
  replies: Replies
  insertions: Insertions | null
}) => {
  const dimensions = shownDimensions(snapshot, replies)
  if (dimensions.length === 0) return null
  const { dimension_chart = 'bars' } = snapshot.quiz
  const isRadar = dimension_chart === 'radar' && dimensions.length >= MIN_RADAR_AXES
  const hasBars = dimension_chart !== 'none' && !isRadar
  return (
    <section className="q-dimensions" aria-label="Résultat par dimension">
      {isRadar && <Radar percents={dimensions.map(({ percent }) => percent)} />}
      <ol className={isRadar ? 'q-numbered' : undefined}>
        {dimensions.map(({ id, name, percent, tier }) => (
          <li key={id}>
            <p>
              <span dir="auto">{name}</span> <b>{formatPercent(percent)}</b>
            </p>
            {hasBars && <Bar parts={[{ end: percent / 100 }]} />}
            {tier && <p dir="auto">{tier.title}</p>}
          </li>
        ))}
      </ol>
      {dimensions.map((dimension) => (
        <Texts key={dimension.id} dimension={dimension} insertions={insertions} />
      ))}
    </section>
  )
}
