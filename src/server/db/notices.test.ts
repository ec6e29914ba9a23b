import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/sample-quizzes.ts'
import { createTestApp } from '#server/testing/test-app.ts'
import { createNotices, NOTICES_NAME } from './notices.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

/** What another process hears, one event a notice or a gap. */
const listen = async () => {
  const heard = new EventEmitter()
  const notices = createNotices(app.connection, pino({ level: 'silent' }))
  const { ready, close } = notices.listen('quiz_changes', {
    onChange: (quiz_id) => heard.emit('change', quiz_id),
    onGap: () => heard.emit('gap'),
  })
  await ready
  return { heard, close }
}

test('every process hears of a publication, an update, a withdrawal and a deletion', async () => {
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
    const [[told]] = await Promise.all([once(heard, 'change'), act()])
    assert.equal(told, id)
  }
  await close()
})

test('edits, which visitors do not see, are no news', async () => {
  const [edited, other] = [await publishedScoreQuiz(client), await publishedScoreQuiz(client)]
  const { heard, close } = await listen()
  const told = once(heard, 'change')
  await client.quizzes.update({ id: edited.id, body: { name: 'Brouillon encore' } })
  await client.quizzes.update({ id: other.id, body: { status: 'Brouillon' } })
  assert.deepEqual(await told, [other.id])
  await close()
})

test('a lost connection is a gap, and is opened again', async () => {
  const { id } = await publishedScoreQuiz(client)
  const { heard, close } = await listen()
  const lost = once(heard, 'gap')
  await app.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [NOTICES_NAME],
  )
  await lost
  await once(heard, 'gap')
  const told = once(heard, 'change')
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  assert.deepEqual(await told, [id])
  await close()
})
