import { ExternalLink, Mail, MessageCircle } from 'lucide-react'
import { publicPath } from '#domain/questionnaire/access.ts'
import { isUnopened } from '#domain/questionnaire/access-dates.ts'
import { openingSentence } from '#domain/questionnaire/access-sentences.ts'
import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { TrialLink } from '#web/trial-runs/trial-link.tsx'
import { LinkField, OutsideLink } from '#web/ui/form/link-field.tsx'
import { useZone, withZone } from '#web/ui/moments.ts'
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
  quiz: Pick<Quiz, 'id' | 'name' | 'slug' | 'type' | 'opens_at'>
  onClose: () => void
}) => {
  const link = `${window.location.origin}${publicPath(quiz)}`
  return (
    <Dialog title={title} open onClose={onClose}>
      <OpeningNote opens_at={quiz.opens_at} />
      <ShareLink quiz={quiz} link={link} />
      <ShareCode link={link} fileName={`code-qr-${quiz.id}`} />
      <ShareEmbed link={link} quiz={quiz} />
    </Dialog>
  )
}

export default ShareDialog

/** Shows when a quiz opens, if the link still leads to the message before the opening. */
const OpeningNote = ({ opens_at }: Pick<Quiz, 'opens_at'>) => {
  const zone = useZone()
  const now = Date.now()
  if (opens_at === null || !isUnopened({ opens_at }, now)) return null
  return (
    <p className="mb-3 rounded-lg bg-brand-wash px-3 py-2 text-sm text-brand">
      {withZone(openingSentence(opens_at, { now, ...zone }), zone)}. Avant cette date, le lien
      annonce l’ouverture.
    </p>
  )
}

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
