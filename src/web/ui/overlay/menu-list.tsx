import { Menu } from '@base-ui/react/menu'
import { ChevronRight } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { FilterLine, filterCountLabel } from './filter-line.tsx'
import { filterAfterKey, filterGroups, type PressedKey } from './menu-filter.ts'
import { useTypeAhead } from './type-ahead.ts'

/** Entry of a menu: an action, or a submenu. */
export type MenuItem = { label: string; icon?: ReactNode; danger?: boolean; disabled?: boolean } & (
  | { onSelect: () => void; items?: undefined }
  | { items: MenuItem[]; onSelect?: undefined }
)
/** Group of menu items with an optional heading. */
export type MenuGroup = { label?: string; items: MenuItem[] }

/** Props of a menu list. */
export type MenuListProps = {
  id?: string
  label: string
  groups: readonly MenuGroup[]
  /** Returns the element below which the menu opens, and which gets the focus after the menu is closed. */
  opener: () => HTMLElement | null | undefined
  /** Edge of the opener that the menu is aligned with. */
  align?: 'start' | 'end'
  /** True if typed letters filter the entries. */
  isFilterable?: boolean | undefined
  /** Keys pressed before the menu was shown. */
  earlyKeys?: readonly PressedKey[]
  onClose: () => void
}

