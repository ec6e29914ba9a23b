import { Suspense, useEffect, useRef } from 'react'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { type Draft, isSondage } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { useOddsCheck } from '#web/odds/use-odds-check.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { PublishErrorList } from './publish-errors.tsx'
import { PUBLISH_TITLES, type PublishStep, publishEffect, REFUSAL_TITLE } from './publish-step.ts'
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

/** Shows the dialog for the first publication or an update (product 6.7). */
const PublishDialog = ({
  session,
  draft,
  step,
  errors,
  notices,
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
  errors: readonly PublishError[]
  notices: readonly PublishError[]
  publishing: Publishing
  open: boolean
  onChoose: (notice: PublishError) => void
  onPublished: () => void
  onFailed: () => void
  onClose: () => void
}) => {
  const hasOdds = draft.quiz_mode !== null && !isSondage(draft.quiz) && errors.length === 0
  const oddsCheck = useOddsCheck({ isEnabled: hasOdds, isOpen: open })
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
      <p className="text-ink-2">{publishEffect(step, draft.quiz)}</p>
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
      <Refusals errors={errors} failure={publishing.failure} />
    </Dialog>
  )
}

export default PublishDialog

/**
 * Shows why the quiz was not published: failed checks of the browser and the server, or another error (product 6.8).
 */
const Refusals = ({
  errors,
  failure,
}: {
  errors: readonly PublishError[]
  failure: PublishFailure | null
}) => {
  const box = useRef<HTMLDivElement>(null)
  // Focuses the reasons to scroll them into view, because the button is often far below them.
  useEffect(() => {
    if (failure) box.current?.focus()
  }, [failure])
  const messages = new Set([
    ...errors.map(({ message }) => message),
    ...(failure?.validation_errors ?? []),
  ])
  return (
    <div ref={box} role="alert" tabIndex={-1}>
      {messages.size > 0 && (
        <div className="mt-4 rounded-xl bg-bad-wash p-4 text-sm text-bad">
          <p className="font-medium">{REFUSAL_TITLE}</p>
          <ul className="mt-1 list-disc pl-5">
            {[...messages].map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
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
