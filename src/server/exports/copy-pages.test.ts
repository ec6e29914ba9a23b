import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { copyLines } from './copy-pages.ts'

const app = await createTestApp()
const TIMEOUT_MS = 1_000
const pool = new pg.Pool({ ...app.connection, max: 1, query_timeout: TIMEOUT_MS })
after(async () => {
  await pool.end()
  await app.close()
})

const linesOf = async (query: ReturnType<typeof sql>): Promise<string[]> => {
  const lines: string[] = []
  await copyLines(pool, query.compile(app.db), (line) => lines.push(line.toString()))
  return lines
}
const few = sql`copy (select * from generate_series(1, 3)) to stdout`

test('each line of a COPY is complete, however the bytes were split', async () => {
  const lines = await linesOf(
    sql`copy (select n, repeat('é', n % 200) from generate_series(1, 5000) n) to stdout`,
  )
  const wanted = Array.from({ length: 5000 }, (_, i) => `${i + 1}\t${'é'.repeat((i + 1) % 200)}\n`)
  assert.deepEqual(lines, wanted)
})

test('a line that is longer than a network chunk is read as one line', async () => {
  const [line = '', ...others] = await linesOf(sql`copy (select repeat('x', 1000000)) to stdout`)
  assert.deepEqual([line.length, others], [1_000_001, []])
})

test('a finished COPY does not fail at the end of its timeout', async () => {
  assert.equal((await linesOf(few)).length, 3)
  await wait(TIMEOUT_MS + 100)
  assert.equal((await linesOf(few)).length, 3)
})

test('a COPY beyond its timeout fails, and the next COPY finds a connection', async () => {
  await assert.rejects(linesOf(sql`copy (select pg_sleep(30)) to stdout`), /timeout/)
  assert.equal((await linesOf(few)).length, 3)
})

test('an error of the database or of the reader fails the COPY', async () => {
  await assert.rejects(linesOf(sql`copy (select 1 / 0) to stdout`), /division by zero/)
  const refuse = (): never => {
    throw new Error('refused')
  }
  await assert.rejects(copyLines(pool, few.compile(app.db), refuse), /refused/)
  await wait(TIMEOUT_MS + 100)
  assert.equal((await linesOf(few)).length, 3)
})
