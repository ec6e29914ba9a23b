import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { createApp } from '#server/app.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createBuiltApp()
const { client } = await app.signUp()
/** Second process on the same database. */
const second = await createApp({
  config: app.config,
  database: { ...app, isReady: async () => true },
  secretKey: app.config.secret_key ?? '',
  log: pino({ level: 'silent' }),
  has_pages: false,
})
afterEach(async () => assert.deepEqual(await findDifferences(app.pool), []))
after(async () => {
  await second.close()
  await app.close()
})

type Access = NonNullable<Parameters<typeof client.quizzes.update>[0]['body']>
const setAccess = ({ id }: SampleQuiz, body: Access) => client.quizzes.update({ id, body })
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const repliesOf = (quiz: SampleQuiz) => ({
  [quiz.question_id]: quiz.answer_ids[0] ?? '',
  [quiz.open_id]: 'lea@exemple.fr',
})
const submit = (quiz: SampleQuiz, participant_uuid: string = randomUUID(), server = app.app) =>
  server.inject({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz.id}/submit`,
    body: { answers: repliesOf(quiz), participant_uuid, version: 1 },
  })
const codesOf = (replies: readonly { statusCode: number; json: () => { code?: string } }[]) => {
  const counts: Record<string, number> = {}
  for (const reply of replies) {
    const name = reply.json().code ?? String(reply.statusCode)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
const storedOf = async ({ id }: SampleQuiz) => (await client.quizzes.get({ id })).quiz.nb_responses
const pageOf = ({ id }: SampleQuiz) => app.raw({ url: `/q/${id}` })
const MAX_WAIT_MS = 60_000
/** Waits until a page contains the text; fails after a minute without it. */
const pageSaying = async (quiz: SampleQuiz, text: string) => {
  const end_ms = Date.now() + MAX_WAIT_MS
  for (;;) {
    const page = await pageOf(quiz)
    if (page.body.includes(text)) return page
    assert.ok(Date.now() < end_ms, `The page says « ${text} »: ${page.body.slice(-1_000)}`)
    await setTimeout(20)
  }
}

describe('a participant limit', () => {
  testInAll(
    'a participant limit is exact for two hundred concurrent submissions in two processes',
    async () => {
      const quiz = await publishedScoreQuiz(client)
      await setAccess(quiz, { max_responses: 120 })
      await submit(quiz)
      const others = Array.from({ length: 200 }, (_, rank) =>
        submit(quiz, randomUUID(), rank % 2 ? second : app.app),
      )
      assert.deepEqual(codesOf(await Promise.all(others)), { 201: 119, quiz_full: 81 })
      assert.equal(await storedOf(quiz), 120)
    },
  )

  test('a participant limit counts a repeated participant once', async () => {
    const quiz = await publishedScoreQuiz(client)
    await setAccess(quiz, { max_responses: 3 })
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()]
    const storm = [one, one, two, one, two, three].map((uuid) => submit(quiz, uuid))
    assert.deepEqual(codesOf(await Promise.all(storm)), { 201: 3, 200: 3 })
    assert.deepEqual(codesOf([await submit(quiz), await submit(quiz, two)]), {
      quiz_full: 1,
      200: 1,
    })
  })

  testInAll(
    'a participant limit admits further participants after a removal or a higher limit',
    async () => {
      const quiz = await publishedScoreQuiz(client)
      await setAccess(quiz, { max_responses: 1 })
      const first = randomUUID()
      assert.deepEqual(codesOf([await submit(quiz, first), await submit(quiz)]), {
        201: 1,
        quiz_full: 1,
      })
      await pageSaying(quiz, 'Ce questionnaire est clos.')
      await client.participants.remove({ id: quiz.id, participantId: first })
      await pageSaying(quiz, 'Votre agenda')
      assert.deepEqual(codesOf([await submit(quiz), await submit(quiz)]), { 201: 1, quiz_full: 1 })
      await setAccess(quiz, { max_responses: null })
      assert.deepEqual(codesOf([await submit(quiz), await submit(quiz)]), { 201: 2 })
    },
  )

  test('a participant limit below the number of participants refuses further participants and removes none', async () => {
    const quiz = await publishedScoreQuiz(client)
    for (let rank = 0; rank < 3; rank++) await submit(quiz)
    await setAccess(quiz, { max_responses: 2 })
    assert.deepEqual(codesOf([await submit(quiz)]), { quiz_full: 1 })
    assert.equal(await storedOf(quiz), 3)
  })

  test('a participant limit does not affect another quiz in the same batch', async () => {
    const [limited, open] = [await publishedScoreQuiz(client), await publishedScoreQuiz(client)]
    await setAccess(limited, { max_responses: 5 })
    const storm = Array.from({ length: 20 }, (_, rank) => submit(rank % 2 ? limited : open))
    assert.deepEqual(codesOf(await Promise.all(storm)), { 201: 15, quiz_full: 5 })
  })
})

describe('a closing date', () => {
  test('a closing date closes the page with the creator’s text and colours', async () => {
    const quiz = await publishedScoreQuiz(client)
    await client.quizzes.update({
      id: quiz.id,
      body: { bg_color: '#102030', text_color: '#fefefe' },
    })
    await client.quizzes.publish({ id: quiz.id })
    await setAccess(quiz, {
      closes_at: new Date(Date.now() + 1_500).toISOString(),
      closed_text: 'Merci <b>à tous</b> !',
    })
    assert.match((await pageOf(quiz)).body, /Votre agenda/)
    const page = await pageSaying(quiz, 'Merci &lt;b&gt;à tous&lt;/b&gt;\u202f!')
    assert.equal(page.statusCode, 200)
    assert.match(page.body, /<h1>Quel rythme\u202f\?<\/h1>/)
    assert.match(page.body, /background:#102030;color:#fefefe/)
    assert.match(page.body, /noindex/)
    assert.doesNotMatch(page.body, /<script|Votre agenda/)
    const framed = await app.raw({ url: `/q/${quiz.id}?embed=1` })
    assert.equal(framed.headers['x-frame-options'], undefined)
    await setAccess(quiz, { closes_at: null })
    assert.match((await pageOf(quiz)).body, /Votre agenda/)
  })

  test('visitors who began before the closing date can finish for a day', async () => {
    const quiz = await publishedScoreQuiz(client)
    await setAccess(quiz, { closes_at: hoursAgo(23.9) })
    assert.deepEqual(codesOf([await submit(quiz), await submit(quiz)]), { 201: 2 })
    await setAccess(quiz, { closes_at: hoursAgo(24.1), closed_text: 'Trop tard.' })
    const late = await submit(quiz)
    assert.deepEqual(
      [late.statusCode, late.json()],
      [403, { error: 'Trop tard.', code: 'quiz_closed' }],
    )
    assert.equal(await storedOf(quiz), 2)
  })

  test('a run without scripts continues after the closing date and shows the result to late visitors', async () => {
    const quiz = await publishedScoreQuiz(client)
    const post = (url: string, fields: Record<string, string>) => postForm(app.app, { url, fields })
    await setAccess(quiz, { closes_at: hoursAgo(1) })
    const turned = await post(`/q/${quiz.id}?version=1&page=1`, repliesOf(quiz))
    assert.match(turned.body, /Où vous écrire/)
    await setAccess(quiz, { closes_at: null, max_responses: 1 })
    await submit(quiz)
    const participant_uuid = randomUUID()
    const late = await post(
      `/q/${quiz.id}/resultat?version=1&participant=${participant_uuid}&secret=secret-of-a-run-in-a-test`,
      {
        ...repliesOf(quiz),
        participant_uuid,
      },
    )
    assert.equal(late.statusCode, 403)
    assert.match(late.body, /Pas à pas/)
    assert.match(late.body, /n’ont pas été transmises\s: ce questionnaire est clos/)
    assert.equal(await storedOf(quiz), 1)
  })

  test('a closing date must be a valid time, and a limit must be a positive number', async () => {
    const quiz = await publishedScoreQuiz(client)
    const wrong: Access[] = [
      { closes_at: '0000-01-01T00:00:00Z' },
      { closes_at: '9999-01-01T00:00:00Z' },
      { closes_at: 'demain' },
      { max_responses: 0 },
      { max_responses: 1.5 },
      { closed_text: 'a'.repeat(1_001) },
    ]
    for (const body of wrong)
      assert.equal((await refusalOf(setAccess(quiz, body), JSON.stringify(body))).status, 422)
  })
})
