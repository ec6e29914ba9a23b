/** Row of a call, which may omit fields that have a default. */
export type RowInput<Row, Defaults> = Omit<Row, keyof Defaults> & {
  [Name in keyof Row & keyof Defaults]?: Row[Name] | undefined
}

/**
 * Returns a whole row. An omitted field keeps its value, or gets its default in a new row, so that a partial call
 * deletes nothing.
 */
export const applyDefaults = <Row extends object, Defaults extends Partial<Row>>(
  input: RowInput<Row, Defaults>,
  before: Row | undefined,
  defaults: Defaults,
): Row => {
  const present = Object.entries(input).filter(([, value]) => value !== undefined)
  const fallback: object = { ...defaults, ...before }
  const kept = Object.entries(fallback).filter(([name]) => name in defaults)
  return { ...Object.fromEntries(kept), ...Object.fromEntries(present) } as Row
}
