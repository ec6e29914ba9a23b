import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'

type Tab = { id: string; label: string; content: ReactNode }

/** Tabs after the ARIA pattern: arrows move between them, Home and End go to the ends. */
export const Tabs = ({
  label,
  tabs,
  asked = null,
}: {
  label: string
  tabs: Tab[]
  /** A tab that is to be shown now; another object each time. */
  asked?: { id: string } | null
}) => {
  const [selected, setSelected] = useState(tabs[0]?.id)
  const [shown, setShown] = useState(asked)
  if (asked !== shown) {
    setShown(asked)
    if (asked) setSelected(asked.id)
  }
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  const onKeyDown = (event: KeyboardEvent): void => {
    const index = tabs.findIndex((tab) => tab.id === selected)
    const targets: Record<string, number> = {
      ArrowRight: (index + 1) % tabs.length,
      ArrowLeft: (index + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }
    const target = tabs[targets[event.key] ?? -1]
    if (!target) return
    event.preventDefault()
    setSelected(target.id)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${target.id}`)}`)?.focus()
  }

  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="mb-6 flex flex-wrap gap-x-4 border-b border-line"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab.id === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => setSelected(tab.id)}
            className="-mb-px min-h-10 border-b-2 border-transparent px-1 text-sm font-medium text-ink-2 aria-selected:border-brand aria-selected:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${selected}`}>
        {tabs.find((tab) => tab.id === selected)?.content}
      </div>
    </div>
  )
}
