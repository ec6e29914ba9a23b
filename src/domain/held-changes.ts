import { type Changes, rowsById } from './changes.ts'
import type { Answer, Draft } from './quiz.ts'

/**
 * The part of these changes, made to `base`, that a draft has: fields with that very value, rows added and still
 * there, rows removed. An added row is whole, as the changes alone say what it began with.
 */
export const heldChanges = (base: Draft, changes: Changes, draft: Draft): Changes => {
  const known = rowsById(base)
  const there = rowsById(draft)
  const held = <Saved extends { id: string }>(rows: readonly Saved[]): Saved[] =>
    rows.flatMap((row) => {
      const found = there.get(row.id)
      if (!found) return []
      if (!known.has(row.id)) return [row]
      const same = fieldsOf(row).filter(
        // The question of an answer says where it is, and may be no field of it.
        ([name, value]) => !(name in found) || fieldOf(found, name) === value,
      )
      return [Object.fromEntries(same) as Saved]
    })
  const { quiz, quiz_mode } = changes
  return {
    quiz: Object.fromEntries(
      fieldsOf(quiz).filter(([name, value]) => fieldOf(draft.quiz, name) === value),
    ),
    ...(quiz_mode !== undefined && quiz_mode === draft.quiz_mode && { quiz_mode }),
    results: held(changes.results),
    questions: held(changes.questions),
    answers: held(changes.answers),
    associations: changes.associations.filter(({ answer_id, result_id, weight, is_checked }) => {
      const answer = there.get(answer_id) as Partial<Answer> | undefined
      const link = answer?.associations?.find((one) => one.result_id === result_id)
      // A link that is not there counts as one that is not ticked.
      return link ? link.weight === weight && link.is_checked === is_checked : !is_checked
    }),
    text_blocks: held(changes.text_blocks),
    removed: changes.removed.filter((id) => !there.has(id)),
  }
}

const fieldsOf = (row: object): [string, unknown][] => Object.entries(row)
const fieldOf = (row: object, name: string): unknown => (row as Record<string, unknown>)[name]
