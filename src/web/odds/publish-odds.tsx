import { useEffect, useEffectEvent, useMemo } from 'react'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { publishErrors } from '#domain/publishing/publish-errors.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { Button } from '#web/ui/button.tsx'
import { DimensionOddsLines } from './dimension-odds-lines.tsx'
import {
  probabilityLabel,
  publishWarnings,
  tieRateName,
  tieWinnersSentence,
  totalsInTwoTiersSentence,
} from './odds-labels.ts'
import { ODDS_FAILURE, ODDS_TITLE, OddsLines } from './odds-lines.tsx'
import type { OddsReport } from './odds-report.ts'
import { useOdds } from './use-odds.ts'

/** Shows the odds of the draft in the publish dialog, with warnings about impossible results and missing tiers. */
const PublishOdds = ({
  draft,
  onCheck,
  onChoose,
}: {
  draft: Draft
  /** Closes the dialog and leads to the field that changes who wins a tie. */
  onChoose: (tie: PublishError) => void
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
      {report && !hasFailed && <DimensionOddsLines {...report} />}
      {report && !hasFailed && <Ties draft={draft} report={report} onChoose={onChoose} />}
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

/** Shows how often results are tied and which result then wins, with a button that leads to the rule. */
const Ties = ({
  draft,
  report,
  onChoose,
}: {
  draft: Draft
  report: OddsReport
  onChoose: (tie: PublishError) => void
}) => {
  const ties = draft.quiz_mode === 'profils' ? tiesOfProfiles(report) : tiesOfTiers(draft, report)
  return ties.map((tie) => (
    <p key={tie.message} className="text-sm text-ink-2">
      {tie.message}{' '}
      <Button variant="ghost" size="compact" className="underline" onClick={() => onChoose(tie)}>
        {tie.result_id ? 'Changer les paliers' : 'Changer la règle'}
      </Button>
    </p>
  ))
}

const tiesOfProfiles = (report: OddsReport): PublishError[] => {
  const { odds, tie_rule } = report
  const winners = tieWinnersSentence(report)
  const rate = `${tieRateName(tie_rule)}\u00a0: ${probabilityLabel(odds.tie_probability)}.`
  return winners ? [{ message: `${rate} ${winners}`, field: `tie_rule-${tie_rule}` }] : []
}

const tiesOfTiers = ({ results }: Draft, { totals_in_two_tiers }: OddsReport): PublishError[] =>
  totals_in_two_tiers.map((totals) => ({
    message: totalsInTwoTiersSentence(totals),
    result_id: results.find(({ name }) => name === totals.names[1])?.id ?? '',
  }))

export default PublishOdds
