import { ArrowLeft, Eye, Share2, Upload } from 'lucide-react'
import { isPublished, type Quiz } from '#domain/quiz.ts'
import { placeQuery } from '#web/preview/places.ts'
import { ClosedBadge } from '#web/ui/badge.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PublishErrorsButton } from './publish-errors.tsx'
import { QuizNameField } from './quiz-name-field.tsx'
import { SaveIndicator } from './save-indicator.tsx'
import { StatusMenu } from './status-menu.tsx'
import { UndoButtons } from './undo-buttons.tsx'
import type { Editing } from './use-editing.ts'

/** Id of the share button, which gets the focus when the share dialog is closed or the quiz published. */
export const SHARE_BUTTON_ID = 'share-quiz'
export const PUBLISH_BUTTON_ID = 'publish-quiz'

/** The preview of a quiz, opened at one of its places (preview/places.ts). */
export const previewPath = ({ id }: Pick<Quiz, 'id'>, place?: number): string =>
  `/quiz/${id}/preview${placeQuery(place)}`

/** Below 1024 px the last group is a bar at the bottom, beside the sidebar where there is one. */
const BAR =
  'max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:min-h-16 max-lg:flex-wrap max-lg:justify-end max-lg:gap-1 max-lg:border-t max-lg:border-line max-lg:bg-paper max-lg:px-2 sm:max-lg:left-60'

/**
 * Header of the three steps (spec §2 « Shared editor chrome »): it stays at the top of the screen.
 */
export const EditorHeader = ({
  editing,
  onNamed,
  preview_path,
  publishButton,
  has_plus,
  errors,
  onPublish,
  onShare,
  onRestore,
}: {
  editing: Editing
  /** Enter in the name: goes on to what the step is for. */
  onNamed: () => void
  preview_path: string
  publishButton: { isDisabled: boolean; title: string }
  /** Whether the plus that adds items stands in the bar at the bottom. */
  has_plus: boolean
  /** The points to fix before publishing. */
  errors: { count: number; isUntouched: boolean; onOpen: () => void }
  onPublish: () => void
  onShare: () => void
  /** What is said of a version that is about to become the draft. */
  onRestore: (text: string) => void
}) => {
  const { session, view, quiz, undoing, rename } = editing
  return (
    <header className="sticky top-0 z-20 flex min-h-14 flex-wrap items-center gap-x-1 border-b border-line bg-paper px-2 sm:gap-x-2 sm:px-4">
      <ButtonLink
        to="/dashboard"
        variant="ghost"
        aria-label="Retour"
        title="Retour au dashboard"
        icon={<ArrowLeft aria-hidden="true" />}
        size="compact"
        className="shrink-0"
      />
      <QuizNameField name={view.draft.quiz.name} rename={rename} onEnter={onNamed} />
      <StatusMenu editing={editing} onRestore={onRestore} />
      <ClosedBadge quiz={quiz} />
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
        size="compact"
      />
      <div
        className={`editor-bar ml-auto flex items-center gap-1.5 ${BAR} ${has_plus ? 'max-lg:pl-18' : ''}`}
      >
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
          size="compact"
        >
          <span className="hidden xl:inline">Prévisualiser</span>
        </ButtonLink>
        <Button
          id={PUBLISH_BUTTON_ID}
          variant="primary"
          icon={<Upload aria-hidden="true" className="max-sm:hidden" />}
          disabled={publishButton.isDisabled}
          title={publishButton.title}
          onClick={onPublish}
        >
          Publier
        </Button>
      </div>
    </header>
  )
}
