import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { measureHeapBytes } from '#server/runtime/heap-bytes.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createVersionCache, findCachedVersions, findVersion } from './versions.store.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const app = await createTestApp()
after(() => app.close())
const { db } = app
const { client } = await app.signUp()

const publishAgain = async ({ id, result_ids }: SampleQuiz) => {
  await client.results.update({ resultId: result_ids[0] ?? '', body: { name: 'Tout bas' } })
  await client.quizzes.publish({ id })
}

test('a version is parsed once, also for concurrent calls, and only uncached versions are read', async () => {
  const versionsOf = createVersionCache()
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
  const versionsOf = createVersionCache(bytes + 100)
  await versionsOf(db, id, [1])
  await versionsOf(db, id, [2])
  await emptyVersions(id)
  await setImmediate()
  collect()
  assert.deepEqual((await versionsOf(db, id, [1])).get(1), {})
})

test('calls share a version that another call still uses, although the cache has evicted it', async () => {
  const { id } = await publishedScoreQuiz(client)
  const versionsOf = createVersionCache(1)
  const first = (await versionsOf(db, id, [1])).get(1)
  await emptyVersions(id)
  collect()
  assert.equal((await versionsOf(db, id, [1])).get(1), first)
})

test('figures parse a version once, however often they are read', async () => {
  const { id, ...quiz } = await publishedScoreQuiz(client)
  const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' }
  await app.client.taking.submit({ id, body: { answers } })
  const read = async () => (await client.statistics.responses({ id })).stats
  const before = await read()
  const kept = (await findCachedVersions(db, id, [1])).get(1)
  assert.ok(kept)
  // Cached versions are used without a query, because a version never changes.
  await emptyVersions(id)
  assert.deepEqual(await read(), before)
  assert.equal((await findCachedVersions(db, id, [1])).get(1), kept)
})
