import { Suspense, useEffect, useMemo, useRef } from 'react'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { publishNotices } from '#domain/publishing/publish-notices.ts'
import { type Draft, isSondage } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { useOddsCheck } from '#web/odds/use-odds-check.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { AccessNotes } from './access-notes.tsx'
import { PublishErrorList } from './publish-errors.tsx'
import {
  POINTS_TITLE,
  PUBLISH_TITLES,
  type PublishStep,
  publishEffect,
  REFUSAL_TITLE,
} from './publish-step.ts'
import type { PublishFailure, Publishing } from './use-publishing.ts'

type Step = Exclude<PublishStep, 'share'>

const ACTIONS: Record<Step, string> = {
  publish: 'Publier',
  update: 'Mettre à jour',
}

const PublishOdds = lazyPart(
  () => import('#web/odds/publish-odds.tsx'),
  'Les chances de chaque résultat n’ont pas pu être chargées.',
)

const PublishReplay = lazyPart<{ session: DraftSession }>(
  () => import('./publish-replay.tsx').then((part) => ({ default: part.PublishReplay })),
  'L’effet sur vos participants n’a pas pu être chargé ; vous pouvez publier quand même.',
)

const PublishChanges = lazyPart<{ draft: Draft }>(
  () => import('./publish-changes.tsx').then((part) => ({ default: part.PublishChanges })),
  'La liste des modifications n’a pas pu être chargée ; vous pouvez publier quand même.',
)

/** Shows the dialog for the first publication or an update (product 6.7). */
const PublishDialog = ({
  session,
  draft,
  step,
  errors,
  points,
  publishing,
  open,
  onChoose,
  onPublished,
  onFailed,
  onClose,
}: {
  session: DraftSession
  draft: Draft
  step: Step
  /** Errors that disable the button. */
  errors: readonly PublishError[]
  /** All points to fix, also those that only the server checks on this step. */
  points: readonly PublishError[]
  publishing: Publishing
  open: boolean
  onChoose: (point: PublishError) => void
  onPublished: () => void
  onFailed: () => void
  onClose: () => void
}) => {
  const hasOdds = draft.quiz_mode !== null && !isSondage(draft.quiz) && errors.length === 0
  const oddsCheck = useOddsCheck({ isEnabled: hasOdds, isOpen: open })
  const notices = useMemo(() => (open ? publishNotices(draft) : []), [open, draft])
  const publish = async (): Promise<void> => {
    if (!(await oddsCheck.confirmPublication())) return
    if (await publishing.publish()) onPublished()
    else onFailed()
  }
  return (
    <Dialog
      title={PUBLISH_TITLES[step]}
      open={open}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Annuler
          </Button>
          <Button
            variant="primary"
            data-initial-focus
            busy={publishing.isPublishing || oddsCheck.isWaiting}
            disabled={errors.length > 0}
            onClick={publish}
          >
            {oddsCheck.hasWarnings ? 'Publier quand même' : ACTIONS[step]}
          </Button>
        </>
      }
    >
      <AccessNotes quiz={draft.quiz} />
      <HelpLink about="publier" page="publier" />
      <p className="text-ink-2">{publishEffect(step, draft.quiz)}</p>
      {step === 'update' && (
        <Suspense fallback={null}>
          <PublishChanges draft={draft} />
        </Suspense>
      )}
      {notices.length > 0 && (
        <div className="mt-4 rounded-xl bg-warn-wash p-4 text-sm">
          <p className="font-medium">À vérifier</p>
          <PublishErrorList errors={notices} onChoose={onChoose} />
        </div>
      )}
      {hasOdds && (
        <Suspense fallback={<div style={{ height: `${3 + 2.75 * draft.results.length}rem` }} />}>
          <PublishOdds draft={draft} onCheck={oddsCheck.report} onChoose={onChoose} />
        </Suspense>
      )}
      {step === 'update' && (
        <Suspense fallback={null}>
          <PublishReplay session={session} />
        </Suspense>
      )}
      <Refusals points={points} failure={publishing.failure} onChoose={onChoose} />
    </Dialog>
  )
}

export default PublishDialog

/**
 * Shows the points to fix, and after an attempt why the quiz was not published (product 6.8). Points lead to their
 * fields.
 */
const Refusals = ({
  points,
  failure,
  onChoose,
}: {
  points: readonly PublishError[]
  failure: PublishFailure | null
  onChoose: (point: PublishError) => void
}) => {
  const box = useRef<HTMLDivElement>(null)
  // Focuses the reasons to scroll them into view, because the button is often far below them.
  useEffect(() => {
    if (failure) box.current?.focus()
  }, [failure])
  const known = new Set(points.map(({ message }) => message))
  const refused = failure?.validation_errors ?? []
  const unknown = new Set(refused.filter((message) => !known.has(message)))
  return (
    <div ref={box} role="alert" tabIndex={-1}>
      {known.size + unknown.size > 0 && (
        <div className="mt-4 rounded-xl bg-bad-wash p-4 text-sm text-bad">
          <p className="font-medium">{refused.length > 0 ? REFUSAL_TITLE : POINTS_TITLE}</p>
          {known.size > 0 && <PublishErrorList errors={points} onChoose={onChoose} />}
          {unknown.size > 0 && (
            <ul className="mt-1 list-disc pl-5">
              {[...unknown].map((message) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          )}
        </div>
      )}
      {failure?.message && (
        <div className="mt-4 rounded-xl bg-bad-wash p-4 text-sm text-bad">
          <p className="font-medium">Erreur lors de la publication</p>
          <p className="mt-1">{failure.message}</p>
        </div>
      )}
    </div>
  )
}
