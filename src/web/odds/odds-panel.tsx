import { memo, useId, useState } from 'react'
import type { QuizMode } from '#domain/common/vocabulary.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { previewPath, previewState } from '#web/preview/preview-path.ts'
import { Button, TextLink } from '#web/ui/button.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { AssumedReplies, useParticipantReplies } from './assumed-replies.tsx'
import { DimensionOddsLines } from './dimension-odds-lines.tsx'
import {
  missingForOdds,
  oddsBasisSentence,
  probabilityLabel,
  tieRateName,
  tieWinnersSentence,
  totalsWarnings,
} from './odds-labels.ts'
import { ODDS_FAILURE, ODDS_TITLE, OddsLines } from './odds-lines.tsx'
import type { OddsReport } from './odds-report.ts'
import { useOdds } from './use-odds.ts'

/**
 * Shows how likely each result is. On narrow screens the odds are computed when the panel is opened.
 * Memoised, so that it renders only when the draft changes.
 */
const OddsPanel = memo(function OddsPanel({ draft, isWide }: { draft: Draft; isWide: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const missing = missingForOdds(draft)
  const body = missing ? (
    <p className="text-xs text-ink-2">{missing}</p>
  ) : (
    <Figures key={draft.quiz_mode} draft={draft} headingId={id} />
  )
  if (isWide)
    return (
      <section aria-labelledby={id} className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-2">
          <h2 id={id} tabIndex={-1} className="text-sm font-semibold">
            {ODDS_TITLE}
          </h2>
          <HelpLink
            about="chances de chaque résultat"
            page="score-ou-profils#verifier-avant-de-publier"
          />
        </div>
        {body}
      </section>
    )
  return (
    <details
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-xl bg-card shadow-card"
    >
      <summary id={id} className="px-4 py-3">
        <h2 className="inline font-medium">{ODDS_TITLE}</h2>
      </summary>
      <div className="flex flex-col gap-3 px-4 pb-4">{isOpen && body}</div>
    </details>
  )
})

const Figures = ({ draft, headingId }: { draft: Draft; headingId: string }) => {
  const participants = useParticipantReplies(draft.quiz)
  const { report, isBusy, hasFailed, retry } = useOdds(draft, participants.participantCounts)
  return (
    <>
      <AssumedReplies participants={participants} />
      <div aria-busy={isBusy || participants.isLoading} className="flex flex-col gap-3">
        <OddsLines results={draft.results} report={report}>
          {({ id, name, example }) =>
            example && (
              <TextLink
                to={previewPath(draft.quiz, { result_id: id, example })}
                state={previewState({ result_id: id, example })}
              >
                Voir un exemple
                <span className="sr-only"> de réponses qui donnent « {name} »</span>
              </TextLink>
            )
          }
        </OddsLines>
        {report && <DimensionOddsLines {...report} />}
        <div className="flex min-h-13 flex-col gap-1 text-xs text-ink-2">
          {report && <OddsSummary report={report} mode={draft.quiz_mode} quiz_id={draft.quiz.id} />}
        </div>
      </div>
      {hasFailed && <Failure headingId={headingId} onRetry={retry} />}
    </>
  )
}

const Failure = ({ headingId, onRetry }: { headingId: string; onRetry: () => void }) => {
  const ref = useFocusFallback<HTMLDivElement>(() => document.getElementById(headingId))
  return (
    <div ref={ref} role="alert" className="flex flex-wrap items-center gap-2 text-sm text-bad">
      {`${ODDS_FAILURE}.`}
      <Button onClick={onRetry}>Réessayer</Button>
    </div>
  )
}

/**
 * Shows the runs without a matching result, the ties, warnings about totals, and the basis of the figures.
 */
const OddsSummary = ({
  report,
  mode,
  quiz_id,
}: {
  report: OddsReport
  mode: QuizMode
  quiz_id: string
}) => {
  const { no_match_probability, tie_probability } = report.odds
  const isScore = mode === 'score'
  return (
    <>
      {no_match_probability > 0 && (
        <p className="flex justify-between gap-3">
          <span>{isScore ? 'Aucun palier' : 'Aucun profil'} : le premier résultat est donné</span>
          <span className="shrink-0 font-medium tabular-nums">
            {probabilityLabel(no_match_probability)}
          </span>
        </p>
      )}
      {!isScore && (
        <p>
          {tieRateName(report.tie_rule)} :{' '}
          <span className="font-medium tabular-nums">{probabilityLabel(tie_probability)}</span>
          {tie_probability > 0 && (
            <>
              {'. '}
              {tieWinnersSentence(report)}{' '}
              <TextLink
                to={`/quiz/${quiz_id}/results`}
                state={{ field_ids: [pageFieldId(`tie_rule-${report.tie_rule}`)] }}
              >
                Changer la règle
              </TextLink>
            </>
          )}
        </p>
      )}
      {totalsWarnings(report).map((concern) => (
        <p key={concern} className="text-warn">
          {concern}
        </p>
      ))}
      <p>{oddsBasisSentence(report)}</p>
    </>
  )
}

export default OddsPanel
