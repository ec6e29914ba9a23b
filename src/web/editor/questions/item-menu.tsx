import { ArrowDown, ArrowUp, Copy, EllipsisVertical, FileInput, Trash2 } from 'lucide-react'
import { Menu, type MenuItem } from '#web/ui/menu.tsx'
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

// Shared: a long questionnaire has one menu per item, with one entry per page.
const TO_PAGE = <FileInput aria-hidden="true" />

/** The actions on an item, among them every move that dragging can do. */
export const ItemMenu = ({
  id,
  label,
  place: { page_number, page_count, canMoveUp, canMoveDown, canCopy },
  actions,
}: {
  id: string
  label: string
  place: ItemPlace
  actions: ItemActions
}) => {
  const pages = Array.from({ length: page_count }, (_, index) => index + 1)
  const destinations: MenuItem[] = pages
    .filter((number) => number !== page_number)
    .map((number) => ({
      label: `Déplacer vers la page ${number}`,
      icon: TO_PAGE,
      onSelect: () => actions.move(id, { page_number: number, index: Number.POSITIVE_INFINITY }),
    }))

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
        ...destinations,
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
