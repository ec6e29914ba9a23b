import { useDeferredValue } from 'react'
import type { Draft } from '#domain/quiz.ts'
import { ODDS_FAILURE } from './odds-lines.tsx'
import { shareWords } from './odds-words.ts'
import { useOdds } from './use-odds.ts'

/** How often several results have as many points, beside the rule that says what is given then. */
export const TieRate = ({ draft }: { draft: Draft }) => {
  const { report, isBusy, hasFailed } = useOdds(useDeferredValue(draft))
  const words = draft.quiz.tie_rule === 'question' ? 'Égalités qui restent' : 'Égalités'
  return (
    <p role="status" aria-busy={isBusy} className="text-sm text-ink-2">
      {hasFailed && `${ODDS_FAILURE}.`}
      {report && !hasFailed && (
        <>
          {words} :{' '}
          <span className="font-medium text-ink tabular-nums">{shareWords(report.odds.tie)}</span>
        </>
      )}
    </p>
  )
}
