import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { pino } from 'pino'
import { createApp } from '#server/app.ts'
import { loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createTestApp()
const log = pino({ level: 'silent' })
/** Second server on the same database. */
const second = await createApp({
  config: app.config,
  database: { ...app, isReady: async () => true },
  secretKey: app.config.secret_key ?? '',
  log,
  has_pages: false,
})
afterEach(async () => assert.deepEqual(await findDifferences(app.pool), []))
after(async () => {
  await second.close()
  await app.close()
})
const { client } = await app.signUp()

const submit = (quiz: SampleQuiz, rank: number, server = app.app) =>
  server.inject({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz.id}/submit`,
    body: {
      answers: {
        [quiz.question_id]: quiz.answer_ids[rank % 2] ?? '',
        [quiz.open_id]: `personne.${rank}@exemple.fr`,
      },
    },
  })
const ranks = (count: number) => Array.from({ length: count }, (_, rank) => rank)
const storm = (quiz: SampleQuiz, count: number) =>
  Promise.all(ranks(count).map((rank) => submit(quiz, rank)))
const statusesOf = (replies: readonly { statusCode: number }[]) => [
  ...new Set(replies.map(({ statusCode }) => statusCode)),
]
/** Running promise and its state. */
const watched = <T>(arriving: Promise<T>) => {
  let isDone = false
  const end = () => {
    isDone = true
  }
  arriving.then(end, end)
  return { arriving, isOver: () => isDone }
}
const rowsOf = async ({ id }: SampleQuiz): Promise<number> => {
  const { rows } = await app.pool.query<{ count: number }>(
    `select count(*) from (
      select quiz_id from responses union all select quiz_id from quiz_versions
      union all select quiz_id from choice_counts union all select quiz_id from text_counts
      union all select quiz_id from result_counts union all select quiz_id from score_counts
      union all select quiz_id from quarter_counts union all select quiz_id from duration_counts
      union all select quiz_id from visit_counts union all select quiz_id from visit_step_counts
      union all select quiz_id from version_results
    ) as everything where quiz_id = $1`,
    [id],
  )
  return rows[0]?.count ?? Number.NaN
}

test('two hundred concurrent submissions are all stored and counted', async () => {
  const quiz = await publishedScoreQuiz(client)
  assert.deepEqual(statusesOf(await storm(quiz, 200)), [201])
  const { quiz: stored } = await client.quizzes.get({ id: quiz.id })
  assert.equal(stored.nb_responses, 200)
  const { stats, details } = await client.statistics.responses({ id: quiz.id, limit: 500 })
  assert.equal(new Set(details.map((detail) => detail.participant_uuid)).size, 200)
  assert.deepEqual(
    stats[quiz.question_id]?.answers.map(({ count }) => count),
    [100, 100],
  )
})

testInAll('concurrent submissions to many quizzes on two servers are not mixed up', async () => {
  const quizzes = await Promise.all(ranks(6).map(() => publishedScoreQuiz(client)))
  const sent = ranks(300).map((rank) => {
    const quiz = quizzes[rank % 6]
    assert.ok(quiz)
    return submit(quiz, Math.floor(rank / 6), rank % 4 < 2 ? app.app : second)
  })
  assert.deepEqual(statusesOf(await Promise.all(sent)), [201])
  for (const quiz of quizzes) {
    const { stats, details } = await client.statistics.responses({ id: quiz.id, limit: 500 })
    assert.equal(details.length, 50)
    assert.deepEqual(
      stats[quiz.question_id]?.answers.map(({ count }) => count),
      [25, 25],
    )
  }
})

test('one participant sent to two servers concurrently is stored once', async () => {
  const quiz = await publishedScoreQuiz(client)
  const participant_uuid = '11111111-1111-4111-8111-111111111111'
  const replies = await Promise.all(
    ranks(30).map((rank) =>
      (rank % 2 ? app.app : second).inject({
        method: 'POST',
        url: `/api/v1/quizzes/${quiz.id}/submit`,
        body: {
          participant_uuid,
          answers: { [quiz.question_id]: quiz.answer_ids[rank % 2], [quiz.open_id]: 'x@y.fr' },
        },
      }),
    ),
  )
  assert.equal(replies.filter(({ statusCode }) => statusCode === 201).length, 1)
  assert.deepEqual(statusesOf(replies).sort(), [200, 201])
  assert.equal(new Set(replies.map(({ body }) => body)).size, 1)
  assert.equal((await client.quizzes.get({ id: quiz.id })).quiz.nb_responses, 1)
})

test('nb_responses always equals the number of stored participants', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { isOver, arriving } = watched(storm(quiz, 150))
  let seen = 0
  while (!isOver()) {
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
  assert.ok(seen > 0)
})

test('concurrent statistics are consistent snapshots, and no figure decreases', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  let answered = 0
  const { isOver, arriving } = watched(
    Promise.all(
      ranks(120).map(async (rank) => {
        assert.equal((await submit(quiz, rank)).statusCode, 201)
        answered++
      }),
    ),
  )
  let seen = 0
  while (!isOver()) {
    const known = answered
    const { stats, details } = await client.statistics.responses({ id, limit: 500 })
    assert.ok(details.length >= Math.max(known, seen), `${details.length}, ${known}, ${seen}`)
    for (const { answers } of Object.values(stats)) {
      const sum = answers.reduce((total, { count }) => total + count, 0)
      assert.equal(sum, details.length)
    }
    const { nb_responses } = (await client.quizzes.get({ id })).quiz
    assert.ok(nb_responses >= details.length, `${nb_responses} after ${details.length}`)
    const listed = (await client.quizzes.list()).quizzes.find((candidate) => candidate.id === id)
    assert.ok((listed?.nb_responses ?? 0) >= nb_responses)
    seen = nb_responses
  }
  await arriving
  assert.equal((await client.quizzes.get({ id })).quiz.nb_responses, 120)
})

testInAll('updates and withdrawals under load succeed, and so do the submissions', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  const arriving = storm(quiz, 120)
  await client.results.update({ resultId: quiz.result_ids[0] ?? '', body: { name: 'Doucement' } })
  await client.quizzes.publish({ id })
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  await client.quizzes.update({ id, body: { status: 'Publié' } })
  const replies = await arriving
  for (const status of statusesOf(replies)) assert.ok([201, 403].includes(status), String(status))
  const stored = replies.filter(({ statusCode }) => statusCode === 201).length
  assert.equal((await client.quizzes.get({ id })).quiz.nb_responses, stored)
})

testInAll('saving a quiz does not delay its visitors', async () => {
  const { client, user_id } = await app.signUp()
  const quiz = await publishedScoreQuiz(client)
  await app.db.transaction().execute(async (save) => {
    await loadQuiz(save, { quiz_id: quiz.id, creator_id: user_id }, 'lock')
    assert.equal((await submit(quiz, 0)).statusCode, 201)
  })
})

testInAll(
  'a deletion under load succeeds and leaves nothing, and later visitors find no quiz',
  async () => {
    for (const arrived of [1, 40, 100]) {
      const quiz = await publishedScoreQuiz(client)
      const neighbour = await publishedScoreQuiz(client)
      const sent = ranks(160).map((rank) => submit(quiz, rank, rank % 2 ? app.app : second))
      const others = storm(neighbour, 40)
      await sent[arrived]
      await client.quizzes.remove({ id: quiz.id, permanently: '1' })
      const statuses = statusesOf(await Promise.all(sent))
      for (const status of statuses) assert.ok([201, 404].includes(status), String(status))
      assert.deepEqual(statusesOf(await others), [201])
      assert.equal(await rowsOf(quiz), 0)
      assert.equal((await submit(quiz, 0)).statusCode, 404)
    }
  },
)
