import type { ReactNode } from 'react'
import type { Replies, Result } from '#domain/questionnaire/quiz.ts'
import { resultColorStyle } from '#web/ui/result-colors.ts'
import { impossibilityReason, resultProbabilityLabel } from './odds-labels.ts'
import type { OddsReport } from './odds-report.ts'

/** Heading of the odds. */
export const ODDS_TITLE = 'Qui obtiendra quoi ?'
/** Message shown when the odds could not be computed. */
export const ODDS_FAILURE = 'Les chances n’ont pas pu être calculées'

/** Result with its odds, ready to be shown. */
export type OddsLine = {
  id: string
  name: string
  /** Probability of the result, from 0 to 1; 0 before the first report. */
  probability: number
  /** Probability as a French label. */
  share: string
  /** Reason why the result is impossible; undefined if it is possible. */
  reason: string | undefined
  example: Replies | null
}

/**
 * Shows each result with its probability as a coloured bar. `children` renders the content below a bar; an
 * impossible result shows the reason instead.
 */
export const OddsLines = ({
  results,
  report,
  children,
}: {
  /** Results shown until there is a report. */
  results: readonly Result[]
  report: OddsReport | null | undefined
  children?: (line: OddsLine) => ReactNode
}) => (
  <ul className="flex flex-col gap-3">
    {createLines(results, report).map((line, index) => (
      <li key={line.id} style={resultColorStyle(index)} className="flex flex-col gap-1 text-sm">
        <p className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 wrap-anywhere" dir="auto">
            {line.name}
          </span>
          <span className="shrink-0 font-medium tabular-nums">{line.share}</span>
        </p>
        <Bar share={line.probability} />
        {children && (
          <div
            className={`min-h-5 text-xs pointer-coarse:min-h-11 ${line.reason ? 'text-warn' : ''}`}
          >
            {line.reason ?? children(line)}
          </div>
        )}
      </li>
    ))}
  </ul>
)

const createLines = (
  results: readonly Result[],
  report: OddsReport | null | undefined,
): OddsLine[] => {
  if (!report)
    return results.map(({ id, name }) => ({
      id,
      name,
      probability: 0,
      share: '…',
      reason: undefined,
      example: null,
    }))
  const reasonsById = new Map(
    report.impossible_results.map(({ id, why }) => [id, sentence(impossibilityReason(why))]),
  )
  return report.odds.results.map((result) => ({
    ...result,
    share: resultProbabilityLabel(result, report),
    reason: reasonsById.get(result.id),
  }))
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/**
 * Draws a share from 0 to 1 as a bar. Hidden from screen readers, because the text next to it has the number.
 */
const Bar = ({ share }: { share: number }) => (
  <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-press">
    <div
      className="h-full rounded-full bg-(--result) forced-color-adjust-none"
      style={{ width: `${share * 100}%` }}
    />
  </div>
)
