import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { measureHeapBytes } from '#server/runtime/heap-bytes.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createVersionCache, findReplyContents, findVersion } from './versions.store.ts'

// Runs in test:all, because each of its versions is large.

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const app = await createTestApp()
after(() => app.close())
const { db } = app
const { client } = await app.signUp()

const LONG_TEXT = 'Texte '.repeat(130_000)

const streams = new Set<Socket>()
app.pool.on('acquire', (connected) => {
  streams.add((connected as unknown as { connection: { stream: Socket } }).connection.stream)
})
/** Returns how many bytes the connections have read from the database. */
const countReadBytes = (): number => [...streams].reduce((sum, { bytesRead }) => sum + bytesRead, 0)

const publishAgain = async ({ id, result_ids }: SampleQuiz) => {
  await client.results.update({ resultId: result_ids[0] ?? '', body: { name: 'Tout bas' } })
  await client.quizzes.publish({ id })
}

test('a version is parsed once, also for concurrent calls, and only uncached versions are read', async () => {
  const versionsOf = createVersionCache(findVersion)
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  const [first, second] = await Promise.all([versionsOf(db, id, [1, 7]), versionsOf(db, id, [1])])
  assert.deepEqual([...first.keys()], [1])
  assert.equal(first.get(1), second.get(1))
  await publishAgain(quiz)
  const both = await versionsOf(db, id, [1, 2])
  assert.equal(both.get(1), first.get(1))
  assert.deepEqual([...both.keys()], [1, 2])
  for (const version of [1, 2])
    assert.deepEqual(both.get(version), await findVersion(db, id, version))
  const { id: other } = await publishedScoreQuiz(client)
  assert.notDeepEqual((await versionsOf(db, other, [1])).get(1), first.get(1))
})

/** Empties the content of all versions of a quiz in the database, which shows whether a version is read again. */
const emptyVersions = (id: string) =>
  app.pool.query(`update quiz_versions set snapshot = '{}' where quiz_id = $1`, [id])

test('the cache holds a maximum size in memory, and evicts the least recently used version', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  await publishAgain(quiz)
  const bytes = measureHeapBytes(await findVersion(db, id, 1))
  const versionsOf = createVersionCache(findVersion, bytes + 100)
  await versionsOf(db, id, [1])
  await versionsOf(db, id, [2])
  await emptyVersions(id)
  await setImmediate()
  collect()
  assert.deepEqual((await versionsOf(db, id, [1])).get(1), {})
})

test('calls share a version that another call still uses, although the cache has evicted it', async () => {
  const { id } = await publishedScoreQuiz(client)
  const versionsOf = createVersionCache(findVersion, 1)
  const first = (await versionsOf(db, id, [1])).get(1)
  await emptyVersions(id)
  collect()
  assert.equal((await versionsOf(db, id, [1])).get(1), first)
})

test('figures parse a version once, however often they are read', async () => {
  const { id, ...quiz } = await publishedScoreQuiz(client)
  const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' }
  await app.client.publicQuiz.submit({ id, body: { answers } })
  const read = async () => (await client.statistics.responses({ id })).stats
  const before = await read()
  const kept = (await findReplyContents(db, id, [1])).get(1)
  assert.ok(kept)
  // Cached versions are used without a query, because a version never changes.
  await emptyVersions(id)
  assert.deepEqual(await read(), before)
  assert.equal((await findReplyContents(db, id, [1])).get(1), kept)
})

test('figures and searches of people read neither the texts of pages nor the settings of versions', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'b@exemple.fr' }
  await app.client.publicQuiz.submit({ id, body: { answers } })
  await app.pool.query(
    `update quiz_versions set snapshot = snapshot || jsonb_build_object('filler', $2::text) where quiz_id = $1`,
    [id, LONG_TEXT],
  )
  const before = countReadBytes()
  const { stats } = await client.statistics.responses({ id })
  const { responses } = await client.participants.ofPerson({ body: { email: 'b@exemple.fr' } })
  assert.equal(Object.keys(stats).length, 2)
  assert.equal(responses.length, 1)
  const bytes = countReadBytes() - before
  assert.ok(bytes < LONG_TEXT.length, `${bytes} bytes are read from the database`)
})