/** Renders an open menu with submenus. The first entry that can be chosen gets the focus. */
export const MenuList = ({
  id,
  label,
  groups,
  opener,
  align = 'end',
  isFilterable = false,
  earlyKeys = [],
  onClose,
}: MenuListProps) => {
  const [host, setHost] = useState<HTMLElement | null>(null)
  const close = (): void => {
    onClose()
    opener()?.focus()
  }
  const select = (item: MenuItem): void => {
    close()
    item.onSelect?.()
  }
  const onOpenChange = (_isOpen: boolean, details: Menu.Root.ChangeEventDetails): void => {
    const { reason, event } = details
    if (reason === 'escape-key') close()
    else if (reason === 'outside-press' && !isPressOf(event, opener())) onClose()
    else details.cancel()
  }
  const [filter, setFilter] = useState(() =>
    earlyKeys.reduce((typed, key) => filterAfterKey(typed, key) ?? typed, ''),
  )
  const shown = filter.trim() ? filterGroups(groups, filter) : groups
  const onType = (event: KeyboardEvent): void => {
    const typed = filterAfterKey(filter, event)
    // An erased filter closes the menu, as if the key that opened it had been erased.
    if (typed === undefined && event.key === 'Backspace') close()
    if (typed === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setFilter(typed)
    announceToScreenReader(filterCountLabel(filterGroups(groups, typed), typed))
  }
  return (
    // Hidden elements that keep Tab inside would be focusable, but Tab closes the menu.
    <span ref={setHost} className="[&_[data-base-ui-focus-guard]]:hidden">
      <Menu.Root open modal={false} highlightItemOnHover={false} onOpenChange={onOpenChange}>
        <Popup
          host={host}
          id={id}
          label={label}
          filter={filter}
          onTab={close}
          onType={isFilterable ? onType : undefined}
          anchor={() => opener() ?? null}
          align={align}
          sideOffset={4}
        >
          {isFilterable && <FilterLine filter={filter} isEmpty={shown.length === 0} />}
          {shown.map((group, index) => (
            <Menu.Group key={group.label ?? index}>
              {group.label && (
                <Menu.GroupLabel className="px-3 pt-2 pb-1 text-xs font-medium text-ink-3">
                  {group.label}
                </Menu.GroupLabel>
              )}
              <Items items={group.items} host={host} onSelect={select} />
            </Menu.Group>
          ))}
        </Popup>
      </Menu.Root>
    </span>
  )
}

/** Returns true if the press is on the opener and the opener is a button, which closes the menu itself. */
const isPressOf = ({ target }: Event, opener: HTMLElement | null | undefined): boolean =>
  opener instanceof HTMLButtonElement && opener.contains(target as Node)

type Host = {
  /** Element that contains the menu and its submenus, so that they belong to the field or dialog around the opener. */
  host: HTMLElement | null
}

/** Renders a menu or a submenu in the browser's top layer, so that no element around its opener cuts it off. */
const Popup = ({
  host,
  id,
  label,
  isOpen = true,
  filter = '',
  onTab,
  onType,
  children,
  ...position
}: Host & {
  id?: string | undefined
  label: string
  isOpen?: boolean
  /** Called before Tab moves the focus, in this menu or its submenus. */
  onTab?: () => void
  filter?: string
  /** Called for each key before the menu handles it. */
  onType?: ((event: KeyboardEvent) => void) | undefined
  children: ReactNode
} & Pick<
    ComponentProps<typeof Menu.Positioner>,
    'anchor' | 'align' | 'sideOffset' | 'collisionAvoidance'
  >) => {
  const typeAhead = useTypeAhead()
  return (
    <Menu.Portal container={host}>
      <Menu.Positioner
        {...position}
        ref={showInTopLayer}
        popover="manual"
        positionMethod="fixed"
        collisionPadding={8}
        className="inset-auto m-0 overflow-visible bg-transparent"
      >
        <Menu.Popup
          // Base UI would set the focus one frame late, so `FirstFocus` does it. The types of Base UI lack this property.
          {...{ initialFocus: false }}
          id={id}
          aria-label={label}
          finalFocus={false}
          onKeyDownCapture={(event: KeyboardEvent<HTMLElement>) => {
            if (event.key === 'Tab') onTab?.()
            else (onType ?? typeAhead)(event)
          }}
          className="menu-list max-h-(--available-height) min-w-52 max-w-[calc(100vw-1rem)] overflow-y-auto overscroll-contain rounded-xl bg-paper p-1 text-ink shadow-float"
        >
          {children}
          <FirstFocus isOpen={isOpen} filter={filter} />
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  )
}

const showInTopLayer = (element: HTMLElement | null): void => {
  // React calls a ref again in strict mode, and an open popover refuses to be shown.
  if (element?.matches(':popover-open') === false) element.showPopover()
}

/**
 * Focuses the first entry of its menu that can be chosen, each time the menu opens or its filter changes. The menu
 * itself keeps the keyboard if there is none.
 */
const FirstFocus = ({ isOpen, filter }: { isOpen: boolean; filter: string }) => {
  const marker = useRef<HTMLSpanElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each filter shows other entries
  useEffect(() => {
    if (!isOpen) return
    const menu = marker.current?.closest<HTMLElement>('[role=menu]')
    const first = menu?.querySelector<HTMLElement>('[role=menuitem]:not([aria-disabled=true])')
    ;(first ?? menu)?.focus({ preventScroll: true })
  }, [isOpen, filter])
  return <span ref={marker} hidden />
}

const ITEM =
  'flex min-h-10 w-full items-center gap-2.5 rounded-md px-3 text-left text-sm hover:bg-press focus:bg-press aria-disabled:cursor-not-allowed aria-disabled:text-ink-3 aria-expanded:bg-press pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0'

const Items = ({
  items,
  onSelect,
  host,
}: Host & { items: readonly MenuItem[]; onSelect: (item: MenuItem) => void }) =>
  items.map((item) => {
    const { label, icon, danger, disabled } = item
    if (item.items) return <Submenu key={label} item={item} onSelect={onSelect} host={host} />
    const className = `${ITEM} ${danger ? 'text-bad' : 'text-ink'}`
    // Arrow keys pass over entries that cannot be chosen, because Base UI does not know them.
    if (disabled)
      return (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-disabled="true"
          className={className}
        >
          {icon}
          {label}
        </button>
      )
    return (
      <Menu.Item
        key={label}
        nativeButton
        render={<button type="button" />}
        onClick={(event) => {
          // Base UI would focus the entry again.
          event.preventBaseUIHandler()
          onSelect(item)
        }}
        className={className}
      >
        {icon}
        {label}
      </Menu.Item>
    )
  })

const Submenu = ({
  item: { label, icon, items = [] },
  onSelect,
  host,
}: Host & { item: MenuItem; onSelect: (item: MenuItem) => void }) => {
  const [isOpen, setOpen] = useState(false)
  const entry = useRef<HTMLElement>(null)
  const onOpenChange = (
    isOpening: boolean,
    { reason }: Menu.SubmenuRoot.ChangeEventDetails,
  ): void => {
    // The pointer passes over other entries on its way to the submenu.
    if (reason === 'sibling-open') return
    setOpen(isOpening)
    if (reason === 'escape-key') entry.current?.focus()
  }
  return (
    <Menu.SubmenuRoot open={isOpen} highlightItemOnHover={false} onOpenChange={onOpenChange}>
      <Menu.SubmenuTrigger
        ref={entry}
        nativeButton
        render={<button type="button" />}
        openOnHover={false}
        // Base UI would open the submenu one frame after the press, and then focus this entry again.
        onMouseDown={(event) => event.preventBaseUIHandler()}
        onClick={(event) => {
          event.preventBaseUIHandler()
          setOpen(true)
        }}
        className={`${ITEM} text-ink`}
      >
        {icon}
        {label}
        <ChevronRight aria-hidden="true" className="ml-auto" />
      </Menu.SubmenuTrigger>
      <Popup
        label={label}
        isOpen={isOpen}
        collisionAvoidance={{ align: 'shift', fallbackAxisSide: 'end' }}
        host={host}
      >
        <Items items={items} onSelect={onSelect} host={host} />
      </Popup>
    </Menu.SubmenuRoot>
  )
}
