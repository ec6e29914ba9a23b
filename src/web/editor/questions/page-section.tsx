import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { useDropZone } from '#web/ui/sortable.tsx'
import { pageHeadingId } from './question-words.ts'

/** One page of the questionnaire; an empty one is a drop zone (spec §2 « Questions screen »). */
export const PageSection = ({
  number,
  item_count,
  isUnreached,
  menu,
  chips,
  onDelete,
  children,
}: {
  number: number
  item_count: number
  /** Whether no run comes to it. */
  isUnreached: boolean
  /** The actions on the whole page. */
  menu: ReactNode
  /** What an empty page can be given. */
  chips: ReactNode
  onDelete: (number: number) => void
  children: ReactNode
}) => {
  const zone = useDropZone(String(number))
  const isEmpty = item_count === 0
  return (
    <section
      ref={zone.ref}
      aria-labelledby={pageHeadingId(number)}
      data-page={number}
      style={{ containIntrinsicBlockSize: `auto ${HEAD_REM + item_count * ITEM_REM}rem` }}
      className="page-card flex flex-col gap-2 rounded-xl bg-wash p-2 sm:p-4"
    >
      {/* The menu is larger for a finger than the line. */}
      <div className="flex min-h-9 items-center px-1 max-xl:pointer-coarse:-my-1">
        <div className="mr-auto flex flex-wrap items-baseline gap-x-3">
          <h2 id={pageHeadingId(number)} tabIndex={-1} className="text-lg font-semibold">
            Page {number}
          </h2>
          {isUnreached && <p className="text-sm text-warn">Jamais atteinte : tout mène ailleurs</p>}
        </div>
        {isEmpty && (
          <IconButton
            label={`Supprimer la page ${number}`}
            icon={<Trash2 aria-hidden="true" />}
            onClick={() => onDelete(number)}
          />
        )}
        {/* From this width on it is in the outline. */}
        <div className="xl:hidden">{menu}</div>
      </div>
      {isEmpty && (
        <div
          className={`flex flex-col items-center gap-4 rounded-xl border-2 border-dashed p-4 text-center text-ink-2 sm:p-6 ${zone.isDropTarget ? 'border-brand bg-brand-wash' : 'border-line'}`}
        >
          <p>Glissez un élément ici</p>
          {chips}
        </div>
      )}
      <ol className="flex flex-col empty:hidden">{children}</ol>
    </section>
  )
}

/** Estimated heights of a page head and of an item until they are rendered. */
const HEAD_REM = 10
const ITEM_REM = 28
