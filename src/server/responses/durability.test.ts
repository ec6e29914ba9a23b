import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { createClient } from '#contract/client/full-client.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config/config.ts'
import { openPool } from '#server/db/database.ts'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { findRunning } from '#server/db/embedded/postgres-process.ts'
import { migrate } from '#server/db/migrate.ts'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

// Runs in test:all, because it lets calls race.

/** Separate database server, so that it can be killed. */
const data_dir = mkdtempSync(join(tmpdir(), 'quizaine-durability-'))
const log = pino({ level: 'silent' })
const secretKey = 'a secret that only tests know of'
const embedded = await startEmbedded({ data_dir, log })
await migrate(embedded.connection)
const database = openPool(embedded.connection, log)
const config = readConfig({ RATE_LIMITS: 'off', SECRET_KEY: secretKey })
const app = await createApp({ config, database, secretKey, log, has_pages: false })
/** Connections outside the app, which end when the server is killed. */
const witness = new pg.Pool({ ...embedded.connection, max: 4 })
witness.on('error', () => undefined)

let client: ReturnType<typeof createClient>
before(async () => {
  const signup = await app.inject({
    method: 'POST',
    url: '/auth/v1/signup',
    body: { email: 'createur@example.org', password: 'secret1' },
  })
  const headers = {
    authorization: `Bearer ${signup.json<{ access_token: string }>().access_token}`,
  }
  client = createClient(async ({ method, path, body }) => {
    const reply = await app.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(body === undefined ? {} : { body: body as object }),
    })
    return { status: reply.statusCode, body: reply.body ? reply.json<unknown>() : undefined }
  })
})
after(async () => {
  await app.close()
  await witness.end()
  await database.close()
  await embedded.stop()
  rmSync(data_dir, { recursive: true, force: true })
})

const submit = async (quiz: SampleQuiz, participant_uuid: string) => {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz.id}/submit`,
    body: {
      participant_uuid,
      answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: 'camille@exemple.fr' },
    },
  })
  return statusCode
}
const isStored = async (participant_uuid: string): Promise<boolean> => {
  const { rowCount } = await witness.query('select from responses where participant_uuid = $1', [
    participant_uuid,
  ])
  return rowCount === 1
}
const newParticipants = (count: number) => Array.from({ length: count }, () => randomUUID())

test('each confirmed submission is visible to every other connection', async () => {
  const quiz = await publishedScoreQuiz(client)
  const seen = await Promise.all(
    newParticipants(100).map(async (participant) => [
      await submit(quiz, participant),
      await isStored(participant),
    ]),
  )
  assert.deepEqual(seen, Array(100).fill([201, true]))
})

test('no submission is confirmed before its commit', async () => {
  const quiz = await publishedScoreQuiz(client)
  const participant = randomUUID()
  await using held = await openTransaction(database.pool, {
    text: 'select from quiz_versions where quiz_id = $1 for update',
    values: [quiz.id],
  })
  let answered: number | undefined
  const answer = submit(quiz, participant).then((status) => {
    answered = status
  })
  await held.waitUntilBlocking()
  assert.equal(answered, undefined)
  assert.equal(await isStored(participant), false)
  await held.commit()
  await answer
  assert.equal(answered, 201)
  assert.equal(await isStored(participant), true)
})

testInAll(
  'killing the database under load loses no confirmed submission and duplicates none',
  async () => {
    const quiz = await publishedScoreQuiz(client)
    const participants = newParticipants(400)
    const server = findRunning(data_dir)
    assert.ok(server)
    let answered = 0
    const send = async (participant: string) => {
      const status = await submit(quiz, participant)
      if (++answered === 100) process.kill(server, 'SIGKILL')
      return { participant, status }
    }
    const sent = await Promise.all(participants.map(send))
    for (const { status } of sent) assert.ok([201, 503].includes(status), String(status))

    // Repeats each participant until there is an answer, as the player does.
    const retry = async (participant: string): Promise<number> => {
      const status = await submit(quiz, participant)
      if (status !== 503) return status
      await database.isReady()
      return retry(participant)
    }
    const seen = await Promise.all(
      sent.map(async ({ participant, status }) => ({ status, again: await retry(participant) })),
    )
    for (const { status, again } of seen)
      assert.ok(again === 200 || (again === 201 && status === 503), `${status}, then ${again}`)
    const { quiz: counted } = await client.quizzes.get({ id: quiz.id })
    const { details, stats } = await client.statistics.responses({ id: quiz.id, limit: 500 })
    assert.equal(counted.nb_responses, 400)
    assert.deepEqual(
      details.map((detail) => detail.participant_uuid).sort(),
      [...participants].sort(),
    )
    assert.deepEqual(
      stats[quiz.question_id]?.answers.map(({ count }) => count),
      [400, 0],
    )
  },
)
