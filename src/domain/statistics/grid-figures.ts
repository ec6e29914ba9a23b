import { groupGrids } from '#domain/questionnaire/grids/grids.ts'
import type { Item, PlacedItem } from '#domain/questionnaire/pages.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { AnsweredVersion } from './asked-questions.ts'

/** Grid of the newest version with participants: its title, and the ids of its questions in their order. */
export type GridFigure = { title: string | null; questions: string[] }

/**
 * Returns the grids of the newest version with participants. The figures of a grid are the figures of its questions. A
 * version has no text blocks here, so a gap between the positions of two questions stands for a text block.
 */
export const gridFigures = (versions: readonly AnsweredVersion[]): GridFigure[] => {
  const [newest] = versions
    .filter(({ nb_responses }) => nb_responses > 0)
    .sort((a, b) => b.version - a.version)
  const questions = (newest?.snapshot.questions ?? []).toSorted(
    (a, b) => a.global_position - b.global_position,
  )
  return groupGrids(
    questions.flatMap((question, rank) => [...gapBefore(questions, rank), asItem(question)]),
  ).flatMap((group) =>
    group.kind === 'grid' ? { title: group.title, questions: group.rows.map(({ id }) => id) } : [],
  )
}

const asItem = (question: SnapshotQuestion): Item<SnapshotQuestion, PlacedItem> => ({
  kind: 'question',
  question,
})

/** Returns a text block if a page begins with the question, or if an item is missing before the question. */
const gapBefore = (
  questions: readonly SnapshotQuestion[],
  rank: number,
): Item<SnapshotQuestion, PlacedItem>[] => {
  const [before, question] = [questions[rank - 1], questions[rank]]
  if (!before || !question) return []
  const isNext =
    question.page_number === before.page_number &&
    question.global_position === before.global_position + 1
  return isNext ? [] : [{ kind: 'text_block', text_block: { ...before, id: '' } }]
}
