import type { ReactNode } from 'react'
import { useItemKeys } from '#web/editor/use-item-keys.ts'
import { findPlace } from '#web/ui/sort-groups.ts'
import { Sortable } from '#web/ui/sortable.tsx'
import type { Scoring } from './answer-row.tsx'
import type { ItemGestures } from './item-frame.tsx'
import { groupsOf, itemsById, numbersOf, spotOf, toPage } from './page-places.ts'
import { PageSection } from './page-section.tsx'
import { QuestionItem } from './question-item.tsx'
import type { QuestionsDraft } from './questions-draft.ts'
import { TextBlockItem } from './text-block-item.tsx'
import type { Gestures } from './use-gestures.ts'
import type { ChangeQuestions } from './use-questions.ts'

/** The pages and their items, dragged within a page and between pages (spec §4 « Ordering and pages »). */
export const PageList = ({
  draft,
  scoring,
  gestures,
  change,
  announce,
}: {
  draft: QuestionsDraft
  scoring: Scoring
  gestures: Gestures
  change: ChangeQuestions
  announce: (text: string) => void
}) => {
  const items = itemsById(draft)
  const numbers = numbersOf(draft)
  const groups = groupsOf(draft, draft.page_count)

  useItemKeys({
    onStep: (id, step) => {
      const place = findPlace(groups, id)
      const spot = place && spotOf(groups, place)
      const to = step < 0 ? spot?.above : spot?.below
      if (to) gestures.move(id, to)
    },
    onCopy: (id) => {
      const item = items.get(id)
      if (item) gestures.copy(item)
    },
  })

  const nameOf = (id: string): string => {
    const item = items.get(id)
    if (!item) return ''
    const [text, kind] =
      item.kind === 'question'
        ? [item.question.text, 'Question']
        : [item.text_block.content, 'Bloc de texte']
    return text.trim().slice(0, LONGEST_NAME) || `${kind} ${numbers.get(id)}`
  }

  const render = (
    id: string,
    place: { group: string; index: number },
    shown: typeof groups,
  ): ReactNode => {
    const item = items.get(id)
    if (!item) return null
    const isQuestion = item.kind === 'question'
    const common = {
      number: numbers.get(id) ?? 0,
      spot: spotOf(shown, place),
      change,
      gestures: {
        page_count: draft.page_count,
        canCopy: !(isQuestion ? gestures.full.questions : gestures.full.text_blocks),
        onMove: (to) => gestures.move(id, to),
        onCopy: () => gestures.copy(item),
        onRemove: () => gestures.remove(item),
      } satisfies ItemGestures,
    }
    return isQuestion ? (
      <QuestionItem
        key={id}
        {...common}
        question={item.question}
        scoring={scoring}
        announce={announce}
      />
    ) : (
      <TextBlockItem key={id} {...common} textBlock={item.text_block} />
    )
  }

  return (
    <Sortable
      groups={groups}
      nameOf={nameOf}
      placeOf={({ group, index }) => `position ${index + 1}, page ${group}`}
      onMove={(id, place) => gestures.move(id, toPage(place))}
    >
      {(shown) => (
        <div className="flex flex-col gap-4">
          {Object.entries(shown).map(([group, ids]) => (
            <PageSection
              key={group}
              number={Number(group)}
              isEmpty={ids.length === 0}
              onDelete={() => gestures.deletePage(Number(group))}
            >
              {ids.map((id, index) => render(id, { group, index }, shown))}
            </PageSection>
          ))}
        </div>
      )}
    </Sortable>
  )
}

/** Of a text that is said aloud. */
const LONGEST_NAME = 60
