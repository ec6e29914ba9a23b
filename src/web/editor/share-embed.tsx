import { Check, Copy } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/use-copy.ts'
import { type EmbedKind, embedSnippet } from './embed-snippet.ts'

type Props = { link: string; name: string; isSondage: boolean }

const KINDS: { kind: EmbedKind; label: string; copied: string }[] = [
  { kind: 'inline', label: 'Dans la page', copied: 'Code de la page copié' },
  { kind: 'popup', label: 'Dans une fenêtre, par un bouton', copied: 'Code du bouton copié' },
]

/** The code that shows a published quiz on another site. */
export const ShareEmbed = (props: Props) => (
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
            // Without a clipboard the code stays selected, to copy by hand.
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
