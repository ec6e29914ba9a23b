import { memo } from 'react'
import type { Item } from '#domain/pages.ts'
import type { Scoring } from './answer-row.tsx'
import type { ItemPlace } from './item-frame.tsx'
import { QuestionItem } from './question-item.tsx'
import { TextBlockItem } from './text-block-item.tsx'
import type { ItemActions } from './use-item-actions.ts'
import type { ChangeQuestions } from './use-questions.ts'

type PageItemProps = ItemPlace & {
  /** A question or a text block: the thing itself, which stays the same until it is edited. */
  content: Content
  number: number
  /** Why the question cannot be published as it is. */
  problem: string | undefined
  scoring: Scoring
  actions: ItemActions
  change: ChangeQuestions
}

type Content =
  | Extract<Item, { kind: 'question' }>['question']
  | Extract<Item, { kind: 'text_block' }>['text_block']

/** What an item shows. */
export const contentOf = (item: Item): Content =>
  item.kind === 'question' ? item.question : item.text_block

/** One item on its page, rendered again only when something of its own has changed. */
export const PageItem = memo(function PageItem({
  content,
  number,
  problem,
  scoring,
  actions,
  change,
  ...place
}: PageItemProps) {
  const common = { number, place, actions, change }
  return 'answers' in content ? (
    <QuestionItem {...common} question={content} problem={problem} scoring={scoring} />
  ) : (
    <TextBlockItem {...common} textBlock={content} />
  )
})
