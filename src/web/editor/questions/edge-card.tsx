import { Plus } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { PAGE_DEFAULTS, type QuizPage } from '#domain/quiz.ts'
import { pageFieldId } from '#web/editor/publish-targets.ts'
import { Button } from '#web/ui/button.tsx'
import type { EdgeProps } from './edge-form.tsx'
import { lazyFields } from './lazy-fields.tsx'

const EdgeForm = lazyFields(() => import('./edge-form.tsx'))

const WORDS = {
  welcome: { title: 'Accueil', add: 'Ajouter un accueil' },
  end: { title: 'Fin', add: 'Personnaliser la fin' },
}

const isWritten = ({ quiz, kind }: EdgeProps): boolean =>
  (Object.keys(PAGE_DEFAULTS) as (keyof QuizPage)[]).some(
    (name) => name.startsWith(`${kind}_`) && quiz[name] !== null,
  )

/** The screen before the first page or after the last one: one line until it is written. */
export const EdgeCard = ({ page_number, ...props }: EdgeProps & { page_number: number }) => {
  const card = useRef<HTMLElement>(null)
  const isAsked = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const { title, add } = WORDS[props.kind]
  const isShown = isOpen || isWritten(props)
  useEffect(() => {
    if (isOpen && isAsked.current) card.current?.focus()
    isAsked.current = false
  }, [isOpen])
  if (!isShown)
    return (
      <Button
        variant="ghost"
        size="compact"
        id={pageFieldId(props.kind)}
        icon={<Plus aria-hidden="true" />}
        onClick={() => {
          isAsked.current = true
          setOpen(true)
        }}
        className="-my-2 self-start"
      >
        {add}
      </Button>
    )
  return (
    <section
      ref={card}
      id={pageFieldId(props.kind)}
      tabIndex={-1}
      aria-label={title}
      data-page={page_number}
      // It stays while its last word is erased: the focus is in it.
      onFocus={() => setOpen(true)}
      className="calm-card flex flex-col gap-3 p-4"
    >
      <h2 className="text-sm font-semibold">{title}</h2>
      <Suspense fallback={<div className="h-64" />}>
        <EdgeForm {...props} />
      </Suspense>
    </section>
  )
}
