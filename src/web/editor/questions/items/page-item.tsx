import { memo, Suspense } from 'react'
import { isBlankText } from '#domain/common/text.ts'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { TextBlock } from '#domain/questionnaire/quiz.ts'
import { fieldId } from '#web/editor/fields/field-ids.ts'
import type { AnswerFields } from '#web/editor/questions/answers/answer-row.tsx'
import type { ChangeQuestions } from '#web/editor/questions/draft/use-change-questions.ts'
import { handleAddMenuKey, type ItemActions } from '#web/editor/questions/draft/use-item-actions.ts'
import type { ItemEntry } from '#web/editor/questions/draft/use-item-entries.ts'
import { lazyPart } from '#web/ui/feedback/lazy-part.tsx'
import { RichTextField } from '#web/ui/rich-text/rich-text-field.tsx'
import { ItemFrame, type ItemPlace } from './item-frame.tsx'
import { QuestionItem } from './question-item.tsx'

const GridItem = lazyPart(
  () => import('#web/editor/questions/grids/grid-item.tsx'),
  'La grille n’a pas pu être chargée.',
)

const MisfitNote = lazyPart(
  () => import('#web/editor/questions/grids/misfit-note.tsx'),
  'Cette note n’a pas pu être chargée.',
)

type PageItemProps = ItemPlace &
  Omit<ItemEntry, 'id'> & {
    answerFields: AnswerFields
    isVirtualised: boolean
    actions: ItemActions
    change: ChangeQuestions
  }

/** Shows one item of a page. Memoised, so that it renders only when the item itself has changed. */
export const PageItem = memo(function PageItem({
  content,
  number,
  problem,
  rows,
  misfit_of,
  answerFields,
  isVirtualised,
  actions,
  change,
  ...place
}: PageItemProps) {
  const common = { number, problem, place, actions, change }
  if (rows)
    return (
      <Suspense fallback={<li className="h-96" />}>
        <GridItem {...common} rows={rows} misfit_of={misfit_of} answerFields={answerFields} />
      </Suspense>
    )
  return 'answers' in content ? (
    <QuestionItem
      {...common}
      question={content}
      answerFields={answerFields}
      isVirtualised={isVirtualised}
      note={
        misfit_of !== undefined &&
        'answers' in content && (
          <Suspense>
            <MisfitNote question={content} first_row={misfit_of} change={change} />
          </Suspense>
        )
      }
    />
  ) : (
    <TextBlockItem {...common} textBlock={content} />
  )
})

/** Shows one text block of a page: rich text with line breaks. */
const TextBlockItem = ({
  textBlock: { id, content },
  number,
  problem,
  place,
  actions,
  change,
}: {
  textBlock: TextBlock
  /** Number from 1. */
  number: number
  problem: string | undefined
  place: ItemPlace
  actions: ItemActions
  change: ChangeQuestions
}) => {
  const title = `Bloc de texte ${number}`
  return (
    <ItemFrame id={id} place={place} title={title} problem={problem} actions={actions}>
      <RichTextField
        id={fieldId(id)}
        label={title}
        hideLabel
        placeholder="Texte affiché aux participants"
        rows={2}
        value={content}
        item_id={id}
        maxLength={LIMITS.text_block}
        hint={isBlankText(content) ? 'Un bloc vide n’est pas enregistré.' : undefined}
        onChange={(event) =>
          change({ type: 'text_block_written', id, content: event.currentTarget.value })
        }
        onKeyDown={(event) => {
          if (handleAddMenuKey(event)) actions.addAfter(id, event.currentTarget)
        }}
      />
    </ItemFrame>
  )
}
