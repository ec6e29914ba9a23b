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

/** One entry of a menu: an action, or a submenu. */
export type MenuItem = { label: string; icon?: ReactNode; danger?: boolean; disabled?: boolean } & (
  | { onSelect: () => void; items?: undefined }
  | { items: MenuItem[]; onSelect?: undefined }
)
export type MenuGroup = { label?: string; items: MenuItem[] }

export type MenuListProps = {
  id?: string
  label: string
  groups: readonly MenuGroup[]
  /** Returns the element below which the menu opens; it gets the focus back. A button closes the menu itself, a field does not. */
  opener: () => HTMLElement | null | undefined
  /** Edge of the opener that the menu is aligned with. */
  align?: 'start' | 'end'
  onClose: () => void
}

/** An open menu with submenus, in Base UI's parts. The first entry that can be chosen has the focus. */
export const MenuList = ({ id, label, groups, opener, align = 'end', onClose }: MenuListProps) => {
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
  return (
    // Hidden elements that keep Tab inside would be focusable, but Tab closes the menu.
    <span ref={setHost} className="[&_[data-base-ui-focus-guard]]:hidden">
      <Menu.Root open modal={false} highlightItemOnHover={false} onOpenChange={onOpenChange}>
        <Popup
          host={host}
          id={id}
          label={label}
          onTab={close}
          anchor={() => opener() ?? null}
          align={align}
          sideOffset={4}
        >
          {groups.map((group, index) => (
            <Menu.Group key={group.label ?? index}>
              {group.label && (
                <Menu.GroupLabel className="px-3 pt-2 pb-1 text-xs font-medium text-ink-3">
                  {group.label}
                </Menu.GroupLabel>
              )}
              <Items items={group.items} host={host} onSelect={select} onTab={close} />
            </Menu.Group>
          ))}
        </Popup>
      </Menu.Root>
    </span>
  )
}

/** True if a button was pressed that closes its menu itself. */
const isPressOf = ({ target }: Event, opener: HTMLElement | null | undefined): boolean =>
  opener instanceof HTMLButtonElement && opener.contains(target as Node)

type Levels = {
  /** Element that contains the menu and its submenus, so that they belong to the field or dialog around the opener. */
  host: HTMLElement | null
  /** Closes all menus before Tab moves the focus on from the opener. */
  onTab: () => void
}

/** One level of a menu. It is in the top layer, so that no element around its opener cuts it off. */
const Popup = ({
  host,
  id,
  label,
  onTab,
  children,
  ...position
}: Levels & { id?: string | undefined; label: string; children: ReactNode } & Pick<
    ComponentProps<typeof Menu.Positioner>,
    'anchor' | 'align' | 'sideOffset' | 'collisionAvoidance'
  >) => (
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
        // Base UI reads this property, but its types lack it. The focus would come one frame late.
        {...{ initialFocus: false }}
        id={id}
        aria-label={label}
        finalFocus={false}
        onKeyDownCapture={({ key }: KeyboardEvent) => {
          if (key === 'Tab') onTab()
        }}
        className="menu-list max-h-(--available-height) min-w-52 max-w-[calc(100vw-1rem)] overflow-y-auto overscroll-contain rounded-xl bg-paper p-1 text-ink shadow-float"
      >
        {children}
        <FirstFocus />
      </Menu.Popup>
    </Menu.Positioner>
  </Menu.Portal>
)

const showInTopLayer = (element: HTMLElement | null): void => element?.showPopover()

/** Focuses the first entry around it that can be chosen. */
const FirstFocus = () => {
  const here = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const menu = here.current?.closest('[role=menu]')
    menu
      ?.querySelector<HTMLElement>('[role=menuitem]:not([aria-disabled=true])')
      ?.focus({ preventScroll: true })
  }, [])
  return <span ref={here} hidden />
}

const ITEM =
  'flex min-h-10 w-full items-center gap-2.5 rounded-md px-3 text-left text-sm hover:bg-press focus:bg-press aria-disabled:cursor-not-allowed aria-disabled:text-ink-3 aria-expanded:bg-press pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0'

const Items = ({
  items,
  onSelect,
  ...levels
}: Levels & { items: readonly MenuItem[]; onSelect: (item: MenuItem) => void }) =>
  items.map((item) => {
    const { label, icon, danger, disabled } = item
    if (item.items) return <Submenu key={label} item={item} onSelect={onSelect} {...levels} />
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
  ...levels
}: Levels & { item: MenuItem; onSelect: (item: MenuItem) => void }) => {
  const entry = useRef<HTMLElement>(null)
  return (
    <Menu.SubmenuRoot
      highlightItemOnHover={false}
      onOpenChange={(_isOpen, { reason, cancel }) => {
        if (reason === 'escape-key') entry.current?.focus()
        // The pointer passes over other entries on its way to the submenu.
        if (reason === 'sibling-open') cancel()
      }}
    >
      <Menu.SubmenuTrigger
        ref={entry}
        nativeButton
        render={<button type="button" />}
        openOnHover={false}
        // The browser would focus the entry again after the submenu has taken the focus.
        onMouseDown={(event) => event.preventDefault()}
        className={`${ITEM} text-ink`}
      >
        {icon}
        {label}
        <ChevronRight aria-hidden="true" className="ml-auto" />
      </Menu.SubmenuTrigger>
      <Popup
        label={label}
        collisionAvoidance={{ align: 'shift', fallbackAxisSide: 'end' }}
        {...levels}
      >
        <Items items={items} onSelect={onSelect} {...levels} />
      </Popup>
    </Menu.SubmenuRoot>
  )
}
