import { comparableText } from '#domain/common/comparable-text.ts'

/** Sorts the columns of a CSV file with the answers of a Google form: questions, grids and points. */

/** Column with its title and its values that are not blank. */
export type CsvColumn = { title: string; values: string[] }
/** Row of a grid; `title` is the text in brackets. */
type CsvRow = CsvColumn & { whole_title: string }
/** Columns « Title [row] » with the same title. */
export type CsvGrid = { title: string; rows: CsvRow[] }

/** Questions and grids in the order of their columns, and the columns that hold points or feedback. */
type SortedColumns = { questions: (CsvColumn | CsvGrid)[]; points: CsvColumn[] }

const TOTAL =
  /^(?:score|score total|total score|total des points|note totale|gesamtpunktzahl|puntuacion total|punteggio totale)$/
const POINTS = /^(?:score|points|note|punkte|puntuacion|punteggio)$/
const FEEDBACK = /^(?:feedback|commentaires?|remarques?)$/

type TitleParts = { stem: string; row: string }

/** Returns the parts of a title « Title [row] », whose row may have brackets too; undefined for other titles. */
const bracketedOf = (title: string): TitleParts | undefined => {
  if (!title.endsWith(']')) return undefined
  let depth = 0
  for (let index = title.length - 1; index >= 0; index--) {
    if (title[index] === ']') depth++
    else if (title[index] === '[' && --depth === 0) {
      const [stem, row] = [title.slice(0, index).trim(), title.slice(index + 1, -1).trim()]
      return row === '' ? undefined : { stem, row }
    }
  }
  return undefined
}

/** Sorts the columns of a form. A title with brackets alone stays a question, because brackets are also written in texts. */
export const readColumns = (columns: readonly CsvColumn[]): SortedColumns => {
  const titles = new Set(columns.map(({ title }) => title))
  const parts = new Map(columns.map((column) => [column, bracketedOf(column.title)]))
  const rows_of = new Map<string, Set<string>>()
  for (const part of parts.values())
    if (part) rows_of.set(part.stem, (rows_of.get(part.stem) ?? new Set()).add(part.row))
  const hasPoints = (column: CsvColumn): boolean => {
    const part = parts.get(column)
    if (!part) return TOTAL.test(comparableText(column.title))
    const name = comparableText(part.row)
    if (titles.has(part.stem)) return POINTS.test(name) || FEEDBACK.test(name)
    return TOTAL.test(name) && rows_of.get(part.stem)?.size === 1
  }
  const points = columns.filter(hasPoints)
  const left_out = new Set(points)
  const grids = new Map<string, CsvGrid>()
  const questions: (CsvColumn | CsvGrid)[] = []
  for (const column of columns) {
    if (left_out.has(column)) continue
    const part = parts.get(column)
    const grid = part && grids.get(part.stem)
    const row = part && { ...column, title: part.row, whole_title: column.title }
    if (grid && row) grid.rows.push(row)
    else if (part && row) {
      const created = { title: part.stem, rows: [row] }
      grids.set(part.stem, created)
      questions.push(created)
    } else questions.push(column)
  }
  return {
    questions: questions.map((question) => {
      const only = 'rows' in question && question.rows.length === 1 ? question.rows[0] : undefined
      return only ? { title: only.whole_title, values: only.values } : question
    }),
    points,
  }
}
