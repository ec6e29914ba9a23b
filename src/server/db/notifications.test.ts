import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { startDatabaseRelay } from '#server/testing/network/proxies/database-relay.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createNotifications, NOTIFICATIONS_NAME } from './notifications.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

/** Returns what another process hears: one event for each notification or gap. */
const listen = async (connection = app.connection, timing = {}) => {
  const heard = new EventEmitter()
  const notifications = createNotifications(connection, pino({ level: 'silent' }), timing)
  const { ready, close } = notifications.listen('quiz_changes', {
    onChange: (quiz_id) => heard.emit('change', quiz_id),
    onGap: () => heard.emit('gap'),
  })
  await ready
  return { heard, close }
}

const MAX_WAIT_MS = 30_000
/** Returns the arguments of the next event. Rejects if there is none within half a minute. */
const hear = (heard: EventEmitter, event: 'change' | 'gap') =>
  once(heard, event, { signal: AbortSignal.timeout(MAX_WAIT_MS) })

test('every process is notified of publication, update, withdrawal and deletion', async () => {
  const { id } = await readyScoreQuiz(client)
  const { heard, close } = await listen()
  const acts = [
    () => client.quizzes.publish({ id }),
    async () => {
      await client.quizzes.update({ id, body: { name: 'Autrement' } })
      await client.quizzes.publish({ id })
    },
    () => client.quizzes.update({ id, body: { status: 'Brouillon' } }),
    () => client.quizzes.remove({ id }),
  ]
  for (const act of acts) {
    const [[told]] = await Promise.all([hear(heard, 'change'), act()])
    assert.equal(told, id)
  }
  await close()
})

test('edits of drafts are not notified', async () => {
  const [edited, other] = [await publishedScoreQuiz(client), await publishedScoreQuiz(client)]
  const { heard, close } = await listen()
  const told = hear(heard, 'change')
  await client.quizzes.update({ id: edited.id, body: { name: 'Brouillon encore' } })
  await client.quizzes.update({ id: other.id, body: { status: 'Brouillon' } })
  assert.deepEqual(await told, [other.id])
  await close()
})

test('a lost connection for notices is reported as a gap and reopened', async () => {
  const { id } = await publishedScoreQuiz(client)
  const { heard, close } = await listen()
  const lost = hear(heard, 'gap')
  await app.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [NOTIFICATIONS_NAME],
  )
  await lost
  await hear(heard, 'gap')
  const told = hear(heard, 'change')
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  assert.deepEqual(await told, [id])
  await close()
})

test('a silent connection for notices is detected and reopened', async () => {
  const { id } = await publishedScoreQuiz(client)
  const { host, port, user, password, database } = new pg.Client(app.connection)
  const relay = await startDatabaseRelay({ host, port })
  const through = { host: '127.0.0.1', port: relay.port, user, password, database }
  const { heard, close } = await listen(through, { ask_every_ms: 50, longest_answer_ms: 200 })
  const lost = hear(heard, 'gap')
  relay.silenceConnections()
  await lost
  await hear(heard, 'gap')
  const told = hear(heard, 'change')
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  assert.deepEqual(await told, [id])
  await close()
  relay.close()
})
