import { Check, Copy, ExternalLink, Mail, MessageCircle } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

/** The public link of a published quiz, to copy or to open (spec §2, §4). */
export const ShareLink = ({
  link,
  name,
  field,
}: {
  link: string
  name: string
  field: RefObject<HTMLInputElement | null>
}) => {
  const { isCopied, copy } = useCopy()

  return (
    <div className="flex flex-col gap-3">
      <label className="flex flex-col gap-1 text-sm font-medium">
        Lien public
        <input
          ref={field}
          readOnly
          data-initial-focus
          value={link}
          onFocus={(event) => event.currentTarget.select()}
          className="h-10 w-full rounded-lg border border-field bg-wash px-3 text-base font-normal text-ink"
        />
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          onClick={() => {
            // Without a clipboard the link stays selected, to copy by hand.
            field.current?.select()
            void copy(link)
          }}
        >
          {isCopied ? 'Copié' : 'Copier le lien'}
        </Button>
        <OutsideLink href={link} icon={<ExternalLink aria-hidden="true" />}>
          Ouvrir le quiz
        </OutsideLink>
        <OutsideLink href={mailAddress(name, link)} icon={<Mail aria-hidden="true" />}>
          Envoyer par email
        </OutsideLink>
        <OutsideLink href={whatsAppAddress(name, link)} icon={<MessageCircle aria-hidden="true" />}>
          WhatsApp
        </OutsideLink>
        <span role="status" className="sr-only">
          {isCopied ? 'Lien copié' : ''}
        </span>
      </div>
    </div>
  )
}

const mailAddress = (name: string, link: string): string =>
  `mailto:?subject=${encodeURIComponent(name)}&body=${encodeURIComponent(`${name}\n${link}`)}`

/** Opens WhatsApp's own choice of who gets the message. */
const whatsAppAddress = (name: string, link: string): string =>
  `https://wa.me/?text=${encodeURIComponent(`${name}\n${link}`)}`

const OutsideLink = ({
  href,
  icon,
  children,
}: {
  href: string
  icon: ReactNode
  children: ReactNode
}) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className="inline-flex min-h-8 items-center gap-1.5 text-sm text-brand underline underline-offset-2 pointer-coarse:min-h-11 [&_svg]:size-4"
  >
    {icon}
    {children}
  </a>
)
