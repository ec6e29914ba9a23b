import { publicPath } from '#domain/addresses.ts'
import { isSondage, type Quiz } from '#domain/quiz.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { PUBLISH_TITLES } from './publishing.ts'
import { ShareCode } from './share-code.tsx'
import { ShareEmbed } from './share-embed.tsx'
import { ShareLink } from './share-link.tsx'

/** The public link of a published quiz, selected, ready to be copied. */
const ShareDialog = ({
  quiz,
  onClose,
}: {
  quiz: Pick<Quiz, 'id' | 'name' | 'slug' | 'type'>
  onClose: () => void
}) => {
  const link = `${window.location.origin}${publicPath(quiz)}`
  return (
    <Dialog title={PUBLISH_TITLES.share} open onClose={onClose}>
      <ShareLink quizId={quiz.id} link={link} name={quiz.name} />
      <ShareCode link={link} fileName={`code-qr-${quiz.id}`} />
      <ShareEmbed link={link} name={quiz.name} isSondage={isSondage(quiz)} />
    </Dialog>
  )
}

export default ShareDialog
