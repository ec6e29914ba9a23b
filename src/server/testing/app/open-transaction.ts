import assert from 'node:assert/strict'
import type pg from 'pg'

const MAX_WAIT_MS = 60_000

type Statement = { text: string; values: unknown[] }

/**
 * Opens a transaction on a separate connection, so that tests can detect blocked calls without measuring time. The
 * transaction is rolled back at the end of its scope.
 */
export const openTransaction = async (pool: pg.Pool, ...statements: Statement[]) => {
  const session = await pool.connect()
  await session.query('begin')
  // The idle timeout is off, because tests may be slow on a busy machine.
  await session.query('set local idle_in_transaction_session_timeout = 0')
  for (const statement of statements) await session.query(statement)

  const isBlocking = async (): Promise<boolean> => {
    const { rows } = await session.query<{ is_awaited: boolean }>(
      `select exists (
        select from pg_locks
        where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
      ) as is_awaited`,
    )
    return rows[0]?.is_awaited ?? false
  }
  let isOver = false
  const end = async (how: 'commit' | 'rollback'): Promise<void> => {
    if (isOver) return
    isOver = true
    await session.query(how)
    session.release()
  }
  return {
    /** Resolves when another transaction waits for a lock of this transaction. */
    waitUntilBlocking: async (): Promise<void> => {
      const until = performance.now() + MAX_WAIT_MS
      while (!(await isBlocking())) assert.ok(performance.now() < until, 'No transaction waits')
    },
    /** Runs another statement. */
    run: async (statement: Statement): Promise<void> => void (await session.query(statement)),
    commit: () => end('commit'),
    [Symbol.asyncDispose]: () => end('rollback'),
  }
}
