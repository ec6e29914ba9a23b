import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readCursor, writeCursor } from '#server/statistics/selection/responses.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()

const submit = async (quiz: SampleQuiz): Promise<string> => {
  const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' }
  return (await app.client.publicQuiz.submit({ id: quiz.id, body: { answers } })).participant_uuid
}
const submitInOrder = async (quiz: SampleQuiz, count: number): Promise<string[]> => {
  const arrived: string[] = []
  while (arrived.length < count) arrived.push(await submit(quiz))
  return arrived
}
const submitTogether = (quiz: SampleQuiz, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => submit(quiz)))

/** Reads all pages from the newest on; `meanwhile` runs after each page. */
const readPages = async ({ id }: SampleQuiz, limit?: number, meanwhile = async () => {}) => {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await client.statistics.responses({ id, limit, cursor })
    pages.push(page.details.map(({ participant_uuid }) => participant_uuid))
    cursor = page.next_cursor ?? undefined
    await meanwhile()
  } while (cursor)
  return pages
}
const setTime = ({ id }: SampleQuiz, time: string) =>
  app.db.updateTable('responses').set({ created_at: time }).where('quiz_id', '=', id).execute()

describe('the list of participants', () => {
  test('participants are listed newest first, each once, with their time', async () => {
    const quiz = await publishedScoreQuiz(client)
    const started = Date.now()
    const arrived = await submitInOrder(quiz, 7)
    const pages = await readPages(quiz, 3)
    assert.deepEqual(
      pages.map(({ length }) => length),
      [3, 3, 1],
    )
    assert.deepEqual(pages.flat(), arrived.toReversed())
    const { details } = await client.statistics.responses({ id: quiz.id })
    for (const { created_at } of details) {
      const time = Date.parse(created_at)
      assert.ok(time >= started - 1_000 && time <= Date.now() + 1_000, created_at)
    }
  })

  test('participants are listed with 100 per page by default and 500 at most', async () => {
    const quiz = await publishedScoreQuiz(client)
    const arrived = await submitTogether(quiz, 501)
    const sizes = async (limit?: number) =>
      (await readPages(quiz, limit)).map((page) => page.length)
    assert.deepEqual(await sizes(), [100, 100, 100, 100, 100, 1])
    assert.deepEqual(await sizes(500), [500, 1])
    assert.deepEqual(await sizes(167), [167, 167, 167])
    assert.deepEqual((await readPages(quiz)).flat().sort(), arrived.sort())
  })

  test('listed participants have a duration and a spam suspicion', async () => {
    const quiz = await publishedScoreQuiz(client)
    const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' }
    const send = (signs: { elapsed_seconds?: number; is_trapped?: boolean }) =>
      app.client.publicQuiz.submit({ id: quiz.id, body: { answers, ...signs } })
    await send({})
    await send({ elapsed_seconds: 75, is_trapped: false })
    await send({ elapsed_seconds: 75, is_trapped: true })
    await send({ elapsed_seconds: 0 })
    const { details } = await client.statistics.responses({ id: quiz.id })
    assert.deepEqual(
      details.map(({ elapsed_seconds, is_suspect }) => [elapsed_seconds, is_suspect]).toReversed(),
      [
        [null, false],
        [75, false],
        [75, true],
        [0, true],
      ],
    )
    const { responses } = await client.participants.ofPerson({ body: { email: 'A@exemple.fr' } })
    assert.ok(responses.some(({ elapsed_seconds, is_suspect }) => elapsed_seconds && is_suspect))
  })

  test('participants with equal times are listed once in a stable order', async () => {
    const quiz = await publishedScoreQuiz(client)
    const arrived = await submitTogether(quiz, 40)
    await setTime(quiz, '2026-01-01T00:00:00.123456Z')
    const [whole = []] = await readPages(quiz)
    assert.deepEqual([...whole].sort(), arrived.sort())
    assert.deepEqual((await readPages(quiz, 7)).flat(), whole)
    assert.deepEqual((await readPages(quiz, 1)).flat(), whole)
  })

  test('participants that arrive during the reading do not move others', async () => {
    const quiz = await publishedScoreQuiz(client)
    const arrived = await submitInOrder(quiz, 9)
    const pages = await readPages(quiz, 2, async () => {
      await submitTogether(quiz, 3)
    })
    assert.deepEqual(pages.flat(), arrived.toReversed())
  })
})

describe('the refusals of a list', () => {
  const participant_uuid = '11111111-1111-4111-8111-111111111111'
  const write = (exact_created_at: string) => writeCursor({ exact_created_at, participant_uuid })

  test('a list is refused for invalid limits', async () => {
    const { id } = await publishedScoreQuiz(client)
    for (const limit of [0, -1, 501, 1.5, Number.NaN])
      await refuses(client.statistics.responses({ id, limit }), 422, 'invalid')
  })

  test('a list is refused for invalid cursors, also with impossible dates', async () => {
    const { id } = await publishedScoreQuiz(client)
    const cursors = [
      '',
      'x',
      'é'.repeat(20),
      'a'.repeat(201),
      Buffer.from('hier personne').toString('base64url'),
      Buffer.from(`2026-01-01T00:00:00.000000Z ' or true--`).toString('base64url'),
      write('2026-02-30T00:00:00.000000Z'),
      write('2026-13-01T00:00:00.000000Z'),
      write('2026-01-01T24:00:01.000000Z'),
      write('2026-01-01T00:00:60.000000Z'),
      write('0000-01-01T00:00:00.000000Z'),
      write('infinity'),
    ]
    for (const cursor of cursors)
      await refuses(client.statistics.responses({ id, cursor }), 422, 'invalid')
  })

  test('a cursor that the server returned is never refused', async () => {
    const quiz = await publishedScoreQuiz(client)
    await submitTogether(quiz, 3)
    for (const time of ['2024-02-29T23:59:59.999999Z', '9999-12-31T00:00:00.000001Z']) {
      await setTime(quiz, time)
      const { next_cursor } = await client.statistics.responses({ id: quiz.id, limit: 1 })
      assert.equal(readCursor(next_cursor ?? '').exact_created_at, time)
      assert.equal((await readPages(quiz, 1)).flat().length, 3)
    }
  })
})
