import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '#contract/client/client.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

let quiz: SampleQuiz
/** Three participants on 9 March in Paris, one of them before midnight in London; two on 10 March. */
const ARRIVALS: [choice: 0 | 1, email: string, at: string][] = [
  [0, 'ada@exemple.fr', '2026-03-08T23:30:00Z'],
  [1, 'Alan@exemple.fr', '2026-03-09T08:00:00Z'],
  [1, 'ada@exemple.fr', '2026-03-09T22:59:59Z'],
  [1, 'a_b%@exemple.fr', '2026-03-09T23:00:00Z'],
  [0, 'zoe@exemple.fr', '2026-03-10T12:00:00Z'],
]
before(async () => {
  quiz = await publishedScoreQuiz(client)
  for (const [choice, email, at] of ARRIVALS) {
    const answers = { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: email }
    const { participant_uuid } = await app.client.publicQuiz.submit({
      id: quiz.id,
      body: { answers },
    })
    await app.db
      .updateTable('responses')
      .set({ created_at: at })
      .where('participant_uuid', '=', participant_uuid)
      .execute()
  }
})

type Filters = Omit<Parameters<Client['statistics']['responses']>[0], 'id'>
/** Returns the selected participants, and checks that the figures cover only them. */
const leaves = async (filters: Filters) => {
  const { stats, details, figures } = await client.statistics.responses({
    id: quiz.id,
    figures: '1',
    ...filters,
  })
  const count = details.length
  const sum = (lines: readonly { count: number }[]) =>
    lines.reduce((all, line) => all + line.count, 0)
  assert.equal(figures?.nb_participants, count)
  assert.equal(figures?.nb_all_participants, ARRIVALS.length)
  assert.equal(sum(figures?.results ?? []), count)
  assert.equal(figures?.scores?.count ?? 0, count)
  for (const { answers } of Object.values(stats)) assert.equal(sum(answers), count)
  return details.map(({ email }) => email).reverse()
}

describe('the filters of participants', () => {
  test('no filters and empty filters select all participants', async () => {
    assert.equal((await leaves({})).length, 5)
    assert.equal((await leaves({ email: '  ' })).length, 5)
  })

  test('a filter selects addresses by their beginning, case-insensitively, with any characters', async () => {
    assert.deepEqual(await leaves({ email: 'AL' }), ['alan@exemple.fr'])
    assert.deepEqual(await leaves({ email: 'ada@' }), ['ada@exemple.fr', 'ada@exemple.fr'])
    assert.deepEqual(await leaves({ email: 'a_' }), ['a_b%@exemple.fr'])
    assert.deepEqual(await leaves({ email: '%' }), [])
    assert.deepEqual(await leaves({ email: '_' }), [])
    assert.deepEqual(await leaves({ email: '\\' }), [])
  })

  test('a filter selects addresses by the beginning of their domain or last word', async () => {
    assert.equal((await leaves({ email: '@Exemple.' })).length, 5)
    assert.equal((await leaves({ email: 'exemple.fr' })).length, 5)
    assert.deepEqual(await leaves({ email: '@ada' }), [])
    assert.deepEqual(await leaves({ email: 'B%' }), ['a_b%@exemple.fr'])
    assert.deepEqual(await leaves({ email: 'b%@exemple' }), ['a_b%@exemple.fr'])
    assert.deepEqual(await leaves({ email: 'lan' }), [])
  })

  test('a filter selects participants with a result', async () => {
    const [low, high] = quiz.result_ids
    assert.deepEqual(await leaves({ result: low }), ['ada@exemple.fr', 'zoe@exemple.fr'])
    assert.equal((await leaves({ result: high })).length, 3)
  })

  test('a filter selects participants with an answer', async () => {
    assert.equal((await leaves({ answer: quiz.answer_ids[1] })).length, 3)
  })

  test('a filter selects participants with one of several answers', async () => {
    const [first = '', second = ''] = quiz.answer_ids
    assert.equal((await leaves({ answer: `${first},${second}` })).length, 5)
    assert.equal((await leaves({ answer: `${second},${second.toUpperCase()}` })).length, 3)
    const [low] = quiz.result_ids
    assert.deepEqual(await leaves({ answer: `${first},${second}`, result: low }), [
      'ada@exemple.fr',
      'zoe@exemple.fr',
    ])
    const at = { id: quiz.id, questionId: quiz.open_id, search: 'ada' }
    const { texts } = await client.statistics.texts({ ...at, answer: `${first},${second}` })
    assert.deepEqual(texts, [{ text: 'ada@exemple.fr', count: 2 }])
  })

  test('a filter selects participants of days in Paris, including both limits', async () => {
    assert.deepEqual(await leaves({ from: '2026-03-09', to: '2026-03-09' }), [
      'ada@exemple.fr',
      'alan@exemple.fr',
      'ada@exemple.fr',
    ])
    assert.equal((await leaves({ from: '2026-03-10' })).length, 2)
    assert.deepEqual(await leaves({ to: '2026-03-08' }), [])
  })

  test('several filters select participants that match all of them', async () => {
    const [, answer] = quiz.answer_ids
    assert.deepEqual(await leaves({ email: 'ada', answer, to: '2026-03-09' }), ['ada@exemple.fr'])
    assert.deepEqual(await leaves({ answer, result: quiz.result_ids[0] }), [])
  })

  test('filters select the same participants page by page', async () => {
    const answer = quiz.answer_ids[1]
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.statistics.responses({ id: quiz.id, answer, limit: 2, cursor })
      seen.push(...page.details.map(({ participant_uuid }) => participant_uuid))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    assert.equal(new Set(seen).size, 3)
  })
})

