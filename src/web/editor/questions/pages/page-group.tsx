import { Trash2 } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { pageHeadingId } from '#web/editor/fields/field-ids.ts'
import type { AnswerFields } from '#web/editor/questions/answers/answer-row.tsx'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import type { ItemActions } from '#web/editor/questions/draft/use-item-actions.ts'
import type { ItemEntry } from '#web/editor/questions/draft/use-item-entries.ts'
import { PageItem } from '#web/editor/questions/items/page-item.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { useDropZone } from '#web/ui/sorting/sortable.tsx'
import { AddChips } from './add-chips.tsx'
import { type PageActions, PageMenu } from './page-menu.tsx'

type PageGroupProps = {
  page_number: number
  page_count: number
  canCopyPage: boolean
  canSplitPages: boolean
  isUnreached: boolean
  entries: readonly ItemEntry[]
  /** Number of entries rendered so far. */
  shown_count: number
  canAddQuestions: boolean
  canAddBlocks: boolean
  answerFields: AnswerFields
  isVirtualised: boolean
  actions: ItemActions
  pageActions: PageActions
  change: ChangeQuestions
}

/**
 * Shows one page with its items. Memoised, so that it renders only when something on the page has changed.
 */
export const PageGroup = memo(function PageGroup({
  page_number,
  page_count,
  canCopyPage,
  canSplitPages,
  isUnreached,
  entries,
  shown_count,
  canAddQuestions,
  canAddBlocks,
  answerFields,
  isVirtualised,
  actions,
  pageActions,
  change,
}: PageGroupProps) {
  return (
    <PageSection
      number={page_number}
      item_count={entries.length}
      isUnreached={isUnreached}
      menu={
        <PageMenu
          number={page_number}
          page_count={page_count}
          canCopy={canCopyPage}
          canSplit={canSplitPages}
          actions={pageActions}
        />
      }
      chips={
        <AddChips
          page_number={page_number}
          canAddQuestions={canAddQuestions}
          canAddBlocks={canAddBlocks}
          actions={actions}
        />
      }
      onDelete={pageActions.remove}
    >
      {entries.slice(0, shown_count).map(({ id, content, ...entry }, index) => (
        <PageItem
          key={id}
          content={content}
          {...entry}
          page_number={page_number}
          index={index}
          page_count={page_count}
          canMoveUp={index > 0 || page_number > 1}
          canMoveDown={index < entries.length - 1 || page_number < page_count}
          canCopy={'answers' in content ? canAddQuestions : canAddBlocks}
          answerFields={answerFields}
          isVirtualised={isVirtualised}
          actions={actions}
          change={change}
        />
      ))}
    </PageSection>
  )
})

/** Shows one page of the questionnaire; an empty page is a drop zone (product 7.10). */
const PageSection = ({
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
  /** True if no run reaches the page. */
  isUnreached: boolean
  /** Menu of the page. */
  menu: ReactNode
  /** Buttons that add items to an empty page. */
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
      {/* Negative margin, because the menu is higher than the line on touch screens. */}
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
        {/* Hidden on wide screens, because the outline shows the menu there. */}
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
