import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { publishedScoreQuiz, type Ready } from '#server/testing/sample-quizzes.ts'
import { createTestApp } from '#server/testing/test-app.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const submit = (quiz: Ready, rank: number) =>
  app.raw({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz.id}/submit`,
    body: {
      answers: {
        [quiz.question_id]: quiz.answer_ids[rank % 2] ?? '',
        [quiz.open_id]: `personne.${rank}@exemple.fr`,
      },
    },
  })
const storm = (quiz: Ready, count: number) =>
  Promise.all(Array.from({ length: count }, (_, rank) => submit(quiz, rank)))

test('two hundred at once are all stored, and every figure agrees', async () => {
  const quiz = await publishedScoreQuiz(client)
  const replies = await storm(quiz, 200)
  assert.ok(replies.every(({ statusCode }) => statusCode === 201))
  const { quiz: stored } = await client.quizzes.get({ id: quiz.id })
  assert.equal(stored.nb_responses, 200)
  const { stats, details } = await client.statistics.responses({ id: quiz.id, limit: 500 })
  assert.equal(details.length, 200)
  assert.deepEqual(
    stats[quiz.question_id]?.answers.map(({ count }) => count),
    [100, 100],
  )
})

test('at every moment nb_responses is the number of participants stored', async () => {
  const quiz = await publishedScoreQuiz(client)
  const arriving = storm(quiz, 150)
  let seen = 0
  while (seen < 150) {
    const [row] = await app.db
      .selectFrom('quiz_versions')
      .select((of) => [
        'nb_responses',
        of
          .selectFrom('responses')
          .select((rows) => rows.fn.countAll<number>().as('count'))
          .whereRef('responses.quiz_id', '=', 'quiz_versions.quiz_id')
          .as('stored'),
      ])
      .where('quiz_id', '=', quiz.id)
      .execute()
    assert.equal(Number(row?.stored), Number(row?.nb_responses))
    seen = Number(row?.nb_responses)
  }
  await arriving
})

test('an answered submission is in the database', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { participant_uuid } = (await submit(quiz, 0)).json<{ participant_uuid: string }>()
  const rows = await app.db
    .selectFrom('responses')
    .select('participant_uuid')
    .where('quiz_id', '=', quiz.id)
    .execute()
  assert.deepEqual(rows, [{ participant_uuid }])
})

test('updates, withdrawals and a deletion during a storm never fail it', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  const arriving = storm(quiz, 120)
  await client.results.update({ resultId: quiz.result_ids[0] ?? '', body: { name: 'Doucement' } })
  await client.quizzes.publish({ id })
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  await client.quizzes.update({ id, body: { status: 'Publié' } })
  const later = storm(quiz, 60)
  await client.quizzes.remove({ id })
  const statuses = new Set([...(await arriving), ...(await later)].map((one) => one.statusCode))
  for (const status of statuses) assert.ok([201, 403, 404].includes(status), String(status))
  const left = await app.db
    .selectFrom('responses')
    .select('participant_uuid')
    .where('quiz_id', '=', id)
    .execute()
  assert.deepEqual(left, [])
})
