/** @jsxImportSource #web/player */
import {
  changeText,
  hasRadar,
  type OwnChange,
  type OwnProgress,
  pointsText,
  progressLegend,
} from '#domain/progress/own-progress.ts'
import {
  RADAR_LABELS_AT,
  RADAR_RINGS,
  radarPoint,
  radarPolygon,
  radarViewBox,
} from '#domain/run/radar.ts'

/** Style of the changes on the page of a participant. */
export const OWN_PROGRESS_STYLE = [
  '.q-changes svg{display:block;width:100%;max-width:24rem;margin:1rem auto;overflow:visible}',
  '.q-changes polygon,.q-changes line{fill:none;stroke:var(--q-line);stroke-width:.5}',
  '.q-changes .q-then{stroke:currentColor;stroke-width:2;stroke-dasharray:5 4}',
  '.q-changes .q-now{fill:var(--q-mark);fill-opacity:.25;stroke:var(--q-mark);stroke-width:2}',
  '.q-changes text{fill:currentColor;font-size:14px;font-weight:600;text-anchor:middle;dominant-baseline:central}',
  '.q-changes ol{padding-left:2rem}.q-changes li{margin-top:.75rem}',
  '@media (forced-colors:active){.q-changes svg{--q-mark:Highlight;--q-line:CanvasText;forced-color-adjust:none;color:CanvasText}}',
].join('')

/** Renders both runs as radars, hidden from screen readers because the list has the same figures. */
const Radars = ({ changes }: { changes: readonly OwnChange[] }) => (
  <svg viewBox={radarViewBox(changes.length)} aria-hidden="true">
    {RADAR_RINGS.map((ring) => (
      <polygon key={ring} points={radarPolygon(changes.map(() => ring))} />
    ))}
    <polygon className="q-now" points={radarPolygon(changes.map(({ after }) => after))} />
    <polygon className="q-then" points={radarPolygon(changes.map(({ before }) => before))} />
    {changes.map(({ name }, axis) => {
      const [x, y] = radarPoint(axis, changes.length, 100)
      const [label_x, label_y] = radarPoint(axis, changes.length, RADAR_LABELS_AT)
      return (
        <g key={name}>
          <line x2={x} y2={y} />
          <text x={label_x} y={label_y}>
            {axis + 1}
          </text>
        </g>
      )
    })}
  </svg>
)

/** Renders the dimensions of a person before and after, with a chart if there are enough for radars. */
export const OwnProgressFigures = ({ progress }: { progress: OwnProgress }) => (
  <div className="q-changes">
    <p>{progressLegend(progress)}</p>
    {hasRadar(progress) && <Radars changes={progress.changes} />}
    <ol>
      {progress.changes.map((change) => (
        <li key={change.name}>
          <span dir="auto">{change.name}</span> : <b>{changeText(change)}</b> ({pointsText(change)})
        </li>
      ))}
    </ol>
  </div>
)
