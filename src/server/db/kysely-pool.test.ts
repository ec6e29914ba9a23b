import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { findTestServer } from '#server/testing/app/test-server.ts'
import { startDatabaseRelay } from '#server/testing/network/proxies/database-relay.ts'
import { openPool } from './database.ts'
import { isDatabaseUnavailable } from './database-error.ts'
import { prepared } from './kysely-pool.ts'

const { server, stop } = await findTestServer()
const { host, user, password, port } = new pg.Client(server.connection)
const relay = await startDatabaseRelay({ host, port })
const through = { host: '127.0.0.1', port: relay.port, user, password, database: 'postgres' }
const { db, close } = openPool(
  { ...through, max: 1, query_timeout: 300 },
  pino({ level: 'silent' }),
)
after(async () => {
  await close()
  relay.close()
  await stop()
})

const answer = async () => (await sql<{ n: number }>`select 1 as n`.execute(db)).rows

test('a silent connection fails one query, and later queries succeed', async () => {
  assert.deepEqual(await answer(), [{ n: 1 }])
  relay.silenceConnections()
  await assert.rejects(answer(), isDatabaseUnavailable)
  assert.deepEqual(await answer(), [{ n: 1 }])
})

test('a connection prepares a marked statement once, and runs it with other parameters', async () => {
  const double = async (n: number) => {
    const { rows } = await sql`${prepared('double')}select ${n}::integer * 2 as twice`.execute(db)
    return rows
  }
  assert.deepEqual(await double(2), [{ twice: 4 }])
  assert.deepEqual(await double(21), [{ twice: 42 }])
  const { rows } = await sql`select name, generic_plans + custom_plans as runs
    from pg_prepared_statements`.execute(db)
  assert.deepEqual(rows, [{ name: 'double', runs: 2 }])
})
