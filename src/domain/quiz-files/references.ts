import type { Draft } from '#domain/questionnaire/quiz.ts'
import type { ReferenceField } from '#domain/questionnaire/text-variants.ts'

/** Returns the id of a row, which a field refers to, in another naming. */
export type Rename = (id: string, field: ReferenceField) => string

/**
 * Returns the short names of rows in a file: r1, q1, q1a1, d1, d1t1. A reference to a deleted row gets a name that no
 * row has: x1.
 */
export const namesInFile = ({
  results,
  questions,
  dimensions,
}: Pick<Draft, 'results' | 'questions' | 'dimensions'>): Rename => {
  const names = new Map<string, string>()
  const name = (field: ReferenceField, rows: readonly { id: string }[], letter: string): void => {
    for (const [index, { id }] of rows.entries())
      names.set(`${field} ${id}`, `${letter}${index + 1}`)
  }
  name('result_id', results, 'r')
  for (const [index, question] of questions.entries())
    name('answer_id', question.answers, `q${index + 1}a`)
  name('question_id', questions, 'q')
  for (const [index, { tiers }] of dimensions.entries()) name('tier_id', tiers, `d${index + 1}t`)
  name('dimension_id', dimensions, 'd')
  let nb_lost = 0
  return (id, field) => {
    const key = `${field} ${id}`
    const known = names.get(key) ?? `x${++nb_lost}`
    names.set(key, known)
    return known
  }
}

/** Returns the new id of each row of a file, and of each missing row that the file refers to. */
export const idsOfFile = (createId: () => string): Rename => {
  const ids = new Map<string, string>()
  return (name, field) => {
    const key = `${field} ${name}`
    const id = ids.get(key) ?? createId()
    ids.set(key, id)
    return id
  }
}
