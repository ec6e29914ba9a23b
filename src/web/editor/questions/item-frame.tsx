import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { SortHandle, useSortableItem } from '#web/ui/sortable.tsx'
import { ItemMenu, type ItemPlace } from './item-menu.tsx'
import type { ItemActions } from './use-item-actions.ts'

/** The frame of a question or of a text block on its page; far off screen its layout is skipped. */
export const ItemFrame = ({
  id,
  place,
  title,
  kind,
  problem,
  actions,
  children,
}: {
  id: string
  place: ItemPlace
  /** 'Question 2', 'Bloc de texte 1'. */
  title: string
  /** The type of question, shown beside the title. */
  kind?: string
  /** A point to fix, shown once the focus has left the item. */
  problem?: string | undefined
  actions: ItemActions
  children: ReactNode
}) => {
  const [wasLeft, setLeft] = useState(false)
  const sortable = useSortableItem({ id, index: place.index, group: String(place.page_number) })
  return (
    <li
      ref={sortable.ref}
      data-item={id}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setLeft(true)
      }}
      className={`item-card group relative flex gap-1 rounded-xl border bg-paper p-3 sm:gap-2 ${sortable.isDragging ? 'border-brand shadow-float' : 'border-line'}`}
    >
      <SortHandle sortable={sortable} label={`Déplacer ${title}`} />
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div className="flex items-center gap-2">
          <h3 className="font-medium">{title}</h3>
          {kind && <span className="text-ink-3">{kind}</span>}
          <div className="ml-auto flex">
            <ItemMenu id={id} label={`Actions – ${title}`} place={place} actions={actions} />
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
        aria-label={`Ajouter après ${title}`}
        title="Ajouter ici"
        onClick={() => actions.addAfter(id)}
        className="add-here absolute inset-x-8 bottom-0 flex h-4 items-end justify-center text-brand"
      >
        <Plus aria-hidden="true" className="size-4 rounded-full bg-paper" />
      </button>
    </li>
  )
}
