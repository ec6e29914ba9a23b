import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { isPublished, type Quiz } from '#domain/questionnaire/quiz.ts'
import { PUBLISH_BUTTON_ID, SHARE_BUTTON_ID } from '#web/editor/fields/field-ids.ts'
import { isPublicationRequested } from '#web/editor/fields/publication-request.ts'
import { isDialogOpen } from '#web/ui/keyboard-shortcuts.ts'
import { pointsToFix, publishButton, publishStep } from './publish-step.ts'
import { publishToast, usePublishOutcome } from './publish-toast.tsx'
import type { Publishing } from './use-publishing.ts'

/** Dialog of an editor screen that can be open: the publication, the public link, or the points to fix. */
type OpenDialog = 'publish' | 'share' | 'errors'

/** Dialogs about the publication on an editor screen. */
export type PublishDialogs = ReturnType<typeof usePublishDialogs>

/**
 * Returns which publish dialog of an editor screen is open, the outcome of the last publication, and the
 * actions that change them.
 */
export const usePublishDialogs = ({
  quiz,
  publishing,
  errors,
  allPoints,
  focusField,
}: {
  quiz: Quiz
  publishing: Publishing
  errors: readonly PublishError[]
  allPoints: readonly PublishError[]
  focusField: (id: string) => void
}) => {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { outcome, show: showOutcome } = usePublishOutcome()
  const publication = { quiz, hasChanges: publishing.hasChanges, errors }
  const points = pointsToFix({ ...publication, errors: allPoints })
  const button = publishButton(publication)
  const step = dialog === 'share' ? 'share' : publishStep(publication)

  const navigate = useNavigate()
  const { pathname, search, state } = useLocation()
  const isRequested = isPublicationRequested(state)
  const { hasChanges } = publishing

  const openPublish = (): void => {
    publishing.forgetFailure()
    showOutcome(null)
    setDialog('publish')
  }
  /** Opens the publish dialog, or the points to fix that prevent a publication. */
  const tryToPublish = (): void => {
    if (!button.isDisabled) openPublish()
    else if (points.length > 0) setDialog('errors')
  }
  const publishOnRequest = useEffectEvent(tryToPublish)
  useEffect(() => {
    if (!isRequested || !hasChanges) return
    // The state is cleared, so that going back or reloading does not ask again.
    void navigate(pathname + search, { replace: true, state: null })
    publishOnRequest()
  }, [isRequested, hasChanges, pathname, search, navigate])
  const onPublished = (): void => {
    const { activeElement } = document
    const wasWaiting = isDialogOpen() || activeElement === document.body
    setDialog((open) => (open === 'publish' ? null : open))
    // Read before the publication, which makes an update a quiz without changes.
    showOutcome(step === 'update' ? 'updated' : 'published')
    // The publish button is now disabled, so it cannot keep the focus.
    if (wasWaiting || activeElement?.id === PUBLISH_BUTTON_ID) focusField(SHARE_BUTTON_ID)
  }
  const close = (): void => {
    // Browsers fire another close event for a dialog that is already closed.
    if (dialog === null) return
    publishing.forgetFailure()
    if (outcome === 'failed') showOutcome(null)
    setDialog(null)
    // The publish button may have opened the dialog and may now be disabled.
    if (dialog !== 'errors' && step === 'share') focusField(SHARE_BUTTON_ID)
  }

  return {
    dialog,
    step,
    points,
    button,
    openPublish,
    openShare: (): void => setDialog('share'),
    openErrors: (): void => setDialog('errors'),
    tryToPublish,
    onPublished,
    onFailed: (): void => showOutcome('failed'),
    close,
    /** Closes the dialog because another field receives the focus. */
    dismiss: (): void => setDialog(null),
    /** Toast of the last publication, shown while no dialog is open. */
    toasts: publishToast(outcome !== 'failed' && !isPublished(quiz) ? null : outcome, {
      quiz,
      isAsked: dialog !== null,
      share: () => {
        showOutcome(null)
        setDialog('share')
      },
      explain: () => setDialog('publish'),
      close: () => showOutcome(null),
    }),
  }
}
