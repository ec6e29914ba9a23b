import { trimText } from '#domain/common/text.ts'
import { dimensionInsertionNames } from '#domain/questionnaire/dimensions.ts'
import { type Item, itemsInOrder } from '#domain/questionnaire/pages.ts'
import { type Draft, isSondage, type Quiz, type QuizTies } from '#domain/questionnaire/quiz.ts'
import { isBlank } from '#domain/questionnaire/snapshot.ts'
import { RESULT_INSERTION, SCORE_INSERTION } from '#domain/run/rich-text.ts'

/** Part of a draft that is checked before publishing. */
export type PublishCheckInput = Pick<
  Draft,
  'quiz_mode' | 'questions' | 'text_blocks' | 'results' | 'dimensions' | 'text_variants'
> & {
  quiz: Pick<
    Quiz,
    | 'type'
    | 'welcome_text'
    | 'welcome_image_id'
    | 'welcome_image_alt'
    | 'end_text'
    | 'end_button_text'
    | 'end_button_url'
    | 'certificate_percent'
    | 'certificate_text'
    | 'shows_corrections'
    | keyof QuizTies
  >
}

type Content = Pick<Draft, 'questions' | 'text_blocks'>

/**
 * Returns the labels of the questions before a question or text block, as typed. Without an id, returns all labels.
 */
export const labelsBefore = (content: Content, id?: string): string[] => {
  const items = itemsInOrder(content)
  const index = items.findIndex((item) => idOf(item) === id)
  return shortNamesOf(index < 0 ? items : items.slice(0, index))
}

/**
 * Returns the names that texts at the end can insert: all labels, and the values that the quiz computes.
 */
export const insertableNamesAtEnd = ({
  quiz,
  quiz_mode,
  dimensions,
  ...content
}: PublishCheckInput): string[] => {
  const labels = labelsBefore(content)
  if (isSondage(quiz)) return labels
  if (quiz_mode !== 'score') return [RESULT_INSERTION, ...labels]
  return [RESULT_INSERTION, SCORE_INSERTION, ...dimensionInsertionNames(dimensions), ...labels]
}

const idOf = (item: Item): string =>
  item.kind === 'question' ? item.question.id : item.text_block.id

/** Returns the short names of these items. */
export const shortNamesOf = (items: readonly Item[]): string[] =>
  items.flatMap((item) => {
    if (item.kind !== 'question' || isBlank(item)) return []
    return trimText(item.question.label ?? '') || []
  })
