/** @jsxImportSource #web/player */
import type { ResultDetail } from '#domain/run/result-detail.ts'
import './result-breakdown.css'

const formatTotal = (total: number): string => total.toLocaleString('fr-FR')

type Part = { start?: number; end: number }

/**
 * Renders parts of a scale from 0 to 1, and a mark on it. SVG attributes are used because the page's policy allows no
 * style attribute, and because paper shows them.
 */
export const Bar = ({ parts, mark }: { parts: Part[]; mark?: number }) => (
  <svg className="q-bar" aria-hidden="true">
    {parts.map(({ start = 0, end }, index) => (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a bar never move
        key={index}
        x={`${start * 100}%`}
        width={`${(end - start) * 100}%`}
        height="100%"
        opacity={(index + 1) / parts.length}
      />
    ))}
    {mark !== undefined && <circle cx={`${mark * 100}%`} cy="50%" r="8" />}
  </svg>
)

/** Renders how a result was computed: its total among the tiers, or the share of each profile. */
export const ResultBreakdown = ({
  detail,
  results,
}: {
  detail: ResultDetail
  /** The results that the page shows. */
  results: readonly ({ id: string } | null)[]
}) => (
  <section className="q-detail" aria-label="Détail du résultat">
    {detail.kind === 'score' && (
      <>
        <p>
          <b>{formatTotal(detail.total)}</b>
          {` sur ${formatTotal(detail.maximum)}`}
        </p>
        <Bar parts={detail.rows} mark={detail.position} />
      </>
    )}
    <ul>
      {detail.rows.map((row) => (
        <li
          key={row.id}
          aria-current={results.some((result) => result?.id === row.id) || undefined}
        >
          <span dir="auto">{row.name}</span>{' '}
          <span>
            {'percent' in row
              ? `${row.percent}\u00a0%`
              : formatTotal(row.from) + (row.from < row.to ? ` à ${formatTotal(row.to)}` : '')}
          </span>
          {'percent' in row && <Bar parts={[{ end: row.percent / 100 }]} />}
        </li>
      ))}
    </ul>
  </section>
)
