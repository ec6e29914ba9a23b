import { useItemKeys } from '#web/editor/use-item-keys.ts'
import { Sortable } from '#web/ui/sortable.tsx'
import type { Scoring } from './answer-row.tsx'
import { contentOf, PageItem } from './page-item.tsx'
import { groupsOf, itemsById, numbersOf, toPage } from './page-places.ts'
import { PageSection } from './page-section.tsx'
import type { QuestionsDraft } from './questions-draft.ts'
import type { Gestures } from './use-gestures.ts'
import { useGrowing } from './use-growing.ts'
import { useItemActions } from './use-item-actions.ts'
import type { ChangeQuestions } from './use-questions.ts'

/** The pages and their items, dragged within a page and between pages (spec §4 « Ordering and pages »). */
export const PageList = ({
  draft,
  problems,
  scoring,
  gestures,
  change,
  announce,
}: {
  draft: QuestionsDraft
  /** Of questions, by id. */
  problems: ReadonlyMap<string, string>
  scoring: Scoring
  gestures: Gestures
  change: ChangeQuestions
  announce: (text: string) => void
}) => {
  const { page_count } = draft
  const items = itemsById(draft)
  const numbers = numbersOf(draft)
  const groups = groupsOf(draft, page_count)
  const actions = useItemActions(gestures, { items, groups, announce })
  const shown_count = useGrowing(groups)

  useItemKeys({ onStep: actions.step, onCopy: actions.copy })

  const nameOf = (id: string): string => {
    const item = items.get(id)
    if (!item) return ''
    const [text, kind] =
      item.kind === 'question'
        ? [item.question.text, 'Question']
        : [item.text_block.content, 'Bloc de texte']
    return text.trim().slice(0, LONGEST_NAME) || `${kind} ${numbers.get(id)}`
  }

  const renderPage = (page_number: number, ids: readonly string[], shown_count: number) =>
    ids.slice(0, Math.max(0, shown_count)).map((id, index) => {
      const item = items.get(id)
      if (!item) return null
      const isFull = gestures.full[item.kind === 'question' ? 'questions' : 'text_blocks']
      return (
        <PageItem
          key={id}
          content={contentOf(item)}
          number={numbers.get(id) ?? 0}
          problem={problems.get(id)}
          page_number={page_number}
          index={index}
          page_count={page_count}
          canRise={index > 0 || page_number > 1}
          canSink={index < ids.length - 1 || page_number < page_count}
          canCopy={!isFull}
          scoring={scoring}
          actions={actions}
          change={change}
        />
      )
    })

  return (
    <Sortable
      groups={groups}
      nameOf={nameOf}
      placeOf={({ group, index }) => `position ${index + 1}, page ${group}`}
      onMove={(id, place) => gestures.move(id, toPage(place))}
    >
      {(shown) => {
        let before = 0
        return (
          <div className="flex flex-col gap-4">
            {Object.entries(shown).map(([group, ids]) => {
              const page_number = Number(group)
              const left = shown_count - before
              before += ids.length
              return (
                <PageSection
                  key={group}
                  number={page_number}
                  isEmpty={ids.length === 0}
                  onDelete={actions.deletePage}
                >
                  {renderPage(page_number, ids, left)}
                </PageSection>
              )
            })}
          </div>
        )
      }}
    </Sortable>
  )
}

/** Of a text that is said aloud. */
const LONGEST_NAME = 60
