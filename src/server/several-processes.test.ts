import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { NOTIFICATIONS_NAME } from './db/notifications.ts'
import { findDifferences } from './statistics/counters/verify-counters.store.ts'
import { createEmptyDatabases } from './testing/app/empty-databases.ts'
import { readLiveCounts } from './testing/app/live-counts.ts'
import { createHttpClient, signUpOverHttp } from './testing/people/http-creator.ts'
import { publishedScoreQuiz, type SampleQuiz } from './testing/quizzes/sample-quizzes.ts'
import { databaseUrl, startProcess } from './testing/server-process.ts'

// Runs in test:all, because it starts and kills server processes under load.

const databases = await createEmptyDatabases()
const { connection, client: witness } = await databases.newDatabase()
const env = { DATABASE_URL: databaseUrl(connection), PUBLIC_URL: 'https://quiz.example' }
// Both processes find an empty database and one of them creates the schema.
const [first, second] = await Promise.all([startProcess(env), startProcess(env)])
after(async () => {
  await Promise.all([first.end('SIGKILL'), second.end('SIGKILL')])
  await databases.cleanUp()
})
const token = await signUpOverHttp(first.origin)
const creator = createHttpClient(first.origin, token)

const pageOf = async ({ id }: SampleQuiz) => {
  const response = await fetch(`${second.origin}/q/${id}`)
  return { status: response.status, html: await response.text() }
}
/** Requests a page from the other process until it matches. Returns how long that took. */
const untilPage = async (
  quiz: SampleQuiz,
  isSo: (page: Awaited<ReturnType<typeof pageOf>>) => boolean,
) => {
  const began = performance.now()
  while (!isSo(await pageOf(quiz)));
  return `${Math.round(performance.now() - began)} ms`
}
const cutListeners = () =>
  witness.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [NOTIFICATIONS_NAME],
  )
const republish = async ({ id }: SampleQuiz, name: string) => {
  await creator.quizzes.update({ id, body: { name } })
  await creator.quizzes.publish({ id })
}

describe('changes of one process', () => {
  test('a statistics link that one process revoked is invalid in the other process', async () => {
    const { id } = await publishedScoreQuiz(creator)
    const { token: shared } = (await creator.statisticsLinks.create({ id })).link
    const opened = () => fetch(`${second.origin}/api/v1/shared-statistics/${shared}`)
    assert.equal((await opened()).status, 200)
    await creator.statisticsLinks.revoke({ id })
    assert.equal((await opened()).status, 404)
  })

  test('a publication, an update, a withdrawal and a deletion are visible in the other process', async (t) => {
    const quiz = await publishedScoreQuiz(creator)
    t.diagnostic(`published: ${await untilPage(quiz, ({ status }) => status === 200)}`)
    await republish(quiz, 'La deuxième')
    t.diagnostic(`again: ${await untilPage(quiz, ({ html }) => html.includes('La deuxième'))}`)
    await creator.quizzes.update({ id: quiz.id, body: { status: 'Brouillon' } })
    t.diagnostic(`withdrawn: ${await untilPage(quiz, ({ status }) => status === 404)}`)
    const other = await publishedScoreQuiz(creator)
    await untilPage(other, ({ status }) => status === 200)
    await creator.quizzes.remove({ id: other.id })
    t.diagnostic(`deleted: ${await untilPage(other, ({ status }) => status === 404)}`)
  })

  test('changes are visible in the other process without notifications too, because versions are queried again', async (t) => {
    const quiz = await publishedScoreQuiz(creator)
    await untilPage(quiz, ({ status }) => status === 200)
    await cutListeners()
    await creator.quizzes.update({ id: quiz.id, body: { status: 'Brouillon' } })
    t.diagnostic(`withdrawn unheard: ${await untilPage(quiz, ({ status }) => status === 404)}`)
  })
})

test('an open screen is notified of participants of other processes and of those missed during a gap', async () => {
  const quiz = await publishedScoreQuiz(creator)
  const headers = { authorization: `Bearer ${token}` }
  const address = `${second.origin}/api/v1/quizzes/${quiz.id}/responses/live`
  const counts = readLiveCounts(await fetch(address, { headers }))
  const heard = async (wanted: number) => {
    let last = -1
    while (last < wanted) last = Number((await counts.next()).value)
    return last
  }
  assert.equal(await heard(0), 0)
  await creator.publicQuiz.submit({ id: quiz.id, body: bodyOf(quiz) })
  assert.equal(await heard(1), 1)
  await cutListeners()
  await creator.publicQuiz.submit({ id: quiz.id, body: bodyOf(quiz) })
  assert.equal(await heard(2), 2)
  await counts.return(undefined)
})

const bodyOf = (quiz: SampleQuiz, participant_uuid: string = randomUUID()) => ({
  participant_uuid,
  answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'camille@exemple.fr' },
})

const VISITORS = 16
const EACH = 40

test('if one of two processes is killed under load, repeated submissions count once', async (t) => {
  const quiz = await publishedScoreQuiz(creator)
  let acknowledged = 0
  let failed = 0
  /** Sends until it is acknowledged, to both processes in turn, as a proxy does. */
  const send = async (body: ReturnType<typeof bodyOf>, turn: number): Promise<void> => {
    const { origin } = turn % 2 === 0 ? first : second
    const status = await fetch(`${origin}/api/v1/quizzes/${quiz.id}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(
      ({ status }) => status,
      () => 0,
    )
    if (status === 200 || status === 201) {
      acknowledged++
      return
    }
    if (isUp(origin)) failed++
    await send(body, turn + 1)
  }
  const isUp = (origin: string): boolean => origin === second.origin || !isKilled
  let isKilled = false
  const visit = async (visitor: number): Promise<void> => {
    for (let turn = 0; turn < EACH; turn++) {
      await send(bodyOf(quiz), visitor + turn)
      if (visitor === 0 && turn === EACH / 2) {
        isKilled = true
        await first.end('SIGKILL')
      }
    }
  }
  await Promise.all(Array.from({ length: VISITORS }, (_, visitor) => visit(visitor)))
  assert.equal(acknowledged, VISITORS * EACH)
  assert.equal(failed, 0, 'the process that lives refuses no call')
  const { rows } = await witness.query<{ count: number }>(
    'select count(*)::integer as count from responses where quiz_id = $1',
    [quiz.id],
  )
  assert.equal(rows[0]?.count, VISITORS * EACH)
  const own = createHttpClient(second.origin, token)
  assert.equal((await own.quizzes.get({ id: quiz.id })).quiz.nb_responses, VISITORS * EACH)
  assert.deepEqual(await findDifferences(witness), [])
  t.diagnostic(`${acknowledged} acknowledged, none twice`)
})
