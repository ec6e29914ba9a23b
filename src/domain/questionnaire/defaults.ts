/** A row as a call gives it, which may leave out what has a default. */
export type RowInput<Row, Defaults> = Omit<Row, keyof Defaults> & {
  [Name in keyof Row & keyof Defaults]?: Row[Name] | undefined
}

/**
 * The whole row: what the call leaves out stays as it was, or has its default in a new row. So a call
 * that knows only some fields takes nothing away.
 */
export const applyDefaults = <Row extends object, Defaults extends Partial<Row>>(
  given: RowInput<Row, Defaults>,
  before: Row | undefined,
  defaults: Defaults,
): Row => {
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  const known: object = { ...defaults, ...before }
  const kept = Object.entries(known).filter(([name]) => name in defaults)
  return { ...Object.fromEntries(kept), ...Object.fromEntries(said) } as Row
}
