import { Dialog } from '#web/ui/dialog.tsx'
import { PUBLISH_TITLES } from './publishing.ts'
import { ShareLink } from './share-link.tsx'

/** Where visitors take a published quiz. */
export const ShareDialog = ({
  quizId,
  open,
  onClose,
}: {
  quizId: string
  open: boolean
  onClose: () => void
}) => (
  <Dialog title={PUBLISH_TITLES.share} open={open} onClose={onClose}>
    <ShareLink quizId={quizId} />
  </Dialog>
)
