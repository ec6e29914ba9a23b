import { isBlankText } from '#domain/common/text.ts'
import { type Content, groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Question } from '#domain/questionnaire/quiz.ts'
import { escapeText, foldName, quoted, TextSyntaxError, unescapeText } from './lines.ts'

/** Rows that other lines refer to, with their name; ranks are those of the list. */
export type NamedRow = { id: string; name: string }

/** Reference to a deleted row, in a condition. */
export const LOST_REF = '?'
/** Id of a deleted row, which no row has. */
export const LOST_ID = '00000000-0000-0000-0000-000000000000'

/** Returns the questions in the order of their pages, in which conditions count them. */
export const questionsByPage = (content: Content): Question[] =>
  groupIntoPages(content).flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === 'question' ? item.question : [])),
  )

/** Returns the reference to each row: its name, or its rank if the name is ambiguous or would be syntax. */
export const namedRefs = (rows: readonly NamedRow[]): Map<string, string> => {
  const names = rows.map(({ name }) => name.trim())
  return new Map(
    rows.map(({ id }, index) => {
      const name = names[index] ?? ''
      const isUsable =
        !isBlankText(name) && !/[:?]/.test(name) && names.indexOf(name) === names.lastIndexOf(name)
      return [id, isUsable ? escapeText(name, 'name') : `#${index + 1}`]
    }),
  )
}

/** Returns the row that a reference names. Throws a TextSyntaxError that says what `kind` of row is missing. */
export const findNamed = <Row extends NamedRow>(
  ref: string,
  rows: readonly Row[],
  kind: 'résultat' | 'dimension' | 'palier',
): Row => {
  const none = kind === 'dimension' ? 'aucune' : 'aucun'
  const [, rank] = /^#(\d{1,3})$/.exec(ref) ?? []
  const name = unescapeText(ref).trim()
  const exact = rows.filter((row) => row.name.trim() === name)
  const named =
    exact.length > 0 ? exact : rows.filter((row) => foldName(row.name) === foldName(name))
  const [found, other] = rank === undefined ? named : rows.slice(Number(rank) - 1, Number(rank))
  if (!found) throw new TextSyntaxError(`${quoted(ref)} ne désigne ${none} ${kind}.`)
  if (other)
    throw new TextSyntaxError(`${quoted(name)} est ambigu : écrivez le rang, comme « #1 ».`)
  return found
}
