import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { findTestServer } from '#server/testing/app/test-server.ts'
import { startDatabaseRelay } from '#server/testing/network/proxies/database-relay.ts'
import { openPool } from './database.ts'
import { isDatabaseUnavailable } from './database-error.ts'

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
