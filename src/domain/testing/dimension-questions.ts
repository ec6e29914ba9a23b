import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'

/** Returns answers with these scores, whose ids are `id` with their rank. */
const answersOf = (id: string, scores: readonly (number | null)[]): SnapshotAnswer[] =>
  scores.map((score, position) => ({
    id: `${id}${position}`,
    text: 'A',
    position,
    associations: [],
    score,
  }))

/** Returns a question of the dimension « d » whose answers have these scores. */
export const questionOf = (
  id: string,
  scores: readonly (number | null)[],
  more: Partial<SnapshotQuestion> = {},
): SnapshotQuestion => ({
  id,
  text: id,
  type: 'multiple_choice',
  position: 0,
  global_position: 0,
  page_number: 1,
  answers: answersOf(id, scores),
  dimension_id: 'd',
  ...more,
})

/** Three tiers of a dimension. */
export const THIRDS = [
  { id: 'weak', from_percent: 0, to_percent: 33 },
  { id: 'fair', from_percent: 34, to_percent: 66 },
  { id: 'strong', from_percent: 67, to_percent: 100 },
]
