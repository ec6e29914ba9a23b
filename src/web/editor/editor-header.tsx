import { ArrowLeft, Eye, Share2, Upload } from 'lucide-react'
import { isPublished, type Quiz } from '#domain/quiz.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import type { SaveState } from './autosave.ts'
import { PublishErrorsButton } from './publish-errors.tsx'
import { SaveIndicator } from './save-indicator.tsx'

/** Id of the share button, which gets the focus when the share dialog is closed or the quiz published. */
export const SHARE_BUTTON_ID = 'share-quiz'
export const PUBLISH_BUTTON_ID = 'publish-quiz'

export const previewPath = ({ id }: Pick<Quiz, 'id'>): string => `/quiz/${id}/preview`

/** Header of the three steps (spec §2 « Shared editor chrome »). */
export const EditorHeader = ({
  quiz,
  saveState,
  onRetry,
  publishButton,
  error_count,
  onPublish,
  onErrors,
  onShare,
}: {
  quiz: Pick<Quiz, 'id' | 'status'>
  saveState: SaveState
  onRetry: () => void
  publishButton: { isDisabled: boolean; title: string }
  /** Number of points to fix before publishing. */
  error_count: number
  onPublish: () => void
  onErrors: () => void
  onShare: () => void
}) => (
  <header className="flex flex-wrap items-center gap-2">
    <ButtonLink to="/dashboard" variant="ghost" icon={<ArrowLeft aria-hidden="true" />}>
      Retour
    </ButtonLink>
    <SaveIndicator state={saveState} onRetry={onRetry} />
    <div className="ml-auto flex flex-wrap items-center gap-2">
      {error_count > 0 && <PublishErrorsButton count={error_count} onClick={onErrors} />}
      <Button
        id={SHARE_BUTTON_ID}
        variant="ghost"
        icon={<Share2 aria-hidden="true" />}
        disabled={!isPublished(quiz)}
        title={isPublished(quiz) ? 'Partager le lien' : "Publiez d'abord le quiz"}
        onClick={onShare}
      >
        Partager
      </Button>
      <ButtonLink to={previewPath(quiz)} variant="secondary" icon={<Eye aria-hidden="true" />}>
        Prévisualiser
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
