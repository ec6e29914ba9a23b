import { groupQuestions } from '#domain/questionnaire/grids/question-names.ts'
import type { AnsweredVersion } from './asked-questions.ts'

/** Grid of the newest version with participants: its title, and the ids of its questions in their order. */
export type GridFigure = { title: string | null; questions: string[] }

/** Returns the grids of the newest version with participants. The figures of a grid are the figures of its questions. */
export const gridFigures = (versions: readonly AnsweredVersion[]): GridFigure[] => {
  const [newest] = versions
    .filter(({ nb_responses }) => nb_responses > 0)
    .sort((a, b) => b.version - a.version)
  return groupQuestions(newest?.snapshot.questions ?? []).flatMap((group) =>
    group.kind === 'grid' ? { title: group.title, questions: group.rows.map(({ id }) => id) } : [],
  )
}
