import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { isImageError, markImagesDecorative } from '#domain/publishing/publish-check.ts'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { isPublished } from '#domain/questionnaire/quiz.ts'
import type { RefusedField } from '#web/editor/conflicts/refusal-bar.tsx'
import type { Refusal } from '#web/editor/draft/draft-server.ts'
import { AUTOSAVE_KINDS } from '#web/editor/draft/use-draft.ts'
import {
  ADD_ITEM_ID,
  ADD_RESULT_ID,
  fieldId,
  PUBLISH_BUTTON_ID,
  pageFieldId,
} from '#web/editor/fields/field-ids.ts'
import { useFocusField } from '#web/editor/fields/focus.ts'
import { publishTarget } from '#web/editor/fields/publish-targets.ts'
import { useReturnPlace } from '#web/editor/fields/return-place.ts'
import { areQuestionsLocked, type Step } from '#web/editor/fields/steps.ts'
import { PublishErrorsDialog } from '#web/editor/publishing/publish-errors.tsx'
import { PUBLISH_TITLES } from '#web/editor/publishing/publish-step.ts'
import {
  type PublishDialogs,
  usePublishDialogs,
} from '#web/editor/publishing/use-publish-dialogs.ts'
import { undoToast, useRevertedChangeToasts, useUndoToast } from '#web/editor/undo/undo-toasts.ts'
import { type PreviewPlace, previewPath, previewState } from '#web/preview/preview-path.ts'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { type Toast, Toasts } from '#web/ui/feedback/toasts.tsx'
import { RefusedFields } from '#web/ui/form/text-field.tsx'
import { isDialogOpen, useCommandKey } from '#web/ui/keyboard-shortcuts.ts'
import { EditorHeader } from './editor-header.tsx'
import { STEP_TITLES, StepBar } from './step-bar.tsx'
import type { EditorState } from './use-editor-state.ts'

// Rendered closed with the screen, so that its code is there before the first click.
const PublishDialog = lazyPart(
  () => import('#web/editor/publishing/publish-dialog.tsx'),
  'La fenêtre de publication n’a pas pu être chargée.',
)
const ShareDialog = lazyPart(
  () => import('#web/editor/sharing/share-dialog.tsx'),
  'La fenêtre de partage n’a pas pu être chargée.',
)
const ConflictDialog = lazyPart(
  () => import('#web/editor/conflicts/conflict-dialog.tsx'),
  'Ce qui a été modifié aussi ailleurs n’a pas pu être chargé.',
)
const RefusalBar = lazyPart(
  () => import('#web/editor/conflicts/refusal-bar.tsx'),
  'La raison pour laquelle rien n’est enregistré n’a pas pu être chargée.',
)

/**
 * Shows the common parts of the three steps: header, step bar, toasts, and the dialogs for publishing, sharing and
 * conflicts (product 7.6).
 */
