import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { SortHandle, useSortableItem } from '#web/ui/sortable.tsx'
import { ItemMenu } from './item-menu.tsx'
import type { Spot } from './page-places.ts'

/** What an item of any kind offers: moving, copying, removing. */
export type ItemGestures = {
  page_count: number
  canCopy: boolean
  onMove: (to: { page_number: number; index: number }) => void
  onCopy: () => void
  onRemove: () => void
}

/** The frame of a question or of a text block on its page. */
export const ItemFrame = ({
  id,
  spot,
  title,
  kind,
  gestures,
  children,
}: {
  id: string
  spot: Spot
  /** 'Question 2', 'Bloc de texte 1'. */
  title: string
  /** A word beside the title. */
  kind?: string
  gestures: ItemGestures
  children: ReactNode
}) => {
  const sortable = useSortableItem({ id, index: spot.index, group: String(spot.page_number) })
  return (
    <li
      ref={sortable.ref}
      data-item={id}
      className={`flex gap-1 rounded-xl border bg-paper p-3 sm:gap-2 ${sortable.isDragging ? 'border-brand shadow-float' : 'border-line'}`}
    >
      <SortHandle sortable={sortable} label={`Déplacer ${title}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div className="flex items-center gap-2">
          <h3 className="font-medium">{title}</h3>
          {kind && <span className="text-ink-3">{kind}</span>}
          <div className="ml-auto flex">
            <ItemMenu {...gestures} label={`Actions – ${title}`} spot={spot} />
            <IconButton
              label={`Supprimer ${title}`}
              icon={<Trash2 aria-hidden="true" />}
              onClick={gestures.onRemove}
              className="max-sm:hidden"
            />
          </div>
        </div>
        {children}
      </div>
    </li>
  )
}
