import type pg from 'pg'

/** Ends the idle connections to the database of a test, as a restart of the database or a lost network does. */
export const endIdleConnections = async (pool: pg.Pool): Promise<void> => {
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'idle'`,
  )
}
