import { ExternalLink, Mail, MessageCircle } from 'lucide-react'
import { TestLink } from '#web/test-runs/test-link.tsx'
import { LinkField, OutsideLink } from '#web/ui/link-field.tsx'

/** The public link of a published quiz, to copy or to open (spec §2, §4). */
export const ShareLink = ({
  quizId,
  link,
  name,
}: {
  quizId: string
  link: string
  name: string
}) => (
  <LinkField label="Lien public" link={link}>
    <OutsideLink href={link} icon={<ExternalLink aria-hidden="true" />}>
      Ouvrir le quiz
    </OutsideLink>
    <TestLink quizId={quizId} />
    <OutsideLink href={mailAddress(name, link)} icon={<Mail aria-hidden="true" />}>
      Envoyer par email
    </OutsideLink>
    <OutsideLink href={whatsAppAddress(name, link)} icon={<MessageCircle aria-hidden="true" />}>
      WhatsApp
    </OutsideLink>
  </LinkField>
)

const mailAddress = (name: string, link: string): string =>
  `mailto:?subject=${encodeURIComponent(name)}&body=${encodeURIComponent(`${name}\n${link}`)}`

/** Opens WhatsApp's own choice of who gets the message. */
const whatsAppAddress = (name: string, link: string): string =>
  `https://wa.me/?text=${encodeURIComponent(`${name}\n${link}`)}`
