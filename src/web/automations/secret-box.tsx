import { Check, Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

/** The secret of a webhook, the one time that it is shown; the focus comes to a new one. */
export const SecretBox = ({
  secret,
  isNew,
  onClose,
}: {
  secret: string
  isNew: boolean
  onClose: () => void
}) => {
  const { isCopied, copy } = useCopy()
  const title = useRef<HTMLHeadingElement>(null)
  const code = useRef<HTMLElement>(null)
  const takesFocus = useRef(isNew)
  useEffect(() => {
    if (takesFocus.current) title.current?.focus()
  }, [])
  const copySecret = async (): Promise<void> => {
    // Without a clipboard the secret stays selected, to copy by hand.
    if (!(await copy(secret)) && code.current) getSelection()?.selectAllChildren(code.current)
  }
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-brand-wash p-3 text-sm">
      <h4 ref={title} tabIndex={-1} className="font-semibold">
        Secret du webhook
      </h4>
      <p>
        Copiez-le maintenant : il ne sera plus montré. Il sert à vérifier que chaque envoi vient de
        Quizaine.
      </p>
      <code ref={code} className="rounded-md bg-paper p-2 wrap-anywhere">
        {secret}
      </code>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          onClick={() => void copySecret()}
        >
          {isCopied ? 'Copié' : 'Copier le secret'}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Masquer le secret
        </Button>
      </div>
    </div>
  )
}
