import type { Item, PlacedItem } from '#domain/questionnaire/pages.ts'
import { type Grid, type GridQuestion, groupGrids } from './grids.ts'

/** Names of questions outside their page, where a row needs the title of its grid. */

type NamedQuestion = GridQuestion & { id: string; text: string; label?: string | null }

/** Returns the text of a row with the title of its grid, such as « Hôtel : Accueil ». */
export const rowText = (grid_title: string | null | undefined, text: string): string =>
  [grid_title?.trim(), text].filter(Boolean).join(' : ')

/**
 * Returns the questions of a draft or of a version in their order, with the rows of each grid as one entry. A gap between
 * the positions of two questions stands for a text block.
 */
export const groupQuestions = <Q extends GridQuestion>(
  questions: readonly Q[],
): (Item<Q, PlacedItem> | Grid<Q>)[] => {
  const sorted = questions.toSorted((a, b) => a.global_position - b.global_position)
  return groupGrids(
    sorted.flatMap((question, rank): Item<Q, PlacedItem>[] => [
      ...gapBetween(sorted[rank - 1], question),
      { kind: 'question', question },
    ]),
  )
}

/** Returns a text block if a page begins with the second question, or if an item is missing between both. */
const gapBetween = <Q extends GridQuestion>(
  before: Q | undefined,
  question: Q,
): Item<Q, PlacedItem>[] => {
  if (!before) return []
  const isNext =
    question.page_number === before.page_number &&
    question.global_position === before.global_position + 1
  return isNext ? [] : [{ kind: 'text_block', text_block: { ...before, id: '' } }]
}

/** Cache of the texts of rows by the questions of a draft or version, which are never changed in place. */
const knownTexts = new WeakMap<readonly NamedQuestion[], ReadonlyMap<string, string>>()

const rowTextsOf = (questions: readonly NamedQuestion[]): ReadonlyMap<string, string> => {
  const known = knownTexts.get(questions)
  if (known) return known
  const groups = questions.some(({ grid_title }) => grid_title) ? groupQuestions(questions) : []
  const texts = new Map(
    groups.flatMap((group) =>
      group.kind === 'grid'
        ? group.rows.map(({ id, text }) => [id, rowText(group.title, text)] as const)
        : [],
    ),
  )
  knownTexts.set(questions, texts)
  return texts
}

/** Returns the text of one of `questions`, after the title of its grid if it is a row. */
export const questionText = (
  questions: readonly NamedQuestion[],
  { id, text }: Pick<NamedQuestion, 'id' | 'text'>,
): string => rowTextsOf(questions).get(id) ?? text

/** Returns the name of one of `questions` for files and tools: its short name, or else its text. */
export const questionName = (
  questions: readonly NamedQuestion[],
  question: Pick<NamedQuestion, 'id' | 'text' | 'label'>,
): string => question.label?.trim() || questionText(questions, question)
