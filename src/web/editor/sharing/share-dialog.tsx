import { ExternalLink, Mail, MessageCircle, PenLine } from 'lucide-react'
import { publicPath } from '#domain/questionnaire/access.ts'
import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { AccessNotes } from '#web/editor/publishing/access-notes.tsx'
import { TrialLink } from '#web/trial-runs/trial-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { LinkField, OutsideLink } from '#web/ui/form/link-field.tsx'
import { HelpLink } from '#web/ui/help-link.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { SharePrefilled } from './prefilled-links/share-prefilled.tsx'
import { ShareCode } from './share-code.tsx'
import { ShareEmbed } from './share-embed.tsx'

/** Shows the public link of a published quiz, its QR code and its code for other sites. */
const ShareDialog = ({
  title,
  quiz,
  onAddress,
  onClose,
}: {
  title: string
  quiz: Quiz
  /** Closes the dialog and leads to the field of the address. */
  onAddress: () => void
  onClose: () => void
}) => {
  const link = `${window.location.origin}${publicPath(quiz)}`
  return (
    <Dialog title={title} open onClose={onClose}>
      <HelpLink about="partager" page="partager" />
      <AccessNotes quiz={quiz} />
      <ShareLink quiz={quiz} link={link} onAddress={onAddress} />
      <SharePrefilled link={link} quiz={quiz} />
      <ShareCode link={link} fileName={`code-qr-${quiz.id}`} />
      <ShareEmbed link={link} quiz={quiz} />
    </Dialog>
  )
}

export default ShareDialog

/** Shows the public link of a published quiz to copy, open or send (product 7.15). */
const ShareLink = ({
  quiz,
  link,
  onAddress,
}: {
  quiz: Pick<Quiz, 'id' | 'name' | 'slug' | 'type'>
  link: string
  onAddress: () => void
}) => (
  <LinkField label="Lien public" link={link}>
    <Button onClick={onAddress} icon={<PenLine aria-hidden="true" />}>
      {quiz.slug === null ? 'Choisir l’adresse' : 'Changer l’adresse'}
    </Button>
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
