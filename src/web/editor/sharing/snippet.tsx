import { Check, Copy } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

/** Texts of a field with code: its label, its button, and the announcement after a press. */
export type SnippetLabels = { field: string; copy: string; copied: string }

/** Shows code in a field that is selected on focus, with a button that copies it. */
export const Snippet = ({ code, labels }: { code: string; labels: SnippetLabels }) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const { isCopied, copy } = useCopy()
  return (
    <div className="flex flex-col gap-2">
      <label className="flex flex-col gap-1 text-sm font-medium">
        {labels.field}
        <textarea
          ref={field}
          readOnly
          rows={6}
          value={code}
          onFocus={(event) => event.currentTarget.select()}
          className="w-full resize-none rounded-lg border border-field bg-wash px-3 py-2 font-mono text-xs font-normal break-all text-ink"
        />
      </label>
      <div>
        <Button
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          onClick={() => {
            // Selects the code, so that it can be copied by hand if there is no clipboard.
            field.current?.select()
            void copy(code)
          }}
        >
          {isCopied ? 'Copié' : labels.copy}
        </Button>
        <span aria-live="polite" className="sr-only">
          {isCopied ? labels.copied : ''}
        </span>
      </div>
    </div>
  )
}
