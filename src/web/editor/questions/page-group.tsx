import { memo } from 'react'
import { AddChips } from './add-chips.tsx'
import type { Scoring } from './answer-row.tsx'
import { PageItem } from './page-item.tsx'
import { type PageActions, PageMenu } from './page-menu.tsx'
import { PageSection } from './page-section.tsx'
import type { Entry } from './use-entries.ts'
import type { ItemActions } from './use-item-actions.ts'
import type { ChangeQuestions } from './use-questions.ts'

type PageGroupProps = {
  page_number: number
  page_count: number
  canCopyPage: boolean
  isUnreached: boolean
  entries: readonly Entry[]
  /** How many of the entries are rendered so far. */
  shown_count: number
  canAddQuestions: boolean
  canAddBlocks: boolean
  scoring: Scoring
  isVirtualised: boolean
  actions: ItemActions
  pageActions: PageActions
  change: ChangeQuestions
}

/** One page with its items, rendered again only when something on it has changed. */
export const PageGroup = memo(function PageGroup({
  page_number,
  page_count,
  canCopyPage,
  isUnreached,
  entries,
  shown_count,
  canAddQuestions,
  canAddBlocks,
  scoring,
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
          actions={pageActions}
        />
      }
      chips={
        <AddChips
          page_number={page_number}
          canAddQuestions={canAddQuestions}
          canAddBlocks={canAddBlocks}
          onAdd={actions.addToPage}
        />
      }
      onDelete={pageActions.remove}
    >
      {entries.slice(0, shown_count).map(({ id, content, number, problem }, index) => (
        <PageItem
          key={id}
          content={content}
          number={number}
          problem={problem}
          page_number={page_number}
          index={index}
          page_count={page_count}
          canMoveUp={index > 0 || page_number > 1}
          canMoveDown={index < entries.length - 1 || page_number < page_count}
          canCopy={'answers' in content ? canAddQuestions : canAddBlocks}
          scoring={scoring}
          isVirtualised={isVirtualised}
          actions={actions}
          change={change}
        />
      ))}
    </PageSection>
  )
})
