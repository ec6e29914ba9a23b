import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import Fastify from 'fastify'
import { pino } from 'pino'
import { openPool } from '#server/db/database.ts'
import { toApiError } from '#server/http/edge/errors.ts'
import { limitRates } from '#server/http/edge/rate-limits.ts'
import { createVersionReader } from '#server/published-versions/published-versions.ts'
import { createVisits } from '#server/responses/visits.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
  type SampleQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'
import { registerVisits } from './visits.routes.ts'

/** Caller without a session. */
const NOBODY = { sessionOf: async () => undefined, keyOf: () => undefined }

const app = await createTestApp()
const { client } = await app.signUp()
const log = pino({ level: 'silent' })
const visits = createVisits(app.pool, log)
const { heavyWork, compiled } = createTestVersions(app.db)
after(heavyWork.close)
const versionReader = createVersionReader(app.db, { compiled })
const { public_url } = app.config

const serve = ({ is_limited = false } = {}) => {
  const server = Fastify()
  server.setErrorHandler((error, _request, reply) => {
    reply.code(toApiError(error).status).send()
  })
  if (is_limited) limitRates(server, app.config.submit_limits, NOBODY)
  registerVisits(server, { versionReader, visits, public_url })
  return server
}
const server = serve()
after(async () => {
  await server.close()
  await visits.close()
  await app.close()
})

const reportVisit = async (path: string, headers: Record<string, string> = {}, target = server) =>
  (await target.inject({ method: 'POST', url: `/q/${path}`, headers })).statusCode
const submit = ({ id, question_id, answer_ids, open_id }: SampleQuiz) =>
  app.client.publicQuiz.submit({
    id,
    body: { answers: { [question_id]: answer_ids[0] ?? '', [open_id]: 'ada@exemple.fr' } },
  })
/** Returns the counts of each version's steps, newest version first, after all reports are written. */
const stepsOf = async (
  id: string,
  filters: { from?: string; to?: string; email?: string } = {},
) => {
  await visits.flush()
  const { figures } = await client.statistics.responses({ id, figures: '1', ...filters })
  return figures?.visits?.map(({ steps }) => steps.map(({ count }) => count)) ?? null
}

