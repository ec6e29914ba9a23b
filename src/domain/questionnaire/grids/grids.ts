import { isBlankText } from '#domain/common/text.ts'
import type { QuestionType } from '#domain/common/vocabulary.ts'
import type { Item, PlacedItem } from '#domain/questionnaire/pages.ts'
import type { QuestionOptions } from '#domain/questionnaire/quiz.ts'

/** Grids: consecutive questions of a page with equal columns. Each row stays a question of its own. */

type Optional<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined }

/** Fields that decide whether a question of a draft or of a snapshot is a row of a grid. */
export type GridQuestion = PlacedItem & {
  type: QuestionType
  answers: readonly { text: string; position: number; image_id?: string | null | undefined }[]
} & Optional<
    Pick<QuestionOptions, 'continues_grid' | 'grid_title' | 'max_choices' | 'has_other'> &
      Pick<QuestionOptions, 'scale_min' | 'scale_max' | 'scale_min_label' | 'scale_max_label'>
  >

/** Consecutive questions that are drawn as one table. */
export type Grid<Q> = {
  kind: 'grid'
  title: string | null
  /** At least one row. */
  rows: Q[]
}

/** Returns the texts of the answers that visitors see, in their order. */
const columnTexts = ({ answers }: GridQuestion): string[] =>
  answers
    .filter(({ text }) => !isBlankText(text))
    .sort((a, b) => a.position - b.position)
    .map(({ text }) => text)

/** Returns true for the questions that can be rows: scales, and single choices without pictures and « Autre ». */
const canBeRow = ({ type, answers, max_choices = 1, has_other }: GridQuestion): boolean => {
  if (type === 'scale') return true
  if (type !== 'multiple_choice' || max_choices !== 1 || has_other) return false
  return !answers.some(({ image_id }) => image_id)
}

/**
 * Returns the values that two questions with the same columns have in common. Compare only questions of one draft or of
 * one snapshot, because a snapshot omits the default range of a scale.
 */
const columnsOf = (question: GridQuestion): unknown[] => {
  if (question.type !== 'scale') return columnTexts(question)
  const { scale_min, scale_max, scale_min_label, scale_max_label } = question
  const labels = [scale_min_label, scale_max_label].map((label) => label ?? '')
  return [scale_min, scale_max, ...labels.map((label) => !isBlankText(label) && label)]
}

const hasColumnsOf = (a: GridQuestion, b: GridQuestion): boolean => {
  const [own, others] = [columnsOf(a), columnsOf(b)]
  return (
    a.type === b.type &&
    own.length === others.length &&
    own.every((column, index) => column === others[index])
  )
}

/** Returns true if `question` can follow `before` as a row of the same grid. */
const fitsGridOf = (question: GridQuestion, before: GridQuestion): boolean =>
  canBeRow(question) && canBeRow(before) && hasColumnsOf(question, before)

/**
 * Returns the items of a page in their order, with the rows of each grid as one entry. A titled question without
 * further rows is a grid of one row. A question that does not fit the preceding grid stays a single question.
 */
export const groupGrids = <Q extends GridQuestion, B extends PlacedItem>(
  items: readonly Item<Q, B>[],
): (Item<Q, B> | Grid<Q>)[] => {
  const groups: Item<Q, B>[][] = []
  let group: Item<Q, B>[] = []
  for (const item of items) {
    const before = group[group.length - 1]
    const isRow =
      item.kind === 'question' &&
      item.question.continues_grid &&
      before?.kind === 'question' &&
      fitsGridOf(item.question, before.question)
    if (isRow) group.push(item)
    else {
      group = [item]
      groups.push(group)
    }
  }
  return groups.map((group) => gridOf(group) ?? (group[0] as Item<Q, B>))
}

const gridOf = <Q extends GridQuestion, B extends PlacedItem>(
  group: readonly Item<Q, B>[],
): Grid<Q> | undefined => {
  const rows = group.flatMap((item) => (item.kind === 'question' ? item.question : []))
  const [first] = rows
  if (!first || !canBeRow(first)) return undefined
  const title = isBlankText(first.grid_title ?? '') ? null : (first.grid_title ?? null)
  return rows.length > 1 || title !== null ? { kind: 'grid', title, rows } : undefined
}

/** Returns the items of one entry of `groupGrids`. */
export const itemsOfGroup = <Q extends GridQuestion, B extends PlacedItem>(
  group: Item<Q, B> | Grid<Q>,
): Item<Q, B>[] =>
  group.kind === 'grid'
    ? group.rows.map((question) => ({ kind: 'question' as const, question }))
    : [group]

/** Reason why a question with `continues_grid` is not a row of a grid. */
export type MisfitReason =
  /** The question is first on its page, or follows a text block or a question that cannot be a row. */
  | 'no_grid_before'
  /** The question has several choices, « Autre » or pictures in answers, or has another type. */
  | 'not_a_row'
  /** One of two neighbours is a scale, and type, range or labels differ. */
  | 'other_scale'
  | 'other_answers'
  /** The answers differ only in spaces. */
  | 'spaces_in_answers'
  /** The columns fit, but the preceding question is itself outside the grid. */
  | 'after_misfit'

/** Question with `continues_grid` that is not a row, and the first row of the preceding grid. */
export type Misfit<Q> = { question: Q; reason: MisfitReason; first_row: Q | undefined }

/** Returns the questions of a page with `continues_grid` that are not rows of a grid. */
export const findMisfits = <Q extends GridQuestion, B extends PlacedItem>(
  items: readonly Item<Q, B>[],
): Misfit<Q>[] => {
  /** First row that the next question would continue. */
  let first_row: Q | undefined
  return groupGrids(items).flatMap((group) => {
    const [item] = itemsOfGroup(group)
    const question = item?.kind === 'question' ? item.question : undefined
    if (!question?.continues_grid) {
      first_row = question && canBeRow(question) ? question : undefined
      return []
    }
    return [{ question, reason: misfitReason(question, first_row), first_row }]
  })
}

/** Returns why a question does not continue the preceding grid, which begins with `first_row`. */
export const misfitReason = (
  question: GridQuestion,
  first_row: GridQuestion | null | undefined,
): MisfitReason => {
  if (!first_row || !canBeRow(first_row)) return 'no_grid_before'
  if (!canBeRow(question)) return 'not_a_row'
  if (fitsGridOf(question, first_row)) return 'after_misfit'
  if (question.type === 'scale' || first_row.type === 'scale') return 'other_scale'
  const withoutSpaces = (question: GridQuestion): string =>
    columnTexts(question)
      .map((text) => text.replaceAll(/\s/g, ''))
      .join('\n')
  return withoutSpaces(question) === withoutSpaces(first_row)
    ? 'spaces_in_answers'
    : 'other_answers'
}
