import type { Replies, Reply } from './quiz.ts'
import { OTHER } from './replies.ts'

const OTHER_FIELD = '.other'

/** The name of the field beside « Autre… » of a question. */
export const otherField = (question_id: string): string => `${question_id}${OTHER_FIELD}`

/**
 * The replies of a form's fields, as the browser reads it and the server receives it: a field that comes several
 * times is a list, and a choice of « Autre… » takes the text of the field beside it.
 */
export const repliesOf = (fields: Iterable<readonly [name: string, value: string]>): Replies => {
  const given = new Map<string, string[]>()
  for (const [name, value] of fields) given.set(name, [...(given.get(name) ?? []), value])
  const replies: [string, Reply][] = []
  for (const [id, values] of given) {
    if (id.endsWith(OTHER_FIELD)) continue
    // A hidden blank field before boxes says that they were there, ticked or not.
    const parts = values
      .filter((value) => value !== '')
      .map((value) => (value === OTHER ? value + (given.get(otherField(id))?.[0] ?? '') : value))
    replies.push([id, parts.length > 1 ? parts : (parts[0] ?? '')])
  }
  return Object.fromEntries(replies)
}
