import { ArrowLeft, Eye, Share2, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { isPublished, type Quiz } from '#domain/quiz.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PublishErrorsButton } from './publish-errors.tsx'
import { QuizNameField } from './quiz-name-field.tsx'
import { SaveIndicator } from './save-indicator.tsx'
import { UndoButtons } from './undo-buttons.tsx'
import type { Editing } from './use-editing.ts'

/** Id of the share button, which gets the focus when the share dialog is closed or the quiz published. */
export const SHARE_BUTTON_ID = 'share-quiz'
export const PUBLISH_BUTTON_ID = 'publish-quiz'

/** The preview of a quiz, opened at one of its pages. */
export const previewPath = ({ id }: Pick<Quiz, 'id'>, page_number?: number): string =>
  `/quiz/${id}/preview${page_number === undefined || page_number === 1 ? '' : `?page=${page_number}`}`

/**
 * Header of the three steps (spec §2 « Shared editor chrome »): it stays at the top of the screen. On a phone
 * its last group is a bar at the bottom.
 */
export const EditorHeader = ({
  editing: { session, view, quiz, undoing, rename },
  onNamed,
  steps,
  status,
  preview_path,
  publishButton,
  errors,
  onPublish,
  onShare,
}: {
  editing: Editing
  /** Enter in the name: goes on to what the step is for. */
  onNamed: () => void
  /** The step bar, where there is room for it. */
  steps: ReactNode
  /** The status of the quiz and what can be done about it. */
  status: ReactNode
  preview_path: string
  publishButton: { isDisabled: boolean; title: string }
  /** The points to fix before publishing. */
  errors: { count: number; isUntouched: boolean; onOpen: () => void }
  onPublish: () => void
  onShare: () => void
}) => (
  <header className="sticky top-0 z-20 flex min-h-14 flex-wrap items-center gap-x-2 border-b border-line bg-paper px-3 sm:px-4 xl:min-h-16">
    <ButtonLink
      to="/dashboard"
      variant="ghost"
      aria-label="Retour"
      title="Retour au dashboard"
      icon={<ArrowLeft aria-hidden="true" />}
      className="shrink-0 px-2"
    />
    <QuizNameField name={view.draft.quiz.name} rename={rename} onEnter={onNamed} />
    {status}
    <SaveIndicator
      state={view.save_state}
      onRetry={() => {
        session.flush().catch((error: unknown) => console.warn('Saving again failed', error))
      }}
    />
    <Button
      id={SHARE_BUTTON_ID}
      variant="ghost"
      icon={<Share2 aria-hidden="true" />}
      aria-label="Partager"
      disabled={!isPublished(quiz)}
      title={isPublished(quiz) ? 'Partager le lien' : "Publiez d'abord le quiz"}
      onClick={onShare}
      className="px-2.5"
    />
    {steps && <div className="ml-auto">{steps}</div>}
    <div className="ml-auto flex items-center gap-1.5 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:min-h-16 max-sm:flex-wrap max-sm:justify-end max-sm:gap-1 max-sm:border-t max-sm:border-line max-sm:bg-paper max-sm:px-2 max-sm:pl-18 xl:ml-0">
      <UndoButtons undoing={undoing} />
      {errors.count > 0 && (
        <PublishErrorsButton
          count={errors.count}
          isUntouched={errors.isUntouched}
          onClick={errors.onOpen}
        />
      )}
      <ButtonLink
        to={preview_path}
        variant="secondary"
        aria-label="Prévisualiser"
        title="Prévisualiser"
        icon={<Eye aria-hidden="true" />}
        className="px-2.5"
      >
        <span className="hidden min-[100rem]:inline">Prévisualiser</span>
      </ButtonLink>
      <Button
        id={PUBLISH_BUTTON_ID}
        variant="primary"
        icon={<Upload aria-hidden="true" />}
        disabled={publishButton.isDisabled}
        title={publishButton.title}
        onClick={onPublish}
      >
        Publier
      </Button>
    </div>
  </header>
)
