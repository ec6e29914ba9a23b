import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { NO_SHARED_STATISTICS } from '#contract/statistics/statistics-links.ts'
import { QUESTION_TYPES } from '#domain/common/vocabulary.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishEventSondage } from '#server/testing/quizzes/event-sondage.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const submit = (quiz: SampleQuiz, email: string) =>
  app.client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: email },
      email,
      elapsed_seconds: 30,
    },
  })
const share = async (id: string) => (await client.statisticsLinks.create({ id })).link
const open = (token: string) => app.client.sharedStatistics.get({ token })
/** Returns the figures without the ids that filters use. */
const unfiltered = <T>(shown: T): T =>
  JSON.parse(JSON.stringify(shown, (key, value) => (key === 'filter' ? undefined : value)))
const call = (token: string, method: 'GET' | 'POST' = 'GET') =>
  app.raw({ method, url: `/api/v1/shared-statistics/${token}` })

test('a statistics link is created once, shown again to its creator, and stored encrypted', async () => {
  const { id } = await publishedScoreQuiz(client)
  assert.deepEqual(await client.statisticsLinks.get({ id }), { link: null })
  const link = await share(id)
  assert.match(link.token, /^[\w-]{24}$/)
  assert.equal(link.opened_on, null)
  assert.deepEqual(await share(id), link)
  assert.deepEqual((await client.statisticsLinks.get({ id })).link, link)
  const together = await Promise.all(Array.from({ length: 5 }, () => share(id)))
  assert.deepEqual([...new Set(together.map(({ token }) => token))], [link.token])
  const { rows } = await app.pool.query('select t::text as row from statistics_links as t')
  assert.ok(!JSON.stringify(rows).includes(link.token))
  const { token: other } = await share((await publishedScoreQuiz(client)).id)
  assert.notEqual(other, link.token)
})

test('a reader of the link sees the figures of the screen, and the day is recorded', async () => {
  const quiz = await publishedScoreQuiz(client)
  for (const name of ['a', 'b', 'c', 'd', 'e']) await submit(quiz, `${name}@exemple.fr`)
  const { token } = await share(quiz.id)
  const { counted_at, ...answer } = await open(token)
  const screen = await client.statistics.responses({ id: quiz.id, figures: '1' })
  const { figures } = screen
  assert.ok(figures)
  assert.deepEqual(answer.quiz, { name: 'Quel rythme ?', type: 'quiz' })
  assert.equal(answer.nb_participants, 5)
  const { now } = await client.statistics.keyFigures({ id: quiz.id })
  assert.equal(answer.nb_opened, now.nb_opened)
  const stats = screen.stats[quiz.question_id]
  assert.ok(stats?.answers.every(({ filter }) => filter))
  assert.deepEqual(answer.shared?.stats[quiz.question_id], unfiltered(stats))
  const { results, days, scores, tiers, dimensions, right_answers } = unfiltered(figures)
  const { duration, visits, sources, grids } = unfiltered(figures)
  const { questions, ...shared } = answer.shared?.figures ?? {}
  assert.deepEqual(shared, {
    nb_participants: 5,
    results,
    days,
    scores,
    tiers,
    dimensions,
    right_answers,
    duration,
    visits,
    sources,
    grids,
  })
  assert.deepEqual(questions?.[quiz.question_id], unfiltered(figures.questions[quiz.question_id]))
  assert.equal(questions?.[quiz.open_id]?.nb_answered, 5)
  assert.ok(Date.now() - Date.parse(counted_at) < 60_000)
  const { link } = await client.statisticsLinks.get({ id: quiz.id })
  assert.match(link?.opened_on ?? '', /^\d{4}-\d{2}-\d{2}$/)
  await submit(quiz, 'f@exemple.fr')
  assert.equal((await open(token)).nb_participants, 6)
})

