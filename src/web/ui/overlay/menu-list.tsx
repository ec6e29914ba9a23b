import { ChevronRight } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { placeMenu, type Side } from './place-menu.ts'

/** One entry: an action, or another menu beside this one. */
export type MenuItem = { label: string; icon?: ReactNode; danger?: boolean; disabled?: boolean } & (
  | { onSelect: () => void; items?: undefined }
  | { items: MenuItem[]; onSelect?: undefined }
)
export type MenuGroup = { label?: string; items: MenuItem[] }

type ListProps = {
  id?: string
  label: string
  groups: readonly MenuGroup[]
  /** The element the menu opens by; it gets the focus back. A button closes the menu itself, a field does not. */
  opener: () => HTMLElement | null | undefined
  side?: Side
  onClose: () => void
}

/**
 * An open menu after the ARIA pattern: arrows, Home, End, first letters; Escape closes one level and returns
 * the focus. It is in the top layer, so that nothing around its opener cuts it off.
 */
export const MenuList = ({
  onSelect,
  ...props
}: ListProps & { onSelect?: (item: MenuItem) => void }) => {
  const list = useRef<HTMLDivElement>(null)
  const { opener, side = 'below-end', onClose } = props
  useOpenMenu(list, { opener, side, onClose, isTop: !onSelect })
  const close = (): void => {
    onClose()
    opener()?.focus()
  }
  const select = (item: MenuItem): void => {
    close()
    if (onSelect) onSelect(item)
    else item.onSelect?.()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // The focus goes on from the opener of the first menu, through those in between.
    if (event.key === 'Tab') close()
    else {
      const isBack = event.key === 'Escape' || (onSelect && event.key === 'ArrowLeft')
      if (isBack) close()
      else moveFocus(event, list.current)
      if (isBack || onSelect) event.stopPropagation()
    }
  }
  return (
    <div
      ref={list}
      id={props.id}
      role="menu"
      aria-label={props.label}
      popover="manual"
      onKeyDown={onKeyDown}
      className="menu-list fixed inset-auto m-0 min-w-52 max-w-[calc(100vw-1rem)] overflow-y-auto overscroll-contain rounded-xl bg-paper p-1 text-ink shadow-float"
    >
      {props.groups.map((group, index) => (
        <Group key={group.label ?? index} group={group} onSelect={select} />
      ))}
    </div>
  )
}

/** Shows the menu inside the screen, its first item focused, and closes it on a press outside of it. */
const useOpenMenu = (
  list: RefObject<HTMLDivElement | null>,
  {
    opener,
    side,
    onClose,
    isTop,
  }: Pick<ListProps, 'opener' | 'onClose'> & { side: Side; isTop: boolean },
): void => {
  const place = useEffectEvent((): void => {
    const [menu, from] = [list.current, opener()?.getBoundingClientRect()]
    if (!menu || !from) return
    menu.style.maxHeight = ''
    const { clientWidth, clientHeight } = document.documentElement
    const { left, top, max_height } = placeMenu(
      from,
      { width: menu.offsetWidth, height: menu.offsetHeight },
      { view: { width: clientWidth, height: clientHeight }, side },
    )
    Object.assign(menu.style, {
      left: `${left}px`,
      top: `${top}px`,
      maxHeight: `${max_height}px`,
    })
  })
  const closeOutside = useEffectEvent(({ target }: Event): void => {
    const from = opener()
    const inside = from instanceof HTMLButtonElement ? [list.current, from] : [list.current]
    if (isTop && !inside.some((part) => part?.contains(target as Node))) onClose()
  })
  useLayoutEffect(() => {
    const menu = list.current
    menu?.showPopover()
    place()
    enabledItems(menu)[0]?.focus({ preventScroll: true })
    return () => menu?.hidePopover()
  }, [list])
  useEffect(() => {
    const follow = ({ target }: Event): void => {
      if (target !== list.current) place()
    }
    addEventListener('resize', follow)
    addEventListener('scroll', follow, { capture: true, passive: true })
    document.addEventListener('pointerdown', closeOutside)
    return () => {
      removeEventListener('resize', follow)
      removeEventListener('scroll', follow, { capture: true })
      document.removeEventListener('pointerdown', closeOutside)
    }
  }, [list])
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
      {group.items.map((item) =>
        item.items ? (
          <Submenu key={item.label} item={item} items={item.items} onSelect={onSelect} />
        ) : (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={item.disabled || undefined}
            onClick={item.disabled ? undefined : () => onSelect(item)}
            className={`${ITEM} ${item.danger ? 'text-bad' : 'text-ink'}`}
          >
            {item.icon}
            {item.label}
          </button>
        ),
      )}
    </fieldset>
  )
}

const ITEM =
  'flex min-h-10 w-full items-center gap-2.5 rounded-md px-3 text-left text-sm hover:bg-press focus:bg-press aria-disabled:cursor-not-allowed aria-disabled:text-ink-3 aria-expanded:bg-press pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0'

const Submenu = ({
  item: { label, icon },
  items,
  onSelect,
}: {
  item: MenuItem
  items: MenuItem[]
  onSelect: (item: MenuItem) => void
}) => {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  return (
    <>
      <button
        ref={button}
        type="button"
        role="menuitem"
        tabIndex={-1}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        // Its menu gives the focus back, or another press takes it.
        onFocus={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowRight') return
          event.preventDefault()
          setOpen(true)
        }}
        className={`${ITEM} text-ink`}
      >
        {icon}
        {label}
        <ChevronRight aria-hidden="true" className="ml-auto" />
      </button>
      {isOpen && (
        <MenuList
          id={id}
          label={label}
          groups={[{ items }]}
          opener={() => button.current}
          side="beside"
          onClose={() => setOpen(false)}
          onSelect={onSelect}
        />
      )}
    </>
  )
}

const enabledItems = (list: HTMLElement | null): HTMLElement[] =>
  [...(list?.querySelectorAll<HTMLElement>('[role=menuitem]:not([aria-disabled])') ?? [])].filter(
    (item) => item.closest('[role=menu]') === list,
  )

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