export const EditorFrame = ({
  editing,
  step,
  publishErrors,
  points: allPoints = publishErrors,
  toasts = [],
  place,
  line,
  aside,
  children,
}: {
  editing: EditorState
  step: Step
  /** Errors that disable the publish button on this step (product 6.3). */
  publishErrors: readonly PublishError[]
  /** All points to fix, if this step has more than `publishErrors`. */
  points?: readonly PublishError[]
  /** Toasts of the step itself. */
  toasts?: readonly Toast[]
  /** Place of the preview that shows what is being edited. */
  place?: PreviewPlace
  /** Slim line under the header. */
  line?: ReactNode
  /** Right column on wide screens. */
  aside?: ReactNode
  children: ReactNode
}) => {
  // State
  const { session, view, quiz, publishing, undoing } = editing
  const { draft, refusal, conflicts } = view
  const result_count = draft.results.length
  const question_count = draft.questions.length
  const isLocked = step !== 'questions' && areQuestionsLocked({ quiz, result_count })
  // A new questionnaire has points to do, not points to correct.
  const isUntouched = !isPublished(quiz) && question_count === 0
  const preview = { to: previewPath(quiz, place), state: previewState(place) }
  const { focusField, goToField } = useFocusField(quiz.id, step)
  useReturnPlace()
  const dialogs = usePublishDialogs({
    quiz,
    publishing,
    errors: publishErrors,
    allPoints,
    focusField,
  })
  const undoneToasts = useRevertedChangeToasts(undoing.reverted, { quiz_id: quiz.id, step })
  const restored = useUndoToast(draft)
  const refused = useRefusedFields(refusal)

  // Actions
  const navigate = useNavigate()
  useCommandKey('enter', () => !isDialogOpen() && dialogs.tryToPublish())
  useCommandKey('p', () => !isDialogOpen() && void navigate(preview.to, { state: preview.state }))
  const goToPoint = (error: PublishError): void => {
    dialogs.dismiss()
    goToField(publishTarget(error, { isLocked, quiz }))
  }
  const goToAddress = (): void => {
    dialogs.dismiss()
    goToField({ step: 'settings', field_ids: [pageFieldId('slug')] })
  }
  const [wasMarked, setMarked] = useState(false)
  const markDecorative = (nb_images: number): void => {
    dialogs.dismiss()
    session.change(markImagesDecorative, { undoGroupKey: null, ...AUTOSAVE_KINDS.page })
    restored.announce(`${nb_images} images marquées décoratives`)
    setMarked(true)
  }
  // The button that opened the dialog disappears with the last point, when the draft has been checked again.
  useEffect(() => {
    if (!wasMarked || allPoints.some(isImageError)) return
    setMarked(false)
    if (allPoints.length === 0) focusField(PUBLISH_BUTTON_ID)
  }, [wasMarked, allPoints, focusField])
  const goToFirstField = (): void => {
    if (step === 'settings') return
    const [question] = draft.questions
    const first = step === 'results' ? ADD_RESULT_ID : question && fieldId(question.id)
    goToField({ step, field_ids: [first ?? ADD_ITEM_ID] })
  }

  // Markup
  return (
    <RefusedFields value={refused.errors}>
      <div className="flex min-h-dvh flex-col max-lg:pb-[calc(var(--bar-height,4rem)+1rem)]">
        <title>{`${STEP_TITLES[step]} – ${quiz.name}`}</title>
        <h1 className="sr-only" tabIndex={-1}>{`${STEP_TITLES[step]} – ${quiz.name}`}</h1>
        <EditorHeader
          editing={editing}
          onNamed={goToFirstField}
          preview={preview}
          publishButton={dialogs.button}
          has_plus={step === 'questions'}
          errors={{ count: dialogs.points.length, isUntouched, onOpen: dialogs.openErrors }}
          onPublish={dialogs.openPublish}
          onShare={dialogs.openShare}
          onRestore={restored.announce}
        />
        <div className="steps border-b border-line bg-paper px-2 py-1 sm:px-3 xl:py-px pointer-coarse:py-0.5">
          <StepBar
            quiz={quiz}
            current={step}
            result_count={result_count}
            question_count={question_count}
          />
        </div>
        {refusal && (
          <Suspense>
            <RefusalBar
              refusal={refusal}
              draft={draft}
              onField={refused.setField}
              onShow={goToField}
            />
          </Suspense>
        )}
        {line}
        <div
          className={`w-full flex-1 ${aside ? 'xl:grid xl:grid-cols-[minmax(0,1fr)_360px]' : ''}`}
        >
          <div
            className={`mx-auto flex w-full max-w-5xl flex-col gap-4 p-4 pt-3 sm:gap-5 sm:p-5 ${step === 'questions' ? 'lg:max-xl:pr-24' : ''}`}
          >
            {children}
          </div>
          {aside}
        </div>
        <FrameDialogs
          editing={editing}
          dialogs={dialogs}
          publishErrors={publishErrors}
          isUntouched={isUntouched}
          onChoose={goToPoint}
          onAddress={goToAddress}
          onMarkDecorative={markDecorative}
        />
        <Toasts
          toasts={[
            ...toasts,
            ...undoneToasts,
            ...undoToast(restored, session.undo),
            ...dialogs.toasts,
          ]}
        />
        {conflicts.length > 0 && (
          <Suspense>
            <ConflictDialog view={view} onSettle={session.resolveConflicts} onShow={goToField} />
          </Suspense>
        )}
      </div>
    </RefusedFields>
  )
}

/**
 * Returns the error of the rejected field by the id of its input. `setField` is called by `RefusalBar`, which
 * knows the id and is loaded only after a rejected save.
 */
const useRefusedFields = (refusal: Refusal | null) => {
  const [field, setField] = useState<RefusedField>()
  const errors = useMemo(
    () => (field && field.refusal === refusal ? { [field.id]: `${refusal.reason}.` } : {}),
    [field, refusal],
  )
  return { errors, setField }
}

/** Shows the points to fix, and the dialog for the publication or the public link. */
const FrameDialogs = ({
  editing: { session, view, quiz, publishing },
  dialogs,
  publishErrors,
  isUntouched,
  onChoose,
  onAddress,
  onMarkDecorative,
}: {
  editing: EditorState
  dialogs: PublishDialogs
  publishErrors: readonly PublishError[]
  isUntouched: boolean
  onChoose: (error: PublishError) => void
  onAddress: () => void
  onMarkDecorative: (nb_images: number) => void
}) => {
  const { dialog, step } = dialogs
  const isSharing = dialog === 'share' || (dialog === 'publish' && !publishing.isPublishing)
  return (
    <>
      <PublishErrorsDialog
        errors={dialogs.points}
        isUntouched={isUntouched}
        open={dialog === 'errors'}
        onClose={dialogs.close}
        onChoose={onChoose}
        onMarkDecorative={onMarkDecorative}
      />
      {step === 'share' && isSharing && (
        <Suspense fallback={null}>
          <ShareDialog
            title={PUBLISH_TITLES.share}
            quiz={quiz}
            onAddress={onAddress}
            onClose={dialogs.close}
          />
        </Suspense>
      )}
      {step !== 'share' && (
        <Suspense fallback={null}>
          <PublishDialog
            session={session}
            draft={view.draft}
            step={step}
            errors={publishErrors}
            points={dialogs.points}
            publishing={publishing}
            open={dialog === 'publish'}
            onChoose={onChoose}
            onPublished={dialogs.onPublished}
            onFailed={dialogs.onFailed}
            onClose={dialogs.close}
          />
        </Suspense>
      )}
    </>
  )
}
