import { ArrowLeft, Eye, Share2, Upload } from 'lucide-react'
import { isPublished, type Quiz } from '#domain/quiz.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import type { SaveState } from './autosave.ts'
import { SaveIndicator } from './save-indicator.tsx'

/** Header of the three steps (spec §2 « Shared editor chrome »). */
export const EditorHeader = ({
  quiz,
  saveState,
  publishButton,
  onPublish,
  onShare,
}: {
  quiz: Pick<Quiz, 'id' | 'status'>
  saveState: SaveState
  publishButton: { isDisabled: boolean; title: string }
  onPublish: () => void
  onShare: () => void
}) => (
  <header className="flex flex-wrap items-center gap-2">
    <ButtonLink to="/dashboard" variant="ghost" icon={<ArrowLeft aria-hidden="true" />}>
      Retour
    </ButtonLink>
    <SaveIndicator state={saveState} />
    <div className="ml-auto flex flex-wrap items-center gap-2">
      <Button
        variant="ghost"
        icon={<Share2 aria-hidden="true" />}
        disabled={!isPublished(quiz)}
        title={isPublished(quiz) ? 'Partager le lien' : "Publiez d'abord le quiz"}
        onClick={onShare}
      >
        Partager
      </Button>
      <ButtonLink
        to={`/quiz/${quiz.id}/preview`}
        variant="secondary"
        icon={<Eye aria-hidden="true" />}
      >
        Prévisualiser
      </ButtonLink>
      <Button
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
