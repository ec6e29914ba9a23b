import { Check, Copy } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

/** Renders a button that copies a text. If the browser refuses, the text is shown and selected for copying by hand. */
export const CopyText = ({
  label,
  announcement,
  read,
}: {
  label: string
  /** Text for screen readers and below the button after the copy. */
  announcement: string
  /** Returns the text; undefined if there is nothing to copy yet. */
  read: () => string | undefined
}) => {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setCopied] = useState(false)
  const [uncopied, setUncopied] = useState<string>()
  const clipboard = useCopy()
  useEffect(() => {
    if (uncopied === undefined) return
    field.current?.focus()
    field.current?.select()
  }, [uncopied])

  const copyNow = async (): Promise<void> => {
    const text = read()
    setCopied(false)
    setUncopied(undefined)
    if (text === undefined) return
    if (await clipboard.copy(text)) setCopied(true)
    else setUncopied(text)
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Button
        icon={clipboard.isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        onClick={() => void copyNow()}
        className="self-start"
      >
        {label}
      </Button>
      <p role="status" className="text-sm text-ink-2 empty:hidden">
        {isCopied ? announcement : ''}
      </p>
      {uncopied !== undefined && (
        <div className="flex flex-col gap-1">
          <label htmlFor={id} className="text-sm">
            Le navigateur n’a pas permis la copie : copiez ce texte, déjà sélectionné.
          </label>
          <textarea
            ref={field}
            id={id}
            readOnly
            rows={6}
            value={uncopied}
            onFocus={(event) => event.currentTarget.select()}
            className="w-full resize-none rounded-lg border border-field bg-wash px-3 py-2 font-mono text-xs text-ink"
          />
        </div>
      )}
    </div>
  )
}
