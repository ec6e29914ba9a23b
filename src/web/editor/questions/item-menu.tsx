import { ArrowDown, ArrowUp, Copy, EllipsisVertical, FileInput, Trash2 } from 'lucide-react'
import { Menu, type MenuItem } from '#web/ui/menu.tsx'
import type { Spot } from './page-places.ts'

/** Everything that dragging does, and more, without dragging. */
export const ItemMenu = ({
  label,
  spot,
  page_count,
  canCopy,
  onMove,
  onCopy,
  onRemove,
}: {
  label: string
  spot: Spot
  page_count: number
  canCopy: boolean
  onMove: (to: { page_number: number; index: number }) => void
  onCopy: () => void
  onRemove: () => void
}) => {
  const { page_number } = spot
  const pages = Array.from({ length: page_count }, (_, index) => index + 1)
  const destinations: MenuItem[] = pages
    .filter((number) => number !== page_number)
    .map((number) => ({
      label: `Déplacer vers la page ${number}`,
      icon: <FileInput aria-hidden="true" />,
      onSelect: () => onMove({ page_number: number, index: Number.POSITIVE_INFINITY }),
    }))

  return (
    <Menu
      label={label}
      icon={<EllipsisVertical aria-hidden="true" />}
      items={[
        {
          label: 'Monter',
          icon: <ArrowUp aria-hidden="true" />,
          disabled: !spot.above,
          onSelect: () => spot.above && onMove(spot.above),
        },
        {
          label: 'Descendre',
          icon: <ArrowDown aria-hidden="true" />,
          disabled: !spot.below,
          onSelect: () => spot.below && onMove(spot.below),
        },
        ...destinations,
        {
          label: 'Dupliquer',
          icon: <Copy aria-hidden="true" />,
          disabled: !canCopy,
          onSelect: onCopy,
        },
        {
          label: 'Supprimer',
          icon: <Trash2 aria-hidden="true" />,
          danger: true,
          onSelect: onRemove,
        },
      ]}
    />
  )
}
