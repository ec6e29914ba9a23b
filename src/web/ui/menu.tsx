import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { IconButton } from './button.tsx'

export type MenuItem = {
  label: string
  icon?: ReactNode
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
}
type MenuGroup = { label?: string; items: MenuItem[] }

type Props = {
  label: string
  /** Id of the button. */
  openerId?: string
  icon: ReactNode
  className?: string
} & ({ items: MenuItem[]; groups?: undefined } | { groups: MenuGroup[]; items?: undefined })

/** A menu button after the ARIA pattern: arrows, Home, End, first letters; Escape returns the focus. */
export const Menu = ({
  label,
  openerId,
  icon,
  className,
  items,
  groups = [{ items: items ?? [] }],
}: Props) => {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  const close = (): void => {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }
  const select = (item: MenuItem): void => {
    close()
    item.onSelect()
  }

  useLayoutEffect(() => {
    if (isOpen) enabledItems(list.current)[0]?.focus()
  }, [isOpen])
  useEffect(() => {
    if (!isOpen) return
    const onPointer = (event: PointerEvent): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPointer)
    return () => document.removeEventListener('pointerdown', onPointer)
  }, [isOpen])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') setOpen(false)
    else if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else moveFocus(event, list.current)
  }

  return (
    <div ref={root} className={`relative ${className ?? ''}`}>
      <IconButton
        id={openerId}
        label={label}
        icon={icon}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
        className={className ? 'menu-opener' : ''}
      />
      {isOpen && (
        <div
          ref={list}
          id={id}
          role="menu"
          aria-label={label}
          onKeyDown={onKeyDown}
          className="menu-list absolute right-0 z-30 mt-1 min-w-52 rounded-xl bg-paper p-1 shadow-float"
        >
          {groups.map((group, index) => (
            <Group key={group.label ?? index} group={group} onSelect={select} />
          ))}
        </div>
      )}
    </div>
  )
}

const Group = ({ group, onSelect }: { group: MenuGroup; onSelect: (item: MenuItem) => void }) => {
  const id = useId()
  return (
    <fieldset aria-labelledby={group.label ? id : undefined}>
      {group.label && (
        <p id={id} role="presentation" className="px-3 pt-2 pb-1 text-xs font-medium text-ink-3">
          {group.label}
        </p>
      )}
      {group.items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-disabled={item.disabled || undefined}
          onClick={item.disabled ? undefined : () => onSelect(item)}
          className={`flex min-h-10 pointer-coarse:min-h-11 w-full items-center gap-2.5 rounded-md px-3 text-left text-sm hover:bg-press focus:bg-press aria-disabled:cursor-not-allowed aria-disabled:text-ink-3 [&_svg]:size-4 [&_svg]:shrink-0 ${item.danger ? 'text-bad' : 'text-ink'}`}
        >
          {item.icon}
          {item.label}
        </button>
      ))}
    </fieldset>
  )
}

const enabledItems = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[role=menuitem]:not([aria-disabled])') ?? []),
]

const moveFocus = (event: KeyboardEvent, list: HTMLElement | null): void => {
  const items = enabledItems(list)
  const index = items.indexOf(document.activeElement as HTMLElement)
  const target = targetOf(event.key, items, index)
  if (!target) return
  event.preventDefault()
  target.focus()
}

const targetOf = (key: string, items: HTMLElement[], index: number): HTMLElement | undefined => {
  switch (key) {
    case 'ArrowDown':
      return items[(index + 1) % items.length]
    case 'ArrowUp':
      return items.at(index <= 0 ? -1 : index - 1)
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
    default: {
      if (key.length !== 1) return undefined
      const after = [...items.slice(index + 1), ...items.slice(0, index + 1)]
      return after.find(({ textContent }) =>
        textContent?.toLowerCase().startsWith(key.toLowerCase()),
      )
    }
  }
}
