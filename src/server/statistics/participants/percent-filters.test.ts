import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findOrCreateCertificate } from '#server/reports/reports.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const quiz = await publishedScoreQuiz(client)
for (const [rank, answer_id] of quiz.answer_ids.entries())
  await app.client.publicQuiz.submit({
    id: quiz.id,
    body: { answers: { [quiz.question_id]: answer_id, [quiz.open_id]: `p${rank}@exemple.fr` } },
  })

const emailsOf = async (filters: { percent?: string; certificate?: 'delivered' | 'none' }) =>
  (await client.statistics.responses({ id: quiz.id, ...filters })).details.map(({ email }) => email)

test('participants are filtered by the percent of the possible points, which the list shows', async () => {
  // The answers give 1 and 5 of 1 to 5 points: 0 % and 100 %.
  assert.deepEqual(await emailsOf({ percent: 'score:50-100' }), ['p1@exemple.fr'])
  assert.deepEqual(await emailsOf({ percent: 'score:0-99' }), ['p0@exemple.fr'])
  assert.deepEqual(await emailsOf({ percent: 'score:1-99' }), [])
  const { details, figures } = await client.statistics.responses({
    id: quiz.id,
    outcomes: '1',
    figures: '1',
  })
  assert.deepEqual(
    details.map(({ percent, has_certificate }) => [percent, has_certificate]),
    [
      [100, false],
      [0, false],
    ],
  )
  assert.deepEqual(figures?.choices.percents, [{ id: 'score', name: 'Score' }])
  await refuses(emailsOf({ percent: 'score:60-50' }), 422, 'invalid')
  await refuses(emailsOf({ percent: `${quiz.open_id}:0-50` }), 422, 'invalid')
})

test('participants are filtered by a certificate that was delivered, also after a cached count', async () => {
  assert.deepEqual(await emailsOf({ certificate: 'delivered' }), [])
  const { details } = await client.statistics.responses({ id: quiz.id })
  const { participant_uuid = '' } = details.find(({ email }) => email === 'p1@exemple.fr') ?? {}
  await findOrCreateCertificate(app.db, { quiz_id: quiz.id, participant_uuid }, '2026-03-09')
  assert.deepEqual(await emailsOf({ certificate: 'delivered' }), ['p1@exemple.fr'])
  assert.deepEqual(await emailsOf({ certificate: 'none' }), ['p0@exemple.fr'])
  const other = await publishedScoreQuiz(client)
  const { details: others } = await client.statistics.responses({
    id: other.id,
    certificate: 'delivered',
  })
  assert.deepEqual(others, [])
})
