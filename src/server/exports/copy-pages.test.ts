import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { exportTable } from '#domain/statistics/export-table.ts'
import { listAnsweredVersions } from '#server/statistics/counters/counters.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { copyLines, copyPages } from './copy-pages.ts'
import { STANDARD } from './csv.ts'
import { createCsvLines } from './csv-lines.ts'

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

test('lines of a page that failed on the replica are not in the file', async () => {
  const { client } = await app.signUp()
  const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
  for (let nb_sent = 0; nb_sent < 3; nb_sent++)
    await app.client.publicQuiz.submit({
      id,
      body: { answers: { [question_id]: answer_ids[0] ?? '', [open_id]: 'ada@exemple.fr' } },
    })
  const answeredVersions = await listAnsweredVersions(app.db, id)
  const writer = createCsvLines(exportTable(answeredVersions), STANDARD)
  let nb_lines = 0
  const interrupted = {
    ...writer,
    write: (line: Buffer) => {
      writer.write(line)
      if (++nb_lines === 2) throw new Error('The replica stopped')
    },
  }
  const parts: Buffer[] = []
  for await (const part of copyPages(
    { run: (read) => app.heavyReads.run(read).catch(() => app.heavyReads.run(read)) },
    { quiz_id: id, condition: undefined, answeredVersions, nb_texts: 1, parameters: [] },
    { writer: interrupted, inTurn: (task) => task() },
  ))
    parts.push(part)
  assert.equal(nb_lines, 2 + 3)
  assert.equal(Buffer.concat(parts).toString().trim().split('\r\n').length, 3)
})
