import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { PublishError } from '#domain/publish-check.ts'
import { hasOpenDialog } from '#web/ui/open-dialog.ts'
import { type Toast, Toasts } from '#web/ui/toasts.tsx'
import { useCommandKey } from '#web/ui/use-command-key.ts'
import { ClashDialog } from './clash-dialog.tsx'
import { EditorHeader, PUBLISH_BUTTON_ID, previewPath, SHARE_BUTTON_ID } from './editor-header.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { PublishErrorsDialog } from './publish-errors.tsx'
import { publishTarget } from './publish-targets.ts'
import { publishToast, usePublishOutcome } from './publish-toast.ts'
import { pointsToFix, publishButton, publishStep } from './publishing.ts'
import { ShareDialog } from './share-dialog.tsx'
import { STEP_TITLES, StepBar } from './step-bar.tsx'
import { type Step, stepStates } from './steps.ts'
import type { Editing } from './use-editing.ts'
import { useFocusField } from './use-focus-field.ts'

/** The common parts of the three steps: header, step bar, publish, share and clash dialogs (spec §2). */
export const EditorFrame = ({
  editing: { session, view, quiz, publishing },
  step,
  publishErrors,
  toasts = [],
  children,
}: {
  editing: Editing
  step: Step
  publishErrors: readonly PublishError[]
  /** The toasts of the step itself. */
  toasts?: readonly Toast[]
  children: ReactNode
}) => {
  const result_count = view.draft.results.length
  const question_count = view.draft.questions.length
  const [dialog, setDialog] = useState<'publish' | 'share' | 'errors' | null>(null)
  const { focusField, goToField } = useFocusField(quiz.id, step)
  const publication = { quiz, hasChanges: publishing.hasChanges, errors: publishErrors }
  const publish_step = dialog === 'share' ? 'share' : publishStep(publication)
  const { outcome, show: showOutcome } = usePublishOutcome()
  const close = (): void => {
    // The platform fires another close event for a dialog that is already closed.
    if (dialog === null) return
    publishing.forgetFailure()
    if (outcome === 'failed') showOutcome(null)
    setDialog(null)
    // The publish button may have opened it, and be disabled now.
    if (dialog !== 'errors' && publish_step === 'share') focusField(SHARE_BUTTON_ID)
  }
  const openPublish = (): void => {
    publishing.forgetFailure()
    showOutcome(null)
    setDialog('publish')
  }
  const tryToPublish = (): void => {
    if (!publishButton(publication).isDisabled) openPublish()
    else if (pointsToFix(publication).length > 0) setDialog('errors')
  }
  const navigate = useNavigate()
  const onPublished = (): void => {
    const { activeElement } = document
    const wasWaiting = hasOpenDialog() || activeElement === document.body
    setDialog((open) => (open === 'publish' ? null : open))
    showOutcome('published')
    // The publish button is disabled now.
    if (wasWaiting || activeElement?.id === PUBLISH_BUTTON_ID) focusField(SHARE_BUTTON_ID)
  }
  useCommandKey('enter', () => !hasOpenDialog() && tryToPublish())
  useCommandKey('p', () => !hasOpenDialog() && void navigate(previewPath(quiz)))
  const isLocked = stepStates(step, { quiz, result_count, question_count }).questions === 'locked'

  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 p-4 sm:p-6">
      <title>{`${STEP_TITLES[step]} – ${quiz.name}`}</title>
      <h1 className="sr-only">{`${STEP_TITLES[step]} – ${quiz.name}`}</h1>
      <EditorHeader
        quiz={quiz}
        saveState={view.save_state}
        onRetry={() => {
          session.flush().catch((error: unknown) => console.warn('Saving again failed', error))
        }}
        publishButton={publishButton(publication)}
        error_count={pointsToFix(publication).length}
        onPublish={openPublish}
        onErrors={() => setDialog('errors')}
        onShare={() => setDialog('share')}
      />
      <StepBar
        quiz={quiz}
        current={step}
        result_count={result_count}
        question_count={question_count}
      />
      {children}
      <PublishErrorsDialog
        errors={pointsToFix(publication)}
        open={dialog === 'errors'}
        onClose={close}
        onChoose={(error) => {
          setDialog(null)
          goToField(publishTarget(error, { isLocked }))
        }}
      />
      {publish_step === 'share' ? (
        <ShareDialog
          quiz={quiz}
          open={dialog === 'share' || (dialog === 'publish' && !publishing.isPublishing)}
          onClose={close}
        />
      ) : (
        <PublishDialog
          step={publish_step}
          errors={publishErrors}
          publishing={publishing}
          open={dialog === 'publish'}
          onPublished={onPublished}
          onFailed={() => showOutcome('failed')}
          onClose={close}
        />
      )}
      <Toasts
        toasts={[
          ...toasts,
          ...publishToast(outcome, {
            isAsked: dialog !== null,
            share: () => {
              showOutcome(null)
              setDialog('share')
            },
            explain: () => setDialog('publish'),
          }),
        ]}
      />
      <ClashDialog view={view} onSettle={session.settle} />
    </div>
  )
}
