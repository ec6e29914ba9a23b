import { ArrowDown, ArrowUp, Copy, EllipsisVertical, FileInput, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { itemMenuId } from '#web/editor/fields/field-ids.ts'
import type { ItemActions } from '#web/editor/questions/draft/use-item-actions.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Menu } from '#web/ui/overlay/menu.tsx'
import type { MenuItem } from '#web/ui/overlay/menu-list.tsx'
import { afterPress } from '#web/ui/presses.ts'
import { SortHandle, useSortableItem } from '#web/ui/sorting/sortable.tsx'

/**
 * Position of an item and the actions it allows. Only plain values, so that memoised components compare
 * equal.
 */
export type ItemPlace = {
  page_number: number
  index: number
  page_count: number
  canMoveUp: boolean
  canMoveDown: boolean
  canCopy: boolean
}

const NO_ITEMS: readonly MenuItem[] = []

/**
 * Shows the frame of a question or a text block on its page. The browser skips the layout of a frame that is
 * far off screen.
 */
export const ItemFrame = ({
  id,
  place,
  title,
  kind,
  problem,
  more = NO_ITEMS,
  actions,
  children,
}: {
  id: string
  place: ItemPlace
  /** Title, such as 'Question 2' or 'Bloc de texte 1'. */
  title: string
  /** Type of question, shown next to the title. */
  kind?: string
  /** Point to fix, shown when the focus has left the item. */
  problem?: string | undefined
  /** Additional menu items. */
  more?: readonly MenuItem[]
  actions: ItemActions
  children: ReactNode
}) => {
  const [wasLeft, setLeft] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const sortable = useSortableItem({ id, index: place.index, group: String(place.page_number) })
  return (
    // The padding leaves room for the card's shadow, because painting is clipped at the item.
    <li
      ref={sortable.ref}
      data-item={id}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) afterPress(() => setLeft(true))
      }}
      className="item-card -mx-1 px-1 pt-1"
    >
      <div
        className={`calm-card flex flex-col gap-2 p-3 ${sortable.isDragging ? 'shadow-float ring-2 ring-brand' : ''}`}
      >
        <div className="-mt-1 -ml-2 flex items-center gap-1 sm:gap-2">
          <SortHandle sortable={sortable} label={`Déplacer ${title}`} />
          <h3 className="font-medium">{title}</h3>
          {kind && <span className="text-ink-3">{kind}</span>}
          <div className="ml-auto flex">
            <ItemMenu
              id={id}
              label={`Actions – ${title}`}
              place={place}
              more={more}
              actions={actions}
            />
            <IconButton
              label={`Supprimer ${title}`}
              icon={<Trash2 aria-hidden="true" />}
              onClick={() => actions.remove(id)}
              className="max-sm:hidden"
            />
          </div>
        </div>
        {children}
        {wasLeft && problem && <p className="text-sm text-warn">{problem}</p>}
      </div>
      <button
        type="button"
        aria-haspopup="menu"
        aria-expanded={isAdding}
        onClick={(event) =>
          setAdding(actions.addAfter(id, event.currentTarget, { onClose: () => setAdding(false) }))
        }
        className="add-here flex min-h-6 w-full items-center gap-2 text-sm font-medium text-brand pointer-coarse:min-h-11"
      >
        <Plus aria-hidden="true" className="size-4" />
        Ajouter ici
        <span className="sr-only"> après {title}</span>
      </button>
    </li>
  )
}

/** Shows the menu of an item, with every move that is possible by dragging. */
const ItemMenu = ({
  id,
  label,
  place: { page_number, page_count, canMoveUp, canMoveDown, canCopy },
  more,
  actions,
}: {
  id: string
  label: string
  place: ItemPlace
  /** Additional menu items of this kind of item. */
  more: readonly MenuItem[]
  actions: ItemActions
}) => {
  const others = Array.from({ length: page_count }, (_, index) => index + 1).filter(
    (number) => number !== page_number,
  )
  const toPage = (number: number) => (): void =>
    actions.move(id, { page_number: number, index: Number.POSITIVE_INFINITY })

  return (
    <Menu
      label={label}
      openerId={itemMenuId(id)}
      icon={<EllipsisVertical aria-hidden="true" />}
      items={[
        {
          label: 'Monter',
          icon: <ArrowUp aria-hidden="true" />,
          disabled: !canMoveUp,
          onSelect: () => actions.step(id, -1),
        },
        {
          label: 'Descendre',
          icon: <ArrowDown aria-hidden="true" />,
          disabled: !canMoveDown,
          onSelect: () => actions.step(id, 1),
        },
        ...destinationsOf(others, toPage),
        ...more,
        {
          label: 'Dupliquer',
          icon: <Copy aria-hidden="true" />,
          disabled: !canCopy,
          onSelect: () => actions.copy(id),
        },
        {
          label: 'Supprimer',
          icon: <Trash2 aria-hidden="true" />,
          danger: true,
          onSelect: () => actions.remove(id),
        },
      ]}
    />
  )
}

/**
 * Returns the menu items for moving to another page: a submenu, or one item if there is only one other page.
 */
const destinationsOf = (
  pages: readonly number[],
  toPage: (number: number) => () => void,
): MenuItem[] => {
  const icon = <FileInput aria-hidden="true" />
  const [first, ...more] = pages
  if (first === undefined) return []
  if (more.length === 0)
    return [{ label: `Déplacer vers la page ${first}`, icon, onSelect: toPage(first) }]
  const items = pages.map((number) => ({ label: `Page ${number}`, onSelect: toPage(number) }))
  return [{ label: 'Déplacer vers la page', icon, items }]
}
