import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { PublishError } from '#domain/publishing/publish-error.ts'
import { publishNotices } from '#domain/publishing/reachability.ts'
import { isPublished } from '#domain/questionnaire/quiz.ts'
import type { RefusedField } from '#web/editor/conflicts/refusal-bar.tsx'
import { fieldId } from '#web/editor/fields/field-ids.ts'
import { useFocusField } from '#web/editor/fields/focus.ts'
import { ADD_ITEM_ID, ADD_RESULT_ID, publishTarget } from '#web/editor/fields/publish-targets.ts'
import { areQuestionsLocked, type Step } from '#web/editor/fields/steps.ts'
import { PublishDialog } from '#web/editor/publishing/publish-dialog.tsx'
import { PublishErrorsDialog } from '#web/editor/publishing/publish-errors.tsx'
import { pointsToFix, publishButton, publishStep } from '#web/editor/publishing/publish-step.ts'
import { publishToast, usePublishOutcome } from '#web/editor/publishing/publish-toast.tsx'
import { undoToast, useRevertedChangeToasts, useUndoToast } from '#web/editor/undo/undo-toasts.tsx'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { type Toast, Toasts } from '#web/ui/feedback/toasts.tsx'
import { RefusedFields } from '#web/ui/form/text-field.tsx'
import { isDialogOpen, useCommandKey } from '#web/ui/keyboard-shortcuts.ts'
import { EditorHeader, PUBLISH_BUTTON_ID, previewPath, SHARE_BUTTON_ID } from './editor-header.tsx'
import { STEP_TITLES, StepBar } from './step-bar.tsx'
import type { EditorState } from './use-editor-state.ts'

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

/** The common parts of the three steps: header, step bar, publish, share and clash dialogs (spec §2). */
export const EditorFrame = ({
  editing,
  step,
  publishErrors,
  toasts = [],
  place,
  line,
  aside,
  children,
}: {
  editing: EditorState
  step: Step
  publishErrors: readonly PublishError[]
  /** Toasts of the step itself. */
  toasts?: readonly Toast[]
  /** Where the preview opens: what is being edited (preview/preview-path.ts). */
  place?: number
  /** A slim line under the header. */
  line?: ReactNode
  /** A column at the right, where there is room for it. */
  aside?: ReactNode
  children: ReactNode
}) => {
  const { session, view, quiz, publishing } = editing
  const result_count = view.draft.results.length
  const question_count = view.draft.questions.length
  const [dialog, setDialog] = useState<'publish' | 'share' | 'errors' | null>(null)
  const { focusField, goToField } = useFocusField(quiz.id, step)
  const publication = { quiz, hasChanges: publishing.hasChanges, errors: publishErrors }
  const points = pointsToFix(publication)
  // What is missing from a questionnaire that has just begun is no mistake.
  const isUntouched = !isPublished(quiz) && question_count === 0
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
    else if (points.length > 0) setDialog('errors')
  }
  const share = (): void => {
    showOutcome(null)
    setDialog('share')
  }
  const navigate = useNavigate()
  const onPublished = (): void => {
    const { activeElement } = document
    const wasWaiting = isDialogOpen() || activeElement === document.body
    setDialog((open) => (open === 'publish' ? null : open))
    showOutcome('published')
    // The publish button is disabled now.
    if (wasWaiting || activeElement?.id === PUBLISH_BUTTON_ID) focusField(SHARE_BUTTON_ID)
  }
  const undone = useRevertedChangeToasts(editing.undoing.undone, { quiz_id: quiz.id, step })
  const restored = useUndoToast(view.draft)
  const preview_path = previewPath(quiz, place)
  useCommandKey('enter', () => !isDialogOpen() && tryToPublish())
  useCommandKey('p', () => !isDialogOpen() && void navigate(preview_path))
  const isLocked = step !== 'questions' && areQuestionsLocked({ quiz, result_count })
  const goToPoint = (error: PublishError): void => {
    setDialog(null)
    goToField(publishTarget(error, { isLocked }))
  }
  const { refusal } = view
  // The field comes from RefusalBar, because its module is loaded only after a refusal.
  const [field, setField] = useState<RefusedField>()
  const refused = useMemo(
    () => (field && field.refusal === refusal ? { [field.id]: `${refusal.reason}.` } : {}),
    [field, refusal],
  )

  return (
    <RefusedFields value={refused}>
      <div className="flex min-h-dvh flex-col max-lg:pb-20 max-[374px]:pb-32">
        <title>{`${STEP_TITLES[step]} – ${quiz.name}`}</title>
        <h1 className="sr-only" tabIndex={-1}>{`${STEP_TITLES[step]} – ${quiz.name}`}</h1>
        <EditorHeader
          editing={editing}
          onNamed={() => {
            if (step === 'settings') return
            const [question] = view.draft.questions
            const first = step === 'results' ? ADD_RESULT_ID : question && fieldId(question.id)
            goToField({ step, field_ids: [first ?? ADD_ITEM_ID] })
          }}
          preview_path={preview_path}
          publishButton={publishButton(publication)}
          has_plus={step === 'questions'}
          errors={{ count: points.length, isUntouched, onOpen: () => setDialog('errors') }}
          onPublish={openPublish}
          onShare={() => setDialog('share')}
          onRestore={restored.announce}
        />
        <div className="border-b border-line px-2 py-1 sm:px-3 xl:py-px pointer-coarse:py-0.5">
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
              draft={view.draft}
              onField={setField}
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
        <PublishErrorsDialog
          errors={points}
          isUntouched={isUntouched}
          open={dialog === 'errors'}
          onClose={close}
          onChoose={goToPoint}
        />
        {publish_step === 'share' ? (
          (dialog === 'share' || (dialog === 'publish' && !publishing.isPublishing)) && (
            <Suspense fallback={null}>
              <ShareDialog quiz={quiz} onClose={close} />
            </Suspense>
          )
        ) : (
          <PublishDialog
            session={session}
            draft={view.draft}
            step={publish_step}
            errors={publishErrors}
            notices={dialog === 'publish' ? publishNotices(view.draft) : []}
            publishing={publishing}
            open={dialog === 'publish'}
            onChoose={goToPoint}
            onPublished={onPublished}
            onFailed={() => showOutcome('failed')}
            onClose={close}
          />
        )}
        <Toasts
          toasts={[
            ...toasts,
            ...undone,
            ...undoToast(restored, session.undo),
            ...publishToast(outcome === 'published' && !isPublished(quiz) ? null : outcome, {
              quiz,
              isAsked: dialog !== null,
              share,
              explain: () => setDialog('publish'),
              close: () => showOutcome(null),
            }),
          ]}
        />
        {view.clashes.length > 0 && (
          <Suspense>
            <ConflictDialog view={view} onSettle={session.settle} />
          </Suspense>
        )}
      </div>
    </RefusedFields>
  )
}
