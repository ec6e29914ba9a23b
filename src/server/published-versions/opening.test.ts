import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { createApp } from '#server/app.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createBuiltApp, createBuiltFolders } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createBuiltApp()
const creator = await app.signUp()
const { client } = creator
const { folders, remove } = createBuiltFolders()
/** Second process on the same database, with its own cache of pages. */
const second = await createApp({
  config: app.config,
  database: { ...app, isReady: async () => true },
  secretKey: app.config.secret_key ?? '',
  log: pino({ level: 'silent' }),
  folders,
})
afterEach(async () => assert.deepEqual(await findDifferences(app.pool), []))
after(async () => {
  await second.close()
  remove()
  await app.close()
})

type Access = NonNullable<Parameters<typeof client.quizzes.update>[0]['body']>
const setAccess = ({ id }: SampleQuiz, body: Access) => client.quizzes.update({ id, body })
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const HOUR_MS = 3_600_000
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
const pageOf = ({ id }: SampleQuiz, server = app.app, query = '') =>
  server.inject({ method: 'GET', url: `/q/${id}${query}` })
const storedOf = async ({ id }: SampleQuiz) => (await client.quizzes.get({ id })).quiz.nb_responses
const MAX_WAIT_MS = 60_000
/** Waits until a page of a process contains the text; fails after a minute without it. */
const waitForText = async (quiz: SampleQuiz, text: string, server = app.app): Promise<void> => {
  const end_ms = Date.now() + MAX_WAIT_MS
  for (;;) {
    const { body } = await pageOf(quiz, server)
    if (body.includes(text)) return
    assert.ok(Date.now() < end_ms, `The page says « ${text} »: ${body.slice(-1_000)}`)
    await setTimeout(20)
  }
}
const UNOPENED = /Ce questionnaire ouvre le/