describe('the visit report of a page that is left', () => {
  test('a visit report counts each step once, and participants reach the last step', async () => {
    const quiz = await publishedScoreQuiz(client)
    const at = `${quiz.id}/visite/1`
    assert.deepEqual(await stepsOf(quiz.id), [])
    for (const path of ['0/1', '0/1', '0/2', '0/3', '2/3', '1/2'])
      assert.equal(await reportVisit(`${at}/${path}`), 204)
    assert.deepEqual(await stepsOf(quiz.id), [[4, 3, 2, 0]])
    await submit(quiz)
    assert.deepEqual(await stepsOf(quiz.id), [[4, 3, 2, 1]])
  })

  test('a visit report is only a hint, because a finished visit counts at every step', async () => {
    const quiz = await publishedScoreQuiz(client)
    await submit(quiz)
    await submit(quiz)
    assert.deepEqual(await stepsOf(quiz.id), [[2, 2, 2, 2]])
  })

  test('a visit is uncounted when the participant is deleted', async () => {
    const quiz = await publishedScoreQuiz(client)
    const { participant_uuid } = await submit(quiz)
    for (const path of ['0/3', '0/2']) await reportVisit(`${quiz.id}/visite/1/${path}`)
    assert.deepEqual(await stepsOf(quiz.id), [[2, 2, 1, 1]])
    await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
    assert.deepEqual(await stepsOf(quiz.id), [[1, 1, 0, 0]])
    assert.deepEqual(await findDifferences(app.pool, quiz.id), [])
  })

  test('visits are filtered only by version and day', async () => {
    const quiz = await publishedScoreQuiz(client)
    await reportVisit(`${quiz.id}/visite/1/0/1`)
    await client.questions.update({ id: quiz.question_id, body: { text: 'Autrement ?' } })
    await client.quizzes.publish({ id: quiz.id })
    await reportVisit(`${quiz.id}/visite/2/0/2`)
    await submit(quiz)
    assert.deepEqual(await stepsOf(quiz.id), [
      [1, 1, 1, 1],
      [1, 0, 0, 0],
    ])
    assert.deepEqual(await stepsOf(quiz.id, { to: '2020-01-01' }), [])
    assert.equal((await stepsOf(quiz.id, { from: '2020-01-01' }))?.length, 2)
    assert.equal(await stepsOf(quiz.id, { email: 'ada' }), null)
  })

  test('a visit is not counted if the browser asks for privacy', async () => {
    const quiz = await publishedScoreQuiz(client)
    for (const header of ['sec-gpc', 'dnt'])
      assert.equal(await reportVisit(`${quiz.id}/visite/1/0/3`, { [header]: '1' }), 204)
    assert.deepEqual(await stepsOf(quiz.id), [])
  })

  test('a visit in a sandboxed frame without an origin is counted', async () => {
    const { id } = await publishedScoreQuiz(client)
    const sandboxed = { origin: 'null', 'sec-fetch-site': 'cross-site' }
    assert.equal(await reportVisit(`${id}/visite/1/0/1`, sandboxed), 204)
    assert.deepEqual(await stepsOf(id), [[1, 0, 0, 0]])
  })

  test('an impossible visit report is refused and not counted', async () => {
    const { id } = await publishedScoreQuiz(client)
    const draft = await readyScoreQuiz(client)
    const refused: [path: string, status: number][] = [
      [`${id}/visite/1/0/4`, 404],
      [`${id}/visite/2/0/1`, 404],
      [`${draft.id}/visite/1/0/1`, 404],
      ['00000000-0000-4000-8000-000000000000/visite/1/0/1', 404],
      [`${id}/visite/1/2/2`, 422],
      [`${id}/visite/1/2/1`, 422],
      [`${id}/visite/1/-1/1`, 422],
      [`${id}/visite/1/0/99999999999`, 422],
      [`${id}/visite/x/0/1`, 422],
      ["'--/visite/1/0/1", 422],
    ]
    for (const [path, status] of refused) assert.equal(await reportVisit(path), status, path)
    const other = { 'sec-fetch-site': 'cross-site' }
    assert.equal(await reportVisit(`${id}/visite/1/0/1`, other), 403)
    assert.deepEqual(await stepsOf(id), [])
  })

  test('visit reports are rate-limited per address', async (t) => {
    // The allowance grows with time, so a slow machine may make more calls.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const { id } = await publishedScoreQuiz(client)
    const limited = serve({ is_limited: true })
    const statuses: number[] = []
    // Few calls run concurrently, because a busy machine would refuse hundreds for overload.
    while (statuses.length < 605) {
      const some = Array.from({ length: 11 }, () => reportVisit(`${id}/visite/1/0/1`, {}, limited))
      statuses.push(...(await Promise.all(some)))
    }
    const refused = statuses.filter((status) => status !== 204)
    assert.deepEqual(refused, [429, 429, 429, 429, 429])
    await limited.close()
    assert.deepEqual(await stepsOf(id), [[600, 0, 0, 0]])
  })
})

test('a visit report waits if it cannot be written, and is written once', async () => {
  const { id } = await publishedScoreQuiz(client)
  const database = openPool({ host: '/nowhere' }, log)
  const away = createVisits(database.pool, log)
  away.count({ quiz_id: id, version: 1, from: 0, to: 2 })
  await away.close()
  await database.close()
  assert.deepEqual(await stepsOf(id), [])

  const many = [createVisits(app.pool, log), createVisits(app.pool, log)]
  for (const one of many)
    for (let visit = 0; visit < 50; visit++) one.count({ quiz_id: id, version: 1, from: 0, to: 2 })
  await Promise.all(many.flatMap((visits) => [visits.flush(), visits.close()]))
  assert.deepEqual(await stepsOf(id), [[100, 100, 0, 0]])
})

test('visits of two versions that are written together are counted apart', async () => {
  const quiz = await publishedScoreQuiz(client)
  await client.questions.update({ id: quiz.question_id, body: { text: 'Autrement ?' } })
  await client.quizzes.publish({ id: quiz.id })
  for (const version of [1, 2, 2]) visits.count({ quiz_id: quiz.id, version, from: 0, to: 1 })
  assert.deepEqual(await stepsOf(quiz.id), [
    [2, 0, 0, 0],
    [1, 0, 0, 0],
  ])
})

test('visits are deleted with their quiz', async () => {
  const { id } = await publishedScoreQuiz(client)
  visits.count({ quiz_id: id, version: 1, from: 0, to: 1 })
  await client.quizzes.remove({ id })
  await visits.flush()
  const { rows } = await app.pool.query('select from visit_counts where quiz_id = $1', [id])
  assert.equal(rows.length, 0)
})
