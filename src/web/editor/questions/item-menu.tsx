import { ArrowDown, ArrowUp, Copy, EllipsisVertical, FileInput, Trash2 } from 'lucide-react'
import { Menu } from '#web/ui/menu.tsx'
import type { MenuItem } from '#web/ui/menu-list.tsx'
import { itemMenuId } from './question-words.ts'
import type { ItemActions } from './use-item-actions.ts'

/** The place of an item and what it allows; plain values, so that memoised components compare equal. */
export type ItemPlace = {
  page_number: number
  index: number
  page_count: number
  canMoveUp: boolean
  canMoveDown: boolean
  canCopy: boolean
}

/** The actions on an item, among them every move that dragging can do. */
export const ItemMenu = ({
  id,
  label,
  place: { page_number, page_count, canMoveUp, canMoveDown, canCopy },
  more,
  actions,
}: {
  id: string
  label: string
  place: ItemPlace
  /** What this kind of item offers besides. */
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

/** The pages as a menu of their own; a single one needs none. */
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