describe('before its opening date', () => {
  test('a quiz shows its name, its colours and the opening in the time zone of its creator', async () => {
    const quiz = await publishedScoreQuiz(client)
    await client.quizzes.update({
      id: quiz.id,
      body: { bg_color: '#102030', text_color: '#fefefe' },
    })
    await client.quizzes.publish({ id: quiz.id })
    assert.match((await pageOf(quiz)).body, /Votre agenda/)
    await setAccess(quiz, { opens_at: '2900-12-03T08:00:00Z' })
    const page = await pageOf(quiz)
    assert.equal(page.statusCode, 200)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.equal(page.headers['cdn-cache-control'], undefined)
    assert.match(page.body, /<h1>Quel rythme\u202f\?<\/h1>/)
    assert.match(page.body, /ouvre le vendredi 3 décembre 2900 à 9\u00a0h \(heure de Paris\)\./)
    assert.match(page.body, /background:#102030;color:#fefefe/)
    assert.match(page.body, /noindex/)
    assert.doesNotMatch(page.body, /<script|Votre agenda/)
    await client.preferences.set({ body: { time_zone: 'Pacific/Noumea' } })
    await waitForText(quiz, 'à 19\u00a0h (heure de Nouméa)')
    await client.preferences.set({ body: { time_zone: 'Europe/Paris' } })
  })

  test('a frame of another site may show the opening', async () => {
    const quiz = await publishedScoreQuiz(client)
    await setAccess(quiz, { opens_at: inMs(HOUR_MS) })
    const framed = await pageOf(quiz, app.app, '?embed=1')
    assert.match(framed.body, UNOPENED)
    assert.equal(framed.headers['x-frame-options'], undefined)
  })

  test('the questions of a quiz stay secret, also at its snapshot and in its forms', async () => {
    const quiz = await publishedScoreQuiz(client)
    await setAccess(quiz, { opens_at: inMs(HOUR_MS) })
    const { snapshot } = await app.client.publicQuiz.snapshot({ id: quiz.id })
    assert.deepEqual([snapshot.quiz.name, snapshot.questions], ['', []])
    const preview = await client.publicQuiz.snapshot({ id: quiz.id, preview: '1' })
    assert.equal(preview.snapshot.questions.length, 2)
    const participant_uuid = randomUUID()
    for (const url of [
      `/q/${quiz.id}?version=1&page=1`,
      `/q/${quiz.id}/resultat?version=1&participant=${participant_uuid}&secret=secret-of-a-run-in-a-test`,
    ]) {
      const answer = await postForm(app.app, {
        url,
        fields: { ...repliesOf(quiz), participant_uuid },
      })
      assert.equal(answer.statusCode, 403, url)
      assert.match(answer.body, UNOPENED)
      assert.doesNotMatch(answer.body, /Où vous écrire|Pas à pas/)
    }
    assert.equal(await storedOf(quiz), 0)
  })

  test('submissions are refused in French in every process, and a stored participant gets the first answer', async () => {
    const quiz = await publishedScoreQuiz(client)
    const known = randomUUID()
    assert.equal((await submit(quiz, known)).statusCode, 201)
    for (const max_responses of [null, 1_000]) {
      await setAccess(quiz, { opens_at: inMs(HOUR_MS), max_responses })
      for (const server of [app.app, second]) {
        const refused = await submit(quiz, randomUUID(), server)
        const { error, code } = refused.json()
        assert.deepEqual([refused.statusCode, code], [403, 'quiz_not_open'])
        assert.match(
          error,
          /^Ce questionnaire ouvre le .+ à \d+\u00a0h(\u00a0\d\d)? \(heure de Paris\)\.$/,
        )
        assert.equal((await submit(quiz, known, server)).statusCode, 200)
      }
    }
    assert.equal(await storedOf(quiz), 1)
  })

  testInAll('the opening of one quiz does not affect another quiz in the same batch', async () => {
    const [later, open] = [await publishedScoreQuiz(client), await publishedScoreQuiz(client)]
    await setAccess(later, { opens_at: inMs(HOUR_MS) })
    const storm = Array.from({ length: 20 }, (_, rank) => submit(rank % 2 ? later : open))
    const statuses = (await Promise.all(storm)).map(({ statusCode }) => statusCode).sort()
    assert.deepEqual(statuses, [...Array(10).fill(201), ...Array(10).fill(403)])
    assert.deepEqual([await storedOf(later), await storedOf(open)], [0, 10])
  })

  test('the owner can test the quiz', async () => {
    const quiz = await publishedScoreQuiz(client)
    await setAccess(quiz, { opens_at: inMs(HOUR_MS) })
    const { url } = await client.trialRuns.link({ id: quiz.id })
    const token = new URL(url).searchParams.get('test') ?? ''
    const page = await pageOf(quiz, app.app, `?test=${token}`)
    assert.match(page.body, /Mode test[\s\S]*Votre agenda/)
    const answers = repliesOf(quiz)
    const run = await client.trialRuns.submit({ id: quiz.id, token, body: { answers } })
    assert.equal(run.result?.name, 'Pas à pas')
    const turned = await postForm(app.app, {
      url: `/q/${quiz.id}/test/${token}?version=1&page=1`,
      fields: answers,
    })
    assert.match(turned.body, /Où vous écrire/)
  })
})

describe('at its opening date', () => {
  testInAll(
    'a quiz opens in every process without a publication, and closes again with a later date',
    async () => {
      const quiz = await publishedScoreQuiz(client)
      const opens_at = inMs(1_500)
      await setAccess(quiz, { opens_at })
      for (const server of [app.app, second])
        assert.match((await pageOf(quiz, server)).body, UNOPENED)
      for (const server of [app.app, second]) {
        await waitForText(quiz, 'Votre agenda', server)
        assert.ok(Date.now() >= Date.parse(opens_at))
        assert.equal((await submit(quiz, randomUUID(), server)).statusCode, 201)
      }
      await setAccess(quiz, { opens_at: inMs(HOUR_MS) })
      for (const server of [app.app, second])
        await waitForText(quiz, 'Ce questionnaire ouvre', server)
      await setAccess(quiz, { opens_at: null })
      for (const server of [app.app, second]) await waitForText(quiz, 'Votre agenda', server)
    },
  )

  test('an unpublished quiz stays unavailable, and an unknown quiz stays missing', async () => {
    const quiz = await publishedScoreQuiz(client)
    await setAccess(quiz, { opens_at: inMs(HOUR_MS), status: 'Brouillon' })
    const page = await pageOf(quiz)
    assert.equal(page.statusCode, 404)
    assert.match(page.body, /pas encore publié/)
    assert.equal((await pageOf({ ...quiz, id: randomUUID() })).statusCode, 404)
  })
})

describe('an opening date', () => {
  test('an opening that is not before the closing is refused in French at the changed field', async () => {
    const quiz = await publishedScoreQuiz(client)
    const { id } = quiz
    const [early, late] = [inMs(HOUR_MS), inMs(2 * HOUR_MS)]
    const refused = async (body: Access): Promise<[number, string]> => {
      const { status, message } = await refusalOf(setAccess(quiz, body), JSON.stringify(body))
      return [status, message]
    }
    const too_late: [number, string] = [
      422,
      'Champ « opens_at » : L’ouverture doit venir avant la clôture',
    ]
    assert.deepEqual(await refused({ opens_at: late, closes_at: early }), too_late)
    assert.deepEqual(await refused({ opens_at: early, closes_at: early }), too_late)
    await setAccess(quiz, { closes_at: early })
    assert.deepEqual(await refused({ opens_at: late }), too_late)
    await setAccess(quiz, { closes_at: late, opens_at: early })
    assert.deepEqual(await refused({ closes_at: early }), [
      422,
      'Champ « closes_at » : La clôture doit venir après l’ouverture',
    ])
    const { revision, quiz: stored } = await client.drafts.get({ id })
    const swapped = { opens_at: late, closes_at: early }
    const saved = client.drafts.save({ id, body: { based_on: revision, quiz: swapped } })
    const { message } = await refusalOf(saved)
    assert.equal(message, 'Champ « quiz.opens_at » : L’ouverture doit venir avant la clôture')
    assert.deepEqual([stored.opens_at, stored.closes_at], [early, late])
  })

  test('an opening date must be a valid time', async () => {
    const quiz = await publishedScoreQuiz(client)
    for (const opens_at of ['0000-01-01T00:00:00Z', '9999-01-01T00:00:00Z', 'demain', ''])
      assert.equal((await refusalOf(setAccess(quiz, { opens_at }), opens_at)).status, 422)
  })
})
