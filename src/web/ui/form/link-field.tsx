import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

/** Renders a link that is selected on focus, with a copy button and further actions. */
export const LinkField = ({
  label,
  link,
  takesFocus = false,
  children,
}: {
  label: string
  link: string
  /** True if the field gets the focus first in its dialog. */
  takesFocus?: boolean
  children?: ReactNode
}) => {
  const { isCopied, copy } = useCopy()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  return (
    <div className="flex flex-col gap-3">
      <label className="flex flex-col gap-1 text-sm font-medium">
        {label}
        <input
          ref={field}
          readOnly
          data-initial-focus
          value={link}
          onFocus={(event) => event.currentTarget.select()}
          className="h-10 pointer-coarse:h-11 w-full rounded-lg border border-field bg-wash px-3 text-base font-normal text-ink"
        />
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          onClick={() => {
            // The link stays selected, so that the creator can copy it by hand if the clipboard is not allowed.
            field.current?.select()
            void copy(link)
          }}
        >
          {isCopied ? 'Copié' : 'Copier le lien'}
        </Button>
        {children}
        <span role="status" className="sr-only">
          {isCopied ? 'Lien copié' : ''}
        </span>
      </div>
    </div>
  )
}

/** Renders a link that opens a new tab. */
export const OutsideLink = ({
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
