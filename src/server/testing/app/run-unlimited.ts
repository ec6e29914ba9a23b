import pg from 'pg'

/** Runs a statement of a test that stores many rows. It may take longer than the product's limits on a busy machine. */
export const runUnlimited = async (
  pool: pg.Pool,
  text: string,
  values: readonly unknown[],
): Promise<void> => {
  const { options } = pool
  // A pool hides its password from copies of its options.
  const connection = { ...options, password: options.password }
  const session = new pg.Client({ ...connection, query_timeout: 0, statement_timeout: 0 })
  await session.connect()
  try {
    await session.query(text, [...values])
  } finally {
    await session.end()
  }
}
