import { type ReactNode, useId, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { type MenuGroup, type MenuItem, MenuList } from './menu-list.tsx'

type Props = {
  label: string
  /** Id of the button. */
  openerId?: string
  icon: ReactNode
  className?: string
} & ({ items: MenuItem[]; groups?: undefined } | { groups: MenuGroup[]; items?: undefined })

/** A menu button: a press or ArrowDown opens its menu. */
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
  const id = useId()

  return (
    <div ref={root} className={className}>
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