test('the answer to a statistics link contains no text of a participant, for any kind of field', async () => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Tout', type: 'sondage' } })
  const { id } = quiz
  const choices = [randomUUID(), randomUUID()]
  const asked = QUESTION_TYPES.map((type, rank) => ({
    id: randomUUID(),
    type,
    text: `Question ${rank}`,
    page_number: 1,
    is_required: false,
    ...(type === 'multiple_choice' && {
      max_choices: null,
      has_other: true,
      answers: choices.map((answer, place) => ({ id: answer, text: `Choix ${place}` })),
    }),
    ...(type === 'scale' && { scale_min: 0 as const, scale_max: 10 as const }),
  }))
  await client.questions.saveDraft({ id, body: { questions: asked } })
  await client.quizzes.publish({ id })
  const planted: string[] = []
  const plant = <T extends string>(text: T): T => {
    planted.push(text)
    return text
  }
  for (const name of ['Ada', 'Bob', 'Cléo', 'Dan', 'Ève', 'Flo']) {
    const rank = planted.length
    const typed: Record<string, string | string[]> = {
      multiple_choice: [choices[0] ?? '', `other:${plant(`autre de ${name}`)}`],
      text: plant(`texte de ${name}`),
      textarea: plant(`long texte de ${name}`),
      email: plant(`${rank}-personne@exemple.fr`),
      phone: plant(`06${40_000_000 + rank}`),
      number: plant(`${7_000_000 + rank}`),
      scale: '7',
      date: '1987-06-05',
    }
    const answers = Object.fromEntries(
      asked.map((question) => [question.id, typed[question.type] ?? '']),
    )
    const email = plant(`${rank}-compte@exemple.fr`)
    await app.client.publicQuiz.submit({ id, body: { answers, email } })
  }
  const { token } = await share(id)
  const { body } = await call(token)
  for (const text of [...planted, '1987', 'juin', 'exemple.fr'])
    assert.ok(!body.includes(text), text)
  const { shared } = await open(token)
  const figures = asked.map((question) => shared?.figures.questions[question.id])
  assert.deepEqual(
    figures.map((figure) => figure?.nb_answered),
    asked.map(() => 6),
  )
  const lines = asked.map(
    (question) => shared?.stats[question.id]?.answers.map(({ count }) => count) ?? [],
  )
  assert.deepEqual(
    lines.filter((counts) => counts.length > 0),
    [
      [6, 0, 6],
      [0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0],
    ],
  )
})

test('figures are hidden below five participants, and answers below five replies', async () => {
  const quiz = await publishEventSondage(client)
  const { token } = await share(quiz.id)
  assert.deepEqual((await open(token)).shared, null)
  const blank = { comes: false, themes: [], other: '', note: -1, day: '', word: 'Oui' }
  for (let count = 0; count < 4; count += 1) await quiz.submit(blank)
  assert.deepEqual(
    await open(token).then(({ shared, nb_participants }) => [shared, nb_participants]),
    [null, 4],
  )
  await quiz.submit({ ...blank, comes: true, note: 9 })
  const { shared } = await open(token)
  assert.equal(shared?.stats[quiz.comes]?.answers.length, 2)
  assert.deepEqual(shared?.stats[quiz.note]?.answers, [])
  assert.equal(shared?.figures.questions[quiz.note]?.recommendation, null)
})

test('a revoked link, an unknown link and the link of a deleted quiz get the same answer', async () => {
  const quiz = await publishedScoreQuiz(client)
  const { token: revoked } = await share(quiz.id)
  await client.statisticsLinks.revoke({ id: quiz.id })
  await client.statisticsLinks.revoke({ id: quiz.id })
  assert.deepEqual(await client.statisticsLinks.get({ id: quiz.id }), { link: null })
  const { token: next } = await share(quiz.id)
  assert.notEqual(next, revoked)
  assert.equal((await call(next)).statusCode, 200)
  await client.quizzes.remove({ id: quiz.id })

  const leaving = await app.signUp()
  const { id } = await publishedScoreQuiz(leaving.client)
  const { token: orphan } = (await leaving.client.statisticsLinks.create({ id })).link
  await leaving.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })

  const malformed = ['x', 'a'.repeat(25), `${'a'.repeat(22)}%2e%2e`, `${revoked}%00`, `${revoked} `]
  for (const token of [revoked, next, orphan, 'a'.repeat(24), ...malformed]) {
    const { statusCode, body } = await call(token)
    assert.equal(statusCode, 404, token)
    assert.deepEqual(JSON.parse(body), { error: NO_SHARED_STATISTICS, code: 'not_found' }, token)
  }
})

test('only the creator can create, read and revoke a link, and a reader of the link can make no other call', async () => {
  const { id } = await publishedScoreQuiz(client)
  const { token } = await share(id)
  const stranger = (await app.signUp()).client
  for (const [who, status, code] of [
    [stranger, 404, 'not_found'],
    [app.client, 401, 'unauthorized'],
  ] as const) {
    await refuses(who.statisticsLinks.get({ id }), status, code)
    await refuses(who.statisticsLinks.create({ id }), status, code)
    await refuses(who.statisticsLinks.revoke({ id }), status, code)
  }
  assert.equal((await call(token)).statusCode, 200)
  assert.equal((await call(token, 'POST')).statusCode, 404)
  const { headers } = await call(token)
  assert.equal(headers['cache-control'], 'no-store')
  const as_bearer = { authorization: `Bearer ${token}` }
  const { statusCode } = await app.raw({ url: `/api/v1/quizzes/${id}`, headers: as_bearer })
  assert.equal(statusCode, 401)
})
