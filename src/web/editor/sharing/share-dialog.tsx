import { ExternalLink, Mail, MessageCircle } from 'lucide-react'
import { publicPath } from '#domain/questionnaire/access.ts'
import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { AccessNotes } from '#web/editor/publishing/access-notes.tsx'
import { TrialLink } from '#web/trial-runs/trial-link.tsx'
import { LinkField, OutsideLink } from '#web/ui/form/link-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ShareCode } from './share-code.tsx'
import { ShareEmbed } from './share-embed.tsx'

/** Shows the public link of a published quiz, its QR code and its code for other sites. */
const ShareDialog = ({
  title,
  quiz,
  onClose,
}: {
  title: string
  quiz: Quiz
  onClose: () => void
}) => {
  const link = `${window.location.origin}${publicPath(quiz)}`
  return (
    <Dialog title={title} open onClose={onClose}>
      <AccessNotes quiz={quiz} />
      <ShareLink quiz={quiz} link={link} />
      <ShareCode link={link} fileName={`code-qr-${quiz.id}`} />
      <ShareEmbed link={link} quiz={quiz} />
    </Dialog>
  )
}

export default ShareDialog

/** Shows the public link of a published quiz to copy, open or send (product 7.15). */
const ShareLink = ({ quiz, link }: { quiz: Pick<Quiz, 'id' | 'name' | 'type'>; link: string }) => (
  <LinkField label="Lien public" link={link}>
    <OutsideLink href={link} icon={<ExternalLink aria-hidden="true" />}>
      Ouvrir le {quizNoun(quiz)}
    </OutsideLink>
    <TrialLink quizId={quiz.id} />
    <OutsideLink href={mailAddress(quiz.name, link)} icon={<Mail aria-hidden="true" />}>
      Envoyer par email
    </OutsideLink>
    <OutsideLink
      href={whatsAppAddress(quiz.name, link)}
      icon={<MessageCircle aria-hidden="true" />}
    >
      WhatsApp
    </OutsideLink>
  </LinkField>
)

const mailAddress = (name: string, link: string): string =>
  `mailto:?subject=${encodeURIComponent(name)}&body=${encodeURIComponent(`${name}\n${link}`)}`

/** Returns a link that opens WhatsApp, where the creator chooses the recipients. */
const whatsAppAddress = (name: string, link: string): string =>
  `https://wa.me/?text=${encodeURIComponent(`${name}\n${link}`)}`