test('the charts and the text search use the filtered participants', async () => {
  const view = { id: quiz.id, from: '2026-03-09', to: '2026-03-10' }
  const { figures } = await client.statistics.responses({ ...view, figures: '1' })
  assert.deepEqual(figures?.days, [
    { day: '2026-03-09', count: 3 },
    { day: '2026-03-10', count: 2 },
  ])
  const at = { ...view, questionId: quiz.open_id }
  assert.deepEqual(await client.statistics.texts({ ...at, search: 'ADA' }), {
    texts: [{ text: 'ada@exemple.fr', count: 2 }],
    is_complete: true,
  })
  assert.equal((await client.statistics.texts({ ...at, to: '2026-03-09' })).texts.length, 2)
  const all = await client.statistics.texts({ id: quiz.id, questionId: quiz.open_id, search: '%' })
  assert.deepEqual(all.texts, [{ text: 'a_b%@exemple.fr', count: 1 }])
})

test('a filter finds addresses whether there are many or few', async () => {
  const many = await publishedScoreQuiz(client)
  await app.pool.query(
    `insert into responses (quiz_id, participant_uuid, version, email, choices, texts)
      select $1, gen_random_uuid(), 1,
        'Jean.N' || rank || '@Exemple.' || case when rank % 7 = 0 then 'be' else 'fr' end, '{0}', '{x}'
      from generate_series(1, 2800) as rank`,
    [many.id],
  )
  await app.pool.query('update quiz_versions set nb_responses = 2800 where quiz_id = $1', [many.id])
  for (const [email, count] of [
    ['JEAN', 2_800],
    ['@EXEMPLE', 2_800],
    ['@EXEMPLE.B', 400],
    ['@exemple.fr', 2_400],
    ['@exemple.fr ', 2_400],
    ['@exemple.fra', 0],
    ['@exemple.c', 0],
    ['@', 2_800],
    ['n2', 912],
    ['an', 0],
  ] as const) {
    const { figures } = await client.statistics.responses({ id: many.id, email, figures: '1' })
    assert.equal(figures?.nb_participants, count, email)
  }
})

describe('the refusals of a filter', () => {
  const stranger = '11111111-1111-4111-8111-111111111111'
  const wrong: [string, Filters][] = [
    ['reversed dates', { from: '2026-03-10', to: '2026-03-09' }],
    ['an impossible day', { from: '2026-02-30' }],
    ['a day that is too early', { from: '0000-01-01' }],
    ['a day that is too late', { to: '9999-12-31' }],
    ['a date in words', { to: 'demain' }],
    ['an address of ten kilobytes', { email: 'a'.repeat(10_000) }],
    ['an address with a NUL character', { email: 'a\0' }],
    ['a result of ten kilobytes', { result: 'a'.repeat(10_000) }],
    ['an unknown result', { result: stranger }],
    ['an unknown answer', { answer: stranger }],
    ['an answer that is not an id', { answer: "' or true--" }],
    ['six answers', { answer: Array.from({ length: 6 }, () => stranger).join() }],
    ['an empty answer between commas', { answer: `${stranger},` }],
  ]
  for (const [name, filters] of wrong)
    test(`a filter with ${name} is refused`, () =>
      refuses(client.statistics.responses({ id: quiz.id, ...filters }), 422, 'invalid'))

  test('a filter is refused for results and answers of another quiz', async () => {
    const other = await publishedScoreQuiz(client)
    const { id } = quiz
    await refuses(client.statistics.responses({ id, result: other.result_ids[0] }), 422, 'invalid')
    await refuses(client.statistics.responses({ id, answer: other.answer_ids[0] }), 422, 'invalid')
    const both = `${quiz.answer_ids[0]},${other.answer_ids[0]}`
    await refuses(client.statistics.responses({ id, answer: both }), 422, 'invalid')
    await refuses(client.statistics.responses({ id, answer: quiz.question_id }), 422, 'invalid')
  })

  test('a filter is refused for a search text of ten kilobytes', () =>
    refuses(
      client.statistics.texts({
        id: quiz.id,
        questionId: quiz.open_id,
        search: 'a'.repeat(10_000),
      }),
      422,
      'invalid',
    ))

  test('a filter is refused for the texts of a foreign quiz', async () => {
    const { client: other } = await app.signUp()
    await refuses(
      other.statistics.texts({ id: quiz.id, questionId: quiz.open_id }),
      404,
      'not_found',
    )
  })
})

testInAll('a count beyond the timeout is cancelled with a helpful message', async () => {
  const own = await publishedScoreQuiz(client)
  await app.client.publicQuiz.submit({
    id: own.id,
    body: { answers: { [own.question_id]: own.answer_ids[0] ?? '', [own.open_id]: 'x@y.fr' } },
  })
  const lock = await app.pool.connect()
  try {
    await lock.query('begin; lock table responses in access exclusive mode')
    await refuses(
      client.statistics.responses({ id: own.id, answer: own.answer_ids[0] }),
      503,
      'too_slow',
    )
  } finally {
    await lock.query('rollback')
    lock.release()
  }
})
