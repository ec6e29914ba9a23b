/** Tests with Debian's PgBouncer in transaction mode (`npm run test:pooler`). */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createEmptyDatabases } from '#server/testing/app/empty-databases.ts'
import { readLiveCounts } from '#server/testing/app/live-counts.ts'
import { startPgbouncer } from '#server/testing/network/proxies/pgbouncer.ts'
import { createHttpClient, signUpOverHttp } from '#server/testing/people/http-creator.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { databaseUrl, refuseProcess, startProcess } from '#server/testing/server-process.ts'
import { openPool } from './database.ts'

const databases = await createEmptyDatabases()
const { connection, client: witness } = await databases.newDatabase()
const pooler = await startPgbouncer(connection)
const env = {
  DATABASE_URL: pooler.url,
  DATABASE_DIRECT_URL: databaseUrl(connection),
  PUBLIC_URL: 'https://quiz.example',
}
const [first, second] = await Promise.all([startProcess(env), startProcess(env)])
after(async () => {
  await Promise.all([first.end(), second.end()])
  await pooler.stop()
  await databases.cleanUp()
})
const token = await signUpOverHttp(first.origin)
const creator = createHttpClient(first.origin, token)

test('the queries of both processes go through the pooler, and one connection of each does not', async () => {
  const { rows } = await witness.query<{ name: string; count: number }>(
    `select application_name as name, count(*)::integer as count
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() group by 1`,
  )
  const count = (name: string) => rows.find((row) => row.name === name)?.count ?? 0
  assert.equal(count('quizaine notices'), 2)
  assert.ok(count('quizaine') <= 4, 'no more than the pooler may open')
})

test('publishing, answering and reading work without a database session', async () => {
  const quiz = await publishedScoreQuiz(creator)
  const address = `${second.origin}/api/v1/quizzes/${quiz.id}/responses/live`
  const live = readLiveCounts(
    await fetch(address, { headers: { authorization: `Bearer ${token}` } }),
  )
  assert.equal((await live.next()).value, 0)
  const uuids = Array.from({ length: 300 }, () => randomUUID())
  const submit = async (participant_uuid: string, index: number): Promise<number> => {
    const { origin } = index % 2 === 0 ? first : second
    const response = await fetch(`${origin}/api/v1/quizzes/${quiz.id}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        participant_uuid,
        answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: 'camille@exemple.fr' },
      }),
    })
    return response.status
  }
  assert.deepEqual(new Set(await Promise.all(uuids.map(submit))), new Set([201]))
  assert.deepEqual(new Set(await Promise.all(uuids.map(submit))), new Set([200]))
  let heard = 0
  while (heard < uuids.length) heard = Number((await live.next()).value)
  await live.return(undefined)
  const own = createHttpClient(second.origin, token)
  assert.equal((await own.quizzes.get({ id: quiz.id })).quiz.nb_responses, uuids.length)
  assert.deepEqual(await findDifferences(witness), [])
  while ((await fetch(`${second.origin}/q/${quiz.id}`)).status !== 200);
  await creator.quizzes.update({ id: quiz.id, body: { status: 'Brouillon' } })
  while ((await fetch(`${second.origin}/q/${quiz.id}`)).status !== 404);
})

test('a named statement is sent through the pooler without its name', async () => {
  const opened = openPool(connection, pino({ level: 'silent' }), { pooler_url: pooler.url })
  const ask = (n: number) =>
    opened.pool.query({ name: 'a-name', text: 'select $1::integer as n', values: [n] })
  const asked = await Promise.all(Array.from({ length: 64 }, (_, n) => ask(n)))
  assert.deepEqual(
    asked.map(({ rows }) => rows[0].n),
    Array.from({ length: 64 }, (_, n) => n),
  )
  await opened.close()
})

test('long queries bypass the pooler and have their own timeout', async () => {
  const opened = openPool(connection, pino({ level: 'silent' }), { pooler_url: pooler.url })
  const dedicated = opened.openDedicatedPool({
    name: 'counts',
    max_connections: 1,
    timeout_ms: 90_000,
  })
  const { rows } = await sql<{ longest: string }>`
    select current_setting('statement_timeout') as longest`.execute(dedicated.db)
  assert.deepEqual(rows, [{ longest: '90s' }])
  await dedicated.close()
  await opened.close()
})

test('a pooler that is not configured as one is named in an error, and the server does not start', () => {
  const { status, stderr } = refuseProcess({ DATABASE_URL: pooler.url })
  assert.equal(status, 1)
  assert.match(stderr, /^DATABASE_DIRECT_URL: required with a pooler's DATABASE_URL/)
})

test('a pooler as address of the replica is named in an error, and the server does not start', () => {
  const DATABASE_URL = databaseUrl(connection)
  const { status, stderr } = refuseProcess({ DATABASE_URL, DATABASE_READ_URL: pooler.url })
  assert.equal(status, 1)
  assert.match(stderr, /^DATABASE_READ_URL: must be the address of the replica itself/)
})
