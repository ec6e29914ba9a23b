/** Edits of lists of rows that know their rank: results, dimensions, conditional texts and answers. */

/** Edit of a list of rows. */
export type RowsAction<Row extends { id: string }> =
  /** Adds a row at `index`, by default at the end. */
  | { type: 'added'; row: Row; index?: number }
  | { type: 'changed'; id: string; fields: Partial<Row> }
  /** `is_dragged` suppresses the announcement, because the drag announces its own end. */
  | { type: 'moved'; from: number; to: number; is_dragged?: boolean }
  | { type: 'removed'; id: string }

/** Returns the rows with their index as rank. A row that has this rank already stays the same object. */
export const rankByIndex = <Name extends string, Row extends Record<Name, number>>(
  rows: readonly Row[],
  rank: Name,
): Row[] => rows.map((row, index) => (row[rank] === index ? row : { ...row, [rank]: index }))

/** Returns the rows with one of them changed. An unknown id changes nothing. */
export const withRow = <Row extends { id: string }>(
  rows: readonly Row[],
  id: string,
  change: (row: Row) => Row,
): Row[] => rows.map((row) => (row.id === id ? change(row) : row))

/** Returns the rows after an edit. The rank of each row becomes its index. */
export const editRows = <
  Name extends 'position' | 'priority_order',
  Row extends { id: string } & Record<Name, number>,
>(
  rows: readonly Row[],
  action: RowsAction<Row>,
  rank: Name,
): Row[] => {
  switch (action.type) {
    case 'added':
      return rankByIndex(rows.toSpliced(action.index ?? rows.length, 0, action.row), rank)
    case 'changed':
      return withRow(rows, action.id, (row) => ({ ...row, ...action.fields }))
    case 'moved': {
      const lifted = rows[action.from]
      if (!lifted) return rankByIndex(rows, rank)
      return rankByIndex(rows.toSpliced(action.from, 1).toSpliced(action.to, 0, lifted), rank)
    }
    case 'removed':
      return rankByIndex(
        rows.filter(({ id }) => id !== action.id),
        rank,
      )
  }
}

/**
 * Returns the key of the changed fields of a row, whose successive changes form one undo step; null for other edits.
 */
export const rowsUndoGroupKey = (action: {
  type: string
  id?: string
  fields?: object
}): string | null =>
  action.type === 'changed' ? [action.id, ...Object.keys(action.fields ?? {})].join(' ') : null
