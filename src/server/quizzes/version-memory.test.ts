import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createVersionCache, findCachedVersions, findVersions } from './versions.store.ts'

const app = await createTestApp()
after(() => app.close())
const { db } = app
const { client } = await app.signUp()

const publishAgain = async ({ id, result_ids }: SampleQuiz) => {
  await client.results.update({ resultId: result_ids[0] ?? '', body: { name: 'Tout bas' } })
  await client.quizzes.publish({ id })
}

test('a version is parsed once, and only uncached versions are read', async () => {
  const versionsOf = createVersionCache()
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  const first = await versionsOf(db, id, [1, 7])
  assert.deepEqual([...first.keys()], [1])
  await publishAgain(quiz)
  const both = await versionsOf(db, id, [1, 2])
  assert.equal(both.get(1), first.get(1))
  assert.deepEqual([...both.keys()], [1, 2])
  const stored = await findVersions(db, id, [1, 2])
  for (const { version, snapshot } of stored) assert.deepEqual(both.get(version), snapshot)
  const { id: other } = await publishedScoreQuiz(client)
  assert.notDeepEqual((await versionsOf(db, other, [1])).get(1), first.get(1))
})

test('the cache holds a maximum size of JSON and evicts the least recently used', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  await publishAgain(quiz)
  const [{ bytes } = { bytes: 0 }] = await findVersions(db, id, [1])
  assert.ok(bytes > 100)
  const versionsOf = createVersionCache(bytes + 100)
  const first = await versionsOf(db, id, [1])
  assert.equal((await versionsOf(db, id, [1])).get(1), first.get(1))
  await versionsOf(db, id, [2])
  assert.notEqual((await versionsOf(db, id, [1])).get(1), first.get(1))
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
  await app.pool.query(`update quiz_versions set snapshot = '{}' where quiz_id = $1`, [id])
  assert.deepEqual(await read(), before)
  assert.equal((await findCachedVersions(db, id, [1])).get(1), kept)
})
