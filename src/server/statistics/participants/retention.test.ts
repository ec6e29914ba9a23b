import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { recountQuarters } from '#server/testing/app/recount-quarters.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishDimensionQuiz, takeDimensionQuiz } from '#server/testing/quizzes/dimension-quiz.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { applyDueRemovals, listDueRemovals } from './retention.store.ts'
import { applyRetention } from './retention.ts'

const app = await createTestApp()
after(() => app.close())
afterEach(async () => assert.deepEqual(await findDifferences(app.pool), []))
const { client } = await app.signUp()

/** Creates a quiz with one participant of today and two of seven months ago. */
const quizWithOld = async (creator = client): Promise<SampleQuiz> => {
  const quiz = await publishedScoreQuiz(creator)
  const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' }
  const uuids: string[] = []
  for (let rank = 0; rank < 3; rank++)
    uuids.push(
      (await app.client.publicQuiz.submit({ id: quiz.id, body: { answers } })).participant_uuid,
    )
  await makeOld(quiz, uuids.slice(1))
  return quiz
}
/** Moves the submissions of participants seven months back. */
const makeOld = async ({ id }: { id: string }, uuids: string[]): Promise<void> => {
  await app.pool.query(
    `update responses set created_at = created_at - interval '7 months'
    where participant_uuid = any($1)`,
    [uuids],
  )
  await recountQuarters(app.pool, id)
}
const countOf = async ({ id }: SampleQuiz) => (await client.quizzes.get({ id })).quiz.nb_responses
/** Moves the announced time into the past. */
const letTimePass = ({ id }: { id: string }) =>
  app.pool.query(`update retention set due_at = now() - interval '1 minute' where quiz_id = $1`, [
    id,
  ])

describe('the retention period', () => {
  test('retention is unlimited by default', async () => {
    const quiz = await quizWithOld()
    const never = { months: null, announced: null }
    assert.deepEqual(await client.retention.get({ id: quiz.id }), never)
    await applyRetention(app.db)
    assert.equal(await countOf(quiz), 3)
  })

  test('retention announces removals at least a day ahead, and removes only announced participants', async () => {
    const quiz = await quizWithOld()
    const { announced } = await client.retention.set({ id: quiz.id, body: { months: 6 } })
    assert.ok(announced)
    assert.equal(announced.nb_participants, 2)
    assert.ok(Date.parse(announced.due_at) - Date.now() > 24 * 3_600_000)
    assert.ok(Date.parse(announced.before) < Date.now() - 150 * 24 * 3_600_000)
    await applyRetention(app.db)
    assert.equal(await countOf(quiz), 3)
    assert.deepEqual((await client.retention.get({ id: quiz.id })).announced, announced)
    await letTimePass(quiz)
    await Promise.all([applyRetention(app.db), applyRetention(app.db)])
    assert.equal(await countOf(quiz), 1)
    assert.deepEqual(await client.retention.get({ id: quiz.id }), { months: 6, announced: null })
  })

  test('retention announces removals for three o’clock in the time zone of the creator', async () => {
    const { client: far } = await app.signUp()
    await far.preferences.set({ body: { time_zone: 'Pacific/Noumea' } })
    const quiz = await quizWithOld(far)
    const { announced } = await far.retention.set({ id: quiz.id, body: { months: 6 } })
    // Nouméa is eleven hours ahead of UTC all year.
    assert.match(announced?.due_at ?? '', /T16:00:00/)
  })

  test('retention subtracts removed participants from the figures of dimensions', async () => {
    const quiz = await publishDimensionQuiz(client)
    const run = { version: 1, several: [], scale: 5 }
    const take = (way: 'past' | 'out') => takeDimensionQuiz(app.client, quiz, { ...run, way })
    const figuresOf = async () => {
      const { figures } = await client.statistics.responses({ id: quiz.id, figures: '1' })
      return figures?.dimensions.map(({ name, nb_participants, mean }) => [
        ...[name, nb_participants, mean],
      ])
    }
    const old = [await take('past'), await take('past')]
    await take('out')
    await makeOld(quiz, old)
    const before = [
      ['Santé', 3, 200 / 3],
      ['Argent', 2, 100],
    ]
    assert.deepEqual(await figuresOf(), before)
    await client.retention.set({ id: quiz.id, body: { months: 6 } })
    await letTimePass(quiz)
    await applyRetention(app.db)
    assert.deepEqual(await figuresOf(), [['Santé', 1, 100]])
  })

  test('retention removes no participant after it is switched off', async () => {
    const quiz = await quizWithOld()
    await client.retention.set({ id: quiz.id, body: { months: 6 } })
    await letTimePass(quiz)
    const changed = await client.retention.set({ id: quiz.id, body: { months: 12 } })
    assert.deepEqual(changed, { months: 12, announced: null })
    await applyRetention(app.db)
    assert.equal(await countOf(quiz), 3)
    await client.retention.set({ id: quiz.id, body: { months: null } })
    await applyRetention(app.db)
    assert.equal(await countOf(quiz), 3)
  })

  test('retention removes no participant if it is switched off or extended during the removal', async () => {
    for (const months of [null, 12] as const) {
      const quiz = await quizWithOld()
      await client.retention.set({ id: quiz.id, body: { months: 6 } })
      await letTimePass(quiz)
      const due = (await listDueRemovals(app.db, 500)).filter(({ quiz_id }) => quiz_id === quiz.id)
      assert.equal(due.length, 2)
      await client.retention.set({ id: quiz.id, body: { months } })
      assert.equal(await applyDueRemovals(app.db, due), 0)
      assert.equal(await countOf(quiz), 3)
    }
  })

  test('retention announces participants that become too old', async () => {
    const quiz = await quizWithOld()
    await app.db.insertInto('retention').values({ quiz_id: quiz.id, months: 6 }).execute()
    await applyRetention(app.db)
    const { announced } = await client.retention.get({ id: quiz.id })
    assert.equal(announced?.nb_participants, 2)
    assert.equal(await countOf(quiz), 3)
  })

  test('the retention of a foreign quiz, or with an unknown length, is refused', async () => {
    const quiz = await quizWithOld()
    const stranger = (await app.signUp()).client
    const at = { id: quiz.id, body: { months: 6 as const } }
    await refuses(stranger.retention.set(at), 404, 'not_found')
    const reply = await app.raw({
      method: 'PUT',
      url: `/api/v1/quizzes/${quiz.id}/retention`,
      headers: { authorization: `Bearer ${(await app.signUp()).access_token}` },
      body: { months: 1 },
    })
    assert.equal(reply.statusCode, 422)
  })
})
