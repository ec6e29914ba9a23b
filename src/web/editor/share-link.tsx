import { Check, Copy, ExternalLink } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'

/** Spec §9 « Copied-state display ». */
const COPIED_MS = 2_000

/** The public link of a published quiz, to copy or to open (spec §2, §4). */
export const ShareLink = ({ quizId }: { quizId: string }) => {
  const link = `${window.location.origin}/q/${quizId}`
  const field = useRef<HTMLInputElement>(null)
  const [copiedAt, setCopiedAt] = useState(0)
  const isCopied = copiedAt > 0

  useEffect(() => {
    if (copiedAt === 0) return
    const timer = setTimeout(() => setCopiedAt(0), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copiedAt])

  const copy = async (): Promise<void> => {
    field.current?.select()
    // Only secure origins have a clipboard; elsewhere the link stays selected, to copy by hand.
    if (!navigator.clipboard) return
    await navigator.clipboard.writeText(link)
    setCopiedAt(Date.now())
  }

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
          onClick={copy}
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
