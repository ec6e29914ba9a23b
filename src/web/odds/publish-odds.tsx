import { useEffect, useEffectEvent, useMemo } from 'react'
import { publishErrors } from '#domain/publishing/publish-check.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { publishWarnings } from './odds-labels.ts'
import { ODDS_FAILURE, ODDS_TITLE, OddsLines } from './odds-lines.tsx'
import { useOdds } from './use-odds.ts'

/** The odds of what is about to be published, with what speaks against publishing it as it is. */
const PublishOdds = ({
  draft,
  onVerdict,
}: {
  draft: Draft
  /** Told whether anything speaks against it; null while that is not known. */
  onVerdict: (isDoubtful: boolean | null) => void
}) => {
  const { report, isBusy, hasFailed } = useOdds(draft)
  // Most screens check but a part of this: what is lacking is said by the server, and odds without it mislead.
  const isComplete = useMemo(() => publishErrors(draft).length === 0, [draft])
  const doubts = report && isComplete && !hasFailed ? publishWarnings(report) : []
  const verdict = isBusy && isComplete ? null : doubts.length > 0
  const tell = useEffectEvent(onVerdict)
  useEffect(() => tell(verdict), [verdict])
  useEffect(() => () => tell(null), [])
  if (!isComplete) return null
  return (
    <section aria-label={ODDS_TITLE} aria-busy={isBusy} className="mt-4 flex flex-col gap-3">
      <h3 className="text-sm font-semibold">{ODDS_TITLE}</h3>
      {!hasFailed && <OddsLines results={draft.results} report={report} />}
      <div role="status" className="text-sm">
        {hasFailed && <p>{ODDS_FAILURE} ; vous pouvez publier quand même.</p>}
        {doubts.length > 0 && (
          <ul className="flex list-disc flex-col gap-1 rounded-xl bg-warn-wash py-3 pr-4 pl-8">
            {doubts.map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

export default PublishOdds
