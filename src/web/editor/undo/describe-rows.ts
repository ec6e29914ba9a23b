import type { FieldTarget } from '#web/editor/fields/publish-targets.ts'

/** Change made by an undo or a redo: its text, and where it is visible. */
export type RevertedChange = ChangeTarget & { text: string }

/** Step and fields that show a change; the first rendered field is scrolled into view. */
export type ChangeTarget = Pick<FieldTarget, 'field_ids'> & {
  /** Step that shows the change; null if every step shows it. */
  step: FieldTarget['step'] | null
}
type Row = { id: string }

/** Describes what an undo or a redo has brought back. */
export const restoredChange = (what: string, place: ChangeTarget): RevertedChange => ({
  text: `Rétabli : ${what}`,
  ...place,
})
/** Describes what an undo or a redo has removed. */
export const removedChange = (what: string, place: ChangeTarget): RevertedChange => ({
  text: `Retiré : ${what}`,
  ...place,
})

type RowDescription<R extends Row> = {
  rowName: (row: R) => string
  /** Names the group that an added or removed row begins, such as a grid; null or '' if `rowName` names the row. */
  groupName?: (row: R) => string | null
  orderName: string
  place: (row: R) => ChangeTarget
  /** Describes a change inside a row; null if the row itself is named. */
  describeFieldChange?: (old: R, now: R) => RevertedChange | null
}

/** Describes the first difference between two lists: an added, removed, moved or changed row. */
export const describeRows = <R extends Row>(
  before: readonly R[],
  after: readonly R[],
  { rowName, groupName, orderName, place, describeFieldChange }: RowDescription<R>,
): RevertedChange | null => {
  const known = new Map(before.map((row) => [row.id, row]))
  const added = after.find(({ id }) => !known.has(id))
  const nameOf = (row: R): string => groupName?.(row) || rowName(row)
  if (added) return restoredChange(nameOf(added), place(added))
  const left = new Set(after.map(({ id }) => id))
  const removed = before.findIndex(({ id }) => !left.has(id))
  const gone = before[removed]
  if (gone) {
    const neighbour = after[Math.min(removed, after.length - 1)]
    const { step } = place(gone)
    return removedChange(nameOf(gone), neighbour ? place(neighbour) : { step, field_ids: [] })
  }
  // Order is compared before content, because moving pages also changes the jumps of answers.
  const moved = after.find((row) => !isSame(orderOf(known.get(row.id) ?? row), orderOf(row)))
  if (moved) return restoredChange(orderName, place(moved))
  const changed = after.find((row) => !isSame(known.get(row.id), row))
  const old = changed && known.get(changed.id)
  if (!changed || !old) return null
  return describeFieldChange?.(old, changed) ?? restoredChange(rowName(changed), place(changed))
}

/** Returns only the position fields of a row. */
const orderOf = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) =>
      ['position', 'global_position', 'page_number'].includes(name),
    ),
  )

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b)
