import { Check, Copy, ExternalLink } from 'lucide-react'
import type { RefObject } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

/** The public link of a published quiz, to copy or to open (spec §2, §4). */
export const ShareLink = ({
  link,
  field,
}: {
  link: string
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
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-8 items-center gap-1.5 text-sm text-brand underline underline-offset-2"
        >
          <ExternalLink aria-hidden="true" className="size-4" />
          Ouvrir le quiz
        </a>
        <span role="status" className="sr-only">
          {isCopied ? 'Lien copié' : ''}
        </span>
      </div>
    </div>
  )
}
