import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { CrashBoundary, CrashedOverlay } from '#web/ui/feedback/crash-boundary.tsx'
import { PRELOAD_DELAY_MS, useLoadFailure } from '#web/ui/feedback/lazy-part.tsx'
import type { MenuGroup, MenuItem, MenuListProps } from './menu-list.tsx'

type Props = {
  label: string
  /** Id of the button. */
  openerId?: string
  icon?: ReactNode
  /** Content of the button in place of an icon. */
  face?: ReactNode
  className?: string
  isFilterable?: boolean
} & ({ items: MenuItem[]; groups?: undefined } | { groups: MenuGroup[]; items?: undefined })

/** Renders a button that opens a menu by a press or by ArrowDown. */
export const Menu = ({
  label,
  openerId,
  icon,
  face,
  className,
  isFilterable,
  items,
  groups = [{ items: items ?? [] }],
}: Props) => {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  usePreload()

  const opener: ComponentProps<'button'> = {
    id: openerId,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? id : undefined,
    onClick: () => setOpen(!isOpen),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      setOpen(true)
    },
  }

  return (
    <div ref={root} className={className}>
      {face ? (
        <button
          {...opener}
          type="button"
          aria-label={label}
          title={label}
          className="inline-flex min-h-9 items-center gap-1 rounded-full px-1 hover:bg-press pointer-coarse:min-h-11"
        >
          {face}
        </button>
      ) : (
        <IconButton
          {...opener}
          label={label}
          icon={icon}
          className={className ? 'menu-opener' : ''}
        />
      )}
      {isOpen && (
        <MenuList
          id={id}
          label={label}
          groups={groups}
          opener={() => root.current?.querySelector('button')}
          isFilterable={isFilterable}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

type MenuModule = typeof import('./menu-list.tsx')
let loaded: MenuModule | undefined

const loadMenuList = async (): Promise<MenuModule> => {
  loaded = await import('./menu-list.tsx')
  return loaded
}

/** Loads the code of open menus soon after a menu button appears. */
const usePreload = (): void =>
  useEffect(() => {
    if (loaded) return
    // A failure is ignored here, because `MenuList` loads again and reports its own failure.
    const timer = setTimeout(() => loadMenuList().catch(() => null), PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])

/** Renders an open menu after its code is loaded. If loading fails, shows an alert and closes the menu. */
export const MenuList = (props: MenuListProps) => {
  const explain = useLoadFailure()
  const [part, setPart] = useState(loaded)
  const onFailure = useEffectEvent((error: unknown): void => {
    props.onClose()
    void explain(error, 'Ce menu n’a pas pu être chargé.')
  })
  useEffect(() => {
    if (part) return
    let isShown = true
    loadMenuList().then(
      (module) => isShown && setPart(module),
      (error: unknown) => isShown && onFailure(error),
    )
    return () => {
      isShown = false
    }
  }, [part])
  const earlyKeys = useEarlyKeys(!part && props.isFilterable === true, props.onClose)
  return (
    part && (
      <CrashBoundary fallback={<CrashedOverlay />}>
        <part.MenuList {...props} earlyKeys={earlyKeys} />
      </CrashBoundary>
    )
  )
}

/** Collects the keys pressed while the code of a menu loads, so that they do not go into the field behind it. */
const useEarlyKeys = (isLoading: boolean, onClose: () => void): readonly KeyboardEvent[] => {
  const [keys] = useState<KeyboardEvent[]>([])
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') onClose()
    else keys.push(event)
  })
  useEffect(() => {
    if (!isLoading) return
    const listener = (event: KeyboardEvent): void => onKey(event)
    document.addEventListener('keydown', listener, true)
    return () => document.removeEventListener('keydown', listener, true)
  }, [isLoading])
  return keys
}
