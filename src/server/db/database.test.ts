import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { isDatabaseUnavailable } from './database-error.ts'

const app = await createTestApp()
after(() => app.close())

test('a lost connection fails its transaction and not the server', async () => {
  const lost = once(app.pool, 'remove')
  const work = app.db.transaction().execute(async (change) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(change)
    await app.pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    await sql`select 1`.execute(change)
  })
  await assert.rejects(work, isDatabaseUnavailable)
  await lost
  const { rows } = await sql<{ n: number }>`select 1 as n`.execute(app.db)
  assert.deepEqual(rows, [{ n: 1 }])
})
