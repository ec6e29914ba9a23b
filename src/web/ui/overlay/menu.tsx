import { type ComponentProps, type ReactNode, useId, useRef, useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { type MenuGroup, type MenuItem, MenuList } from './menu-list.tsx'

type Props = {
  label: string
  /** Id of the button. */
  openerId?: string
  icon?: ReactNode
  /** What the button shows in place of an icon. */
  face?: ReactNode
  className?: string
} & ({ items: MenuItem[]; groups?: undefined } | { groups: MenuGroup[]; items?: undefined })

/** A menu button: a press or ArrowDown opens its menu. */
export const Menu = ({
  label,
  openerId,
  icon,
  face,
  className,
  items,
  groups = [{ items: items ?? [] }],
}: Props) => {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()

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
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
