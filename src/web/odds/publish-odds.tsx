import { useEffect, useEffectEvent, useMemo } from 'react'
import { publishErrors } from '#domain/publishing/publish-check.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { publishWarnings } from './odds-labels.ts'
import { ODDS_FAILURE, ODDS_TITLE, OddsLines } from './odds-lines.tsx'
import { useOdds } from './use-odds.ts'

/** Shows the odds of the draft in the publish dialog, with warnings about impossible results and missing tiers. */
const PublishOdds = ({
  draft,
  onCheck,
}: {
  draft: Draft
  /** Called with true if there are warnings, and with null while the odds are being computed. */
  onCheck: (hasWarnings: boolean | null) => void
}) => {
  const { report, isBusy, hasFailed } = useOdds(draft)
  // Odds of an incomplete draft would mislead. All publish checks run here, because most screens run only some checks.
  const isComplete = useMemo(() => publishErrors(draft).length === 0, [draft])
  const warnings = report && isComplete && !hasFailed ? publishWarnings(report) : []
  const result = isBusy && isComplete ? null : warnings.length > 0
  const notify = useEffectEvent(onCheck)
  useEffect(() => notify(result), [result])
  useEffect(() => () => notify(null), [])
  if (!isComplete) return null
  return (
    <section aria-label={ODDS_TITLE} aria-busy={isBusy} className="mt-4 flex flex-col gap-3">
      <h3 className="text-sm font-semibold">{ODDS_TITLE}</h3>
      {!hasFailed && <OddsLines results={draft.results} report={report} />}
      <div role="status" className="text-sm">
        {hasFailed && <p>{ODDS_FAILURE} ; vous pouvez publier quand même.</p>}
        {warnings.length > 0 && (
          <ul className="flex list-disc flex-col gap-1 rounded-xl bg-warn-wash py-3 pr-4 pl-8">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

export default PublishOdds
