import { memo } from 'react'
import type { Scoring } from './answer-row.tsx'
import type { ItemPlace } from './item-menu.tsx'
import { QuestionItem } from './question-item.tsx'
import { TextBlockItem } from './text-block-item.tsx'
import type { Entry } from './use-entries.ts'
import type { ItemActions } from './use-item-actions.ts'
import type { ChangeQuestions } from './use-questions.ts'

type PageItemProps = ItemPlace &
  Omit<Entry, 'id'> & {
    scoring: Scoring
    isVirtualised: boolean
    actions: ItemActions
    change: ChangeQuestions
  }

/** One item on its page, rendered again only when something of its own has changed. */
export const PageItem = memo(function PageItem({
  content,
  number,
  problem,
  scoring,
  isVirtualised,
  actions,
  change,
  ...place
}: PageItemProps) {
  const common = { number, problem, place, actions, change }
  return 'answers' in content ? (
    <QuestionItem {...common} question={content} scoring={scoring} isVirtualised={isVirtualised} />
  ) : (
    <TextBlockItem {...common} textBlock={content} />
  )
})
