import type { Cell, ExportColumn, ExportVersion } from '#domain/statistics/export-table.ts'
import { type Dialect, formatCsvCell } from './csv.ts'

/** Maximum number of additional bytes in a cell: quotes, an apostrophe, a formatted number. */
export const CELL_OVERHEAD_BYTES = 40
/** Maximum number of bytes written per byte: a quote is doubled in a formula, and again in its cell. */
export const MAX_BYTES_PER_BYTE = 4

/** Column of an export. `cells` holds the encoded cell of each answer if exactly one number is stored. */
export type Column = ExportColumn & { cells: Buffer[] | null }
/** Encoded results and columns of a version, and the maximum size of a line without its texts. */
export type VersionPlan = Pick<ExportVersion, 'dimensions'> & {
  results: Buffer[]
  columns: (Column | null)[]
  most_bytes: number
}

/** Prepares the lines of a version: encodes its results and the answers of its columns. */
export const planVersion = (
  { results, dimensions, columns }: Omit<ExportVersion, 'version'>,
  {
    nb_questions,
    first_question,
    dialect,
  }: {
    nb_questions: number
    /** Number of columns before the questions. */
    first_question: number
    dialect: Dialect
  },
): VersionPlan => {
  const bytesOf = (cell: Cell): Buffer => Buffer.from(formatCsvCell(cell, dialect))
  const most = (cells: readonly Buffer[]): number =>
    Math.max(0, ...cells.map(({ length }) => length))
  const plan: VersionPlan = {
    results: results.map(bytesOf),
    dimensions,
    columns: Array(nb_questions).fill(null),
    most_bytes: 0,
  }
  plan.most_bytes += most(plan.results)
  for (const column of columns) {
    const { place, answers, nb_slots, text } = column
    const all = answers?.map(bytesOf) ?? []
    const isWhole = column.choice === null
    const cells = answers && isWhole && nb_slots === 1 && text === null ? all : null
    plan.columns[place - (first_question - 1)] = { ...column, cells }
    plan.most_bytes += cells
      ? most(cells)
      : all.reduce((sum, { length }) => sum + MAX_BYTES_PER_BYTE * length + CELL_OVERHEAD_BYTES, 0)
  }
  return plan
}
