import { Check, Copy, ExternalLink, Mail, MessageCircle } from 'lucide-react'
import { useRef } from 'react'
import { publicPath } from '#domain/questionnaire/access.ts'
import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'
import { TrialLink } from '#web/trial-runs/trial-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { LinkField, OutsideLink } from '#web/ui/form/link-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { type EmbedKind, embedSnippet } from './embed-snippet.ts'
import { ShareCode } from './share-code.tsx'

/** Shows the public link of a published quiz, its QR code and the code that embeds the quiz. */
const ShareDialog = ({
  title,
  quiz,
  onClose,
}: {
  title: string
  quiz: Pick<Quiz, 'id' | 'name' | 'slug' | 'type'>
  onClose: () => void
}) => {
  const link = `${window.location.origin}${publicPath(quiz)}`
  return (
    <Dialog title={title} open onClose={onClose}>
      <ShareLink quiz={quiz} link={link} />
      <ShareCode link={link} fileName={`code-qr-${quiz.id}`} />
      <ShareEmbed link={link} quiz={quiz} />
    </Dialog>
  )
}

export default ShareDialog

/** Shows the public link of a published quiz to copy, open or send (spec §2, §4). */
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

type Props = { link: string; quiz: Pick<Quiz, 'name' | 'type'> }

const KINDS: { kind: EmbedKind; label: string; copied: string }[] = [
  { kind: 'inline', label: 'Dans la page', copied: 'Code de la page copié' },
  { kind: 'popup', label: 'Dans une fenêtre, par un bouton', copied: 'Code du bouton copié' },
]

/** Shows the code that embeds a published quiz in another site. */
const ShareEmbed = (props: Props) => (
  <section
    aria-labelledby="share-embed"
    className="mt-5 flex flex-col gap-3 border-t border-line pt-4"
  >
    <h3 id="share-embed" className="text-sm font-medium">
      Intégrer à un site
    </h3>
    {KINDS.map(({ kind, label, copied }) => (
      <Snippet key={kind} label={label} copied={copied} code={embedSnippet(kind, props)} />
    ))}
  </section>
)

const Snippet = ({ label, copied, code }: { label: string; copied: string; code: string }) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const { isCopied, copy } = useCopy()
  return (
    <div className="flex flex-col gap-2">
      <label className="flex flex-col gap-1 text-sm">
        {label}
        <textarea
          ref={field}
          readOnly
          rows={5}
          value={code}
          onFocus={(event) => event.currentTarget.select()}
          className="w-full resize-none rounded-lg border border-field bg-wash px-3 py-2 font-mono text-xs break-all text-ink"
        />
      </label>
      <div>
        <Button
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          aria-label={isCopied ? undefined : `Copier le code : ${label}`}
          onClick={() => {
            // Selects the code, so that it can be copied by hand if there is no clipboard.
            field.current?.select()
            void copy(code)
          }}
        >
          {isCopied ? 'Copié' : 'Copier le code'}
        </Button>
        <span aria-live="polite" className="sr-only">
          {isCopied ? copied : ''}
        </span>
      </div>
    </div>
  )
}
