import { Info, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ExactText } from '#web/french/exact-text.ts'
import { IconButton } from '#web/ui/button.tsx'

const keyOf = (id: string): string => `quizaine-hidden-${id}`

/** Renders an explanation for beginners that can be hidden for good on this device. */
export const InfoBox = ({
  id,
  title,
  children,
}: {
  /** Id that is unique among all boxes. */
  id: string
  title: string
  children: ReactNode
}) => {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(keyOf(id)) !== null)
  if (isHidden) return null
  const hide = (): void => {
    localStorage.setItem(keyOf(id), 'yes')
    setHidden(true)
    // The focused button has disappeared.
    document.querySelector('h1')?.focus({ preventScroll: true })
  }
  return (
    <section className="flex gap-3 rounded-xl bg-brand-wash py-3 pr-2 pl-4 text-sm text-ink">
      <Info aria-hidden="true" className="mt-2.5 size-4 shrink-0 text-brand" />
      <div className="min-w-0 flex-1 py-1.5">
        <h2 className="font-medium text-pretty">
          <ExactText>{title}</ExactText>
        </h2>
        <div className="mt-1 text-ink-2">{children}</div>
      </div>
      <IconButton
        label={`Ne plus afficher « ${title} »`}
        icon={<X aria-hidden="true" />}
        onClick={hide}
      />
    </section>
  )
}
