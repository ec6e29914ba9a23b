/** Selected rows of a list, and the row that has the focus. */
export type Selection = {
  ids: ReadonlySet<string>
  /** Row of the focus. */
  current: string
  /** Row at which a range begins; null until a row is toggled or a range is begun. */
  anchor: string | null
}

/** Action of the creator on a selection. */
export type SelectionAction =
  /** Moves the focus and selects nothing. */
  | { type: 'moved'; id: string }
  | { type: 'toggled'; id: string }
  /** Selects the rows from the anchor, or else from the focus, to a row. */
  | { type: 'extended'; id: string }
  | { type: 'all_toggled' }
  /** Selects nothing and moves the focus. */
  | { type: 'cleared'; id: string }

/** Returns the selection after an action on a list of rows. */
export const selectRows = (
  selection: Selection,
  action: SelectionAction,
  rows: readonly string[],
): Selection => {
  const { ids, current, anchor } = selection
  switch (action.type) {
    case 'moved':
      return { ids, current: action.id, anchor: null }
    case 'toggled': {
      const next = new Set(ids)
      if (!next.delete(action.id)) next.add(action.id)
      return { ids: next, current: action.id, anchor: action.id }
    }
    case 'extended': {
      const from = anchor ?? current
      const left = new Set(ids)
      // A range that becomes shorter gives back the rows behind its new end.
      if (anchor !== null) for (const id of rangeOf(rows, from, current)) left.delete(id)
      return {
        ids: new Set([...left, ...rangeOf(rows, from, action.id)]),
        current: action.id,
        anchor: from,
      }
    }
    case 'cleared':
      return { ids: new Set(), current: action.id, anchor: null }
    case 'all_toggled':
      return { ids: new Set(ids.size === rows.length ? [] : rows), current, anchor: null }
  }
}

/** Returns the rows between two rows, both included. */
const rangeOf = (rows: readonly string[], from: string, to: string): string[] => {
  const [start = 0, end = 0] = [rows.indexOf(from), rows.indexOf(to)].toSorted((a, b) => a - b)
  return rows.slice(Math.max(0, start), end + 1)
}

/** Returns the row that follows the last selected row; the first row if no row follows. */
export const rowAfterSelection = (
  { ids }: Pick<Selection, 'ids'>,
  rows: readonly string[],
): string => rows[rows.findLastIndex((id) => ids.has(id)) + 1] ?? rows[0] ?? ''
