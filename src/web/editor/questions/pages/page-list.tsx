import { cutText, trimText } from '#domain/common/text.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'
import { useItemKeys } from '#web/editor/fields/list-editing.ts'
import { PAGES_ID } from '#web/editor/fields/scrolling.ts'
import type { AnswerFields } from '#web/editor/questions/answers/answer-row.tsx'
import {
  groupsOf,
  itemsById,
  type PageOverview,
  toPage,
} from '#web/editor/questions/draft/item-positions.ts'
import type { QuestionsDraft } from '#web/editor/questions/draft/questions-reducer.ts'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import type { ContentActions } from '#web/editor/questions/draft/use-content-actions.ts'
import { useItemActions } from '#web/editor/questions/draft/use-item-actions.ts'
import {
  useIncrementalRendering,
  useItemEntries,
} from '#web/editor/questions/draft/use-item-entries.ts'
import { Sortable } from '#web/ui/sorting/sortable.tsx'
import { PageGroup } from './page-group.tsx'
import type { PageActions } from './page-menu.tsx'

/** Shows the pages and their items, which can be dragged within a page and between pages (product 3.5). */
export const PageList = ({
  draft,
  pages,
  problems,
  unreached,
  answerFields,
  contentActions,
  pageActions,
  change,
  announce,
}: {
  draft: QuestionsDraft
  pages: readonly PageOverview[]
  /** Points to fix, by the id of the item. */
  problems: ReadonlyMap<string, string>
  /** Numbers of pages that no run reaches. */
  unreached: readonly number[]
  answerFields: AnswerFields
  contentActions: ContentActions
  pageActions: PageActions
  change: ChangeQuestions
  announce: (text: string) => void
}) => {
  const { page_count } = draft
  const items = itemsById(draft)
  const numbers = numbersOf(draft)
  const groups = groupsOf(draft, page_count)
  const actions = useItemActions(contentActions, {
    items,
    groups,
    announce,
  })
  const shown_count = useIncrementalRendering(groups)
  const entriesOf = useItemEntries(draft, problems)

  useItemKeys({ onStep: actions.step, onCopy: actions.copy })

  const nameOf = (id: string): string => {
    const item = items.get(id)
    if (!item) return ''
    const [text, kind] =
      item.kind === 'question'
        ? [item.question.text, 'Question']
        : [item.text_block.content, 'Bloc de texte']
    return cutText(trimText(text), MAX_NAME_LENGTH) || `${kind} ${numbers.get(id)}`
  }

  return (
    <Sortable
      groups={groups}
      nameOf={nameOf}
      placeOf={({ group, index }) => `position ${index + 1}, page ${group}`}
      onMove={(id, place) => contentActions.drop(id, toPage(place))}
    >
      {(shown) => {
        let before = 0
        return (
          <div id={PAGES_ID} className="flex min-w-0 flex-col gap-4">
            {entriesOf(shown).map(([page, entries]) => {
              const left = Math.min(entries.length, Math.max(0, shown_count - before))
              before += entries.length
              return (
                <PageGroup
                  key={page}
                  page_number={Number(page)}
                  page_count={page_count}
                  canCopyPage={pages[Number(page) - 1]?.canCopy ?? false}
                  canSplitPages={pages[0]?.canSplit ?? false}
                  isUnreached={unreached.includes(Number(page))}
                  entries={entries}
                  shown_count={left}
                  canAddQuestions={!contentActions.full.questions}
                  canAddBlocks={!contentActions.full.text_blocks}
                  answerFields={answerFields}
                  isVirtualised={items.size > MAX_UNVIRTUALISED_ITEMS}
                  actions={actions}
                  pageActions={pageActions}
                  change={change}
                />
              )
            })}
          </div>
        )
      }}
    </Sortable>
  )
}

/** Number of items above which answers are virtualised. */
const MAX_UNVIRTUALISED_ITEMS = 40
/** Maximum length of an item's name in an announcement. */
const MAX_NAME_LENGTH = 60
