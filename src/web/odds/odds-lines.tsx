import type { ReactNode } from 'react'
import type { Replies, Result } from '#domain/questionnaire/quiz.ts'
import { resultColorStyle } from '#web/ui/result-colors.ts'
import { impossibilityReason, resultShareLabel } from './odds-labels.ts'
import type { OddsReport } from './odds-report.ts'

export const ODDS_TITLE = 'Qui obtiendra quoi ?'
export const ODDS_FAILURE = 'Les chances n’ont pas pu être calculées'

export type OddsLine = {
  id: string
  name: string
  /** Of the runs; 0 before the first figures. */
  probability: number
  /** The same in words. */
  share: string
  /** What shows that it cannot come out. */
  proof: string | undefined
  example: Replies | null
}

/**
 * Each result with its share as a bar in its colour, in their order. With `children`, which gives what stands below a
 * bar, a result that cannot come out has its proof there.
 */
export const OddsLines = ({
  results,
  report,
  children,
}: {
  /** Shown until there is a report. */
  results: readonly Result[]
  report: OddsReport | null | undefined
  children?: (line: OddsLine) => ReactNode
}) => (
  <ul className="flex flex-col gap-3">
    {linesOf(results, report).map((line, index) => (
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
            className={`min-h-5 text-xs pointer-coarse:min-h-11 ${line.proof ? 'text-warn' : ''}`}
          >
            {line.proof ?? children(line)}
          </div>
        )}
      </li>
    ))}
  </ul>
)

const linesOf = (results: readonly Result[], report: OddsReport | null | undefined): OddsLine[] => {
  if (!report)
    return results.map(({ id, name }) => ({
      ...{ id, name },
      probability: 0,
      share: '…',
      proof: undefined,
      example: null,
    }))
  const proofs = new Map(
    report.impossible.map(({ id, why }) => [id, sentence(impossibilityReason(why))]),
  )
  return report.odds.results.map((result) => ({
    ...result,
    share: resultShareLabel(result, report),
    proof: proofs.get(result.id),
  }))
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/** A share from 0 to 1 of the width; the text beside it says it. */
const Bar = ({ share }: { share: number }) => (
  <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-press">
    <div
      className="h-full rounded-full bg-(--result) forced-color-adjust-none"
      style={{ width: `${share * 100}%` }}
    />
  </div>
)
