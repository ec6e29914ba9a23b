import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  PARTICIPANT_SORTS,
  SORT_ORDERS,
  type Sorting,
} from '#domain/statistics/participant-sort.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const NAMES = ['zèle', 'Émeraude']
const LISTS: Sorting[] = PARTICIPANT_SORTS.flatMap((sort) =>
  SORT_ORDERS.map((order) => ({ sort, order })),
)

let quiz: SampleQuiz
before(async () => {
  quiz = await publishedScoreQuiz(client)
  const results = quiz.result_ids.map((id, rank) => ({ id, name: NAMES[rank] ?? '' }))
  await client.results.saveAll({ id: quiz.id, body: { results } })
  await client.quizzes.publish({ id: quiz.id })
  for (const [rank, email] of ['ada@exemple.fr', 'alan@exemple.fr', 'b@exemple.fr'].entries()) {
    const answers = { [quiz.question_id]: quiz.answer_ids[rank % 2] ?? '', [quiz.open_id]: email }
    await client.publicQuiz.submit({ id: quiz.id, body: { answers } })
  }
})

type Asked = Partial<Parameters<typeof client.statistics.responses>[0]>
const read = (asked: Asked) =>
  client.statistics.responses({ id: quiz.id, outcomes: '1', limit: 500, ...asked })

const turned = ({ sort, order }: Sorting): Sorting => ({
  sort,
  order: order === 'asc' ? 'desc' : 'asc',
})

test('a list is refused for a cursor of another sorting', async () => {
  for (const sorting of LISTS) {
    const { next_cursor } = await read({ ...sorting, limit: 1 })
    const [first, second] = LISTS.filter((other) => other !== sorting)
    for (const other of [first, second, turned(sorting)])
      await refuses(read({ ...other, cursor: next_cursor ?? '' }), 422, 'invalid')
  }
  const { next_cursor } = await read({ sort: 'score', limit: 1 })
  await assert.rejects(read({ cursor: next_cursor ?? '' }), /celle d’un autre tri/)
})

test('a list is refused for a cursor with a value of the wrong type', async () => {
  const place = '2026-03-01T10:00:00.000000Z 11111111-1111-4111-8111-111111111111'
  const wrong: [Sorting['sort'], string][] = [
    ['email', '12'],
    ['email', JSON.stringify('a'.repeat(1_000))],
    ['email', '"a\\u0000b"'],
    ['email', '"\\ud800"'],
    ['email', 'ada'],
    ['result', '{}'],
    ['score', '"5"'],
    ['score', '1.5'],
    ['score', '3000000000'],
    ['delivery', 'true'],
    ['delivery', '2'],
    ['delivery', '[2,1,0]'],
    ['delivery', '[2,-1,true]'],
    ['delivery', '[2,1e300,true]'],
    ['delivery', '["2",1,true]'],
  ]
  for (const [sort, value] of wrong) {
    const cursor = Buffer.from(`${place} ${sort} asc ${value}`).toString('base64url')
    await refuses(read({ sort, order: 'asc', cursor }), 422, 'invalid')
  }
  const gone = Buffer.from(`${place} result asc "Un nom disparu"`).toString('base64url')
  const { details } = await read({ sort: 'result', order: 'asc', cursor: gone })
  assert.notEqual(details.length, 0)
  assert.ok(details.every(({ final_result_name }) => final_result_name !== 'Émeraude'))
})

test('a list is refused for an unknown sorting or order', async () => {
  const wrong = [{ sort: 'name' }, { order: 'up' }, { search: 'a'.repeat(201) }] as Asked[]
  for (const asked of wrong) await refuses(read(asked), 422, 'invalid')
})
