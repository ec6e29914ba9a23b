import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import Fastify from 'fastify'
import { setSecurityHeaders } from '#server/http/edge/fast-path.ts'
import { limitRates } from '#server/http/edge/rate-limits.ts'
import { createCurrentVersions } from '#server/published-versions/current-versions.ts'
import { createVersionReader } from '#server/published-versions/published-versions.ts'
import { createSubmissionQueue } from '#server/responses/submission-queue.ts'
import { createVisits } from '#server/responses/visits.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import {
  publishedScoreQuiz,
  publishSample,
  readyProfilsQuiz,
  readySondage,
} from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { registerNoscriptRuns } from './noscript-runs.ts'
import { createPublicPages } from './public-pages.ts'

/** Caller without a session. */
const NOBODY = { sessionOf: async () => undefined, keyOf: () => undefined }

const app = await createTestApp()
const { client } = await app.signUp()
const { player_folder, remove } = buildPlayer()
const { heavyWork, compiled } = createTestVersions(app.db)
after(heavyWork.close)
const { public_url } = app.config
const versionReader = createVersionReader(app.db, {
  compiled,
  versions: createCurrentVersions(app.db, { trusted_ms: 0 }),
})
const submissions = createSubmissionQueue(app.pool)
const visits = createVisits(app.pool, app.app.log)

const serve = ({ is_limited = false } = {}) => {
  const server = Fastify()
  setSecurityHeaders(server, public_url)
  if (is_limited) limitRates(server, app.config.submit_limits, NOBODY)
  const pages = createPublicPages({ versionReader, heavyWork, public_url, player_folder })
  registerNoscriptRuns(server, { versionReader, submissions, pages, visits, public_url })
  return server
}
const server = serve()
after(async () => {
  await server.close()
  await Promise.all([submissions.close(), visits.close()])
  await app.close()
  remove()
})

type Fields = Record<string, string>
const post = (url: string, fields: Fields, headers: Fields = {}, target = server) =>
  postForm(target, { url, fields, headers })
type Answered = Awaited<ReturnType<typeof post>>
const storedOf = async (id: string) => (await client.quizzes.get({ id })).quiz.nb_responses
/** Returns the hidden fields of a page, which the next form sends. */
const hiddenOf = ({ body }: Answered): Fields =>
  Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )
const locationOf = ({ headers }: Answered) => String(headers.location)

describe('a run without scripts', () => {
  test('a run without scripts refuses a form with more replies than the version has questions, on each page', async () => {
    const { id } = await publishedScoreQuiz(client)
    const extra = Object.fromEntries(Array.from({ length: 400 }, () => [randomUUID(), 'x']))
    assert.equal((await post(`/q/${id}?version=1&page=1`, extra)).statusCode, 422)
    assert.equal((await post(`/q/${id}/resultat?version=1`, extra)).statusCode, 422)
    assert.equal(await storedOf(id), 0)
  })

  test('a run without scripts keeps its state in the form from page to page, and is stored once', async () => {
    const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
    const choice = { [question_id]: answer_ids[1] ?? '' }
    const second = await post(`/q/${id}?version=1&page=1`, choice)
    assert.equal(second.statusCode, 200)
    assert.equal(second.headers['cache-control'], 'private, no-cache')
    assert.match(second.body, /Où vous écrire/)
    assert.match(second.body, /<meta name="robots" content="noindex">/)
    assert.doesNotMatch(second.body, /<script/)
    const hidden = hiddenOf(second)
    assert.deepEqual({ [question_id]: hidden[question_id] }, choice)
    assert.equal(await storedOf(id), 0)

    const back = await post(`/q/${id}?version=1&page=0`, { ...hidden, [open_id]: 'à moi' })
    assert.match(back.body, new RegExp(`checked="" value="${answer_ids[1]}"`))
    assert.equal(hiddenOf(back)[open_id], 'à moi')
    assert.equal(hiddenOf(back).participant_uuid, hidden.participant_uuid)

    const all = { ...hidden, [open_id]: 'camille@exemple.fr' }
    const sent = [
      await post(`/q/${id}/resultat?version=1`, all),
      await post(`/q/${id}/resultat?version=1`, all),
    ]
    for (const { statusCode } of sent) assert.equal(statusCode, 303)
    assert.equal(await storedOf(id), 1)
    const end = await server.inject(locationOf(sent[0] ?? second))
    assert.equal(end.statusCode, 200)
    assert.match(end.body, /<h1[^>]*>Grand saut<\/h1>/)
    assert.match(end.body, /noindex/)
    const { details } = await client.statistics.responses({ id })
    assert.deepEqual(
      details.map(({ email, final_result_name }) => [email, final_result_name]),
      [['camille@exemple.fr', 'Grand saut']],
    )
  })

  test('a run that fills in the hidden field on any page is stored as suspect', async () => {
    const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
    const choice = { [question_id]: answer_ids[1] ?? '' }
    const suspectAfter = async (first: string, second: string, earlier = {}) => {
      const turned = await post(`/q/${id}?version=1&page=1`, { ...choice, remarque: first })
      const [, trap = ''] = /name="remarque" value="([^"]*)"/.exec(turned.body) ?? []
      const hidden = hiddenOf(turned)
      assert.ok(!('remarque' in hidden))
      const fields = { ...hidden, [open_id]: 'x@y.fr', remarque: second || trap, ...earlier }
      assert.equal((await post(`/q/${id}/resultat?version=1`, fields)).statusCode, 303)
      const { participant_uuid = '' } = hidden
      const { rows } = await app.pool.query<{ is_suspect: boolean }>(
        'select is_suspect from responses where quiz_id = $1 and participant_uuid = $2',
        [id, participant_uuid],
      )
      return rows.map(({ is_suspect }) => is_suspect)
    }
    assert.deepEqual(await suspectAfter('', ''), [false])
    assert.deepEqual(await suspectAfter('https://exemple.fr', ''), [true])
    assert.deepEqual(await suspectAfter('', 'https://exemple.fr'), [true])
    // Password managers filled in the field of earlier pages.
    assert.deepEqual(await suspectAfter('', '', { url: 'https://exemple.fr' }), [false])
    const page = await client.statistics.responses({ id })
    assert.equal(page.details.length, 4)
  })

  test('a run without scripts works for profile quizzes and surveys', async () => {
    const profils = await publishSample(client, readyProfilsQuiz(client))
    const sondage = await publishSample(client, readySondage(client))
    const ends: [typeof profils, RegExp][] = [
      [profils, /Pas à pas/],
      [sondage, /Merci pour votre participation/],
    ]
    for (const [{ id, question_id, answer_ids, open_id }, end] of ends) {
      const participant_uuid = randomUUID()
      const run = { participant_uuid, run_secret: RUN_SECRET }
      const fields = { ...run, [question_id]: answer_ids[0] ?? '', [open_id]: 'x@y.fr' }
      const sent = await post(`/q/${id}/resultat?version=1`, fields)
      assert.match((await server.inject(locationOf(sent))).body, end)
    }
  })

  test('a run with a single page is posted again with a participant id', async () => {
    const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
    const fields = { [question_id]: answer_ids[0] ?? '', [open_id]: 'x@y.fr' }
    const first = await post(`/q/${id}/resultat?version=1`, fields)
    assert.equal(first.statusCode, 307)
    assert.equal(await storedOf(id), 0)
    const again = [await post(locationOf(first), fields), await post(locationOf(first), fields)]
    assert.deepEqual(
      again.map(({ statusCode }) => statusCode),
      [303, 303],
    )
    assert.equal(await storedOf(id), 1)
  })

  test('a run without scripts reports missing answers with an explanation on their page', async () => {
    const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
    const none = await post(`/q/${id}?version=1&page=1`, { [question_id]: '' })
    assert.equal(none.statusCode, 422)
    assert.match(none.body, /role="alert">Une question est sans réponse/)
    assert.match(
      none.body,
      new RegExp(`<a href="#q-${question_id}"[^>]*>Votre agenda\u202f\\?</a>`),
    )
    assert.match(none.body, new RegExp(`<fieldset[^>]* id="q-${question_id}"`))
    assert.match(none.body, /Votre agenda/)
    const blank = { [question_id]: answer_ids[0] ?? '', [open_id]: ' \t ' }
    const end = await post(`/q/${id}/resultat?version=1`, blank)
    assert.equal(end.statusCode, 422)
    assert.match(end.body, /Où vous écrire/)
    const stranger = { [question_id]: randomUUID(), [open_id]: 'x@y.fr' }
    assert.equal((await post(`/q/${id}/resultat?version=1`, stranger)).statusCode, 422)
    assert.equal(await storedOf(id), 0)
  })

  test('a run without scripts shows typed text again as text, and stores it as a script would send it', async () => {
    const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
    const typed = `<b>"l’un"</b>\r\nl'autre\0`
    const body = { text: 'Dites-en plus', type: 'textarea' as const, page_number: 2 }
    const { question } = await client.questions.create({ id, body })
    await client.quizzes.publish({ id })
    const said = { [open_id]: 'a@b.fr', [question.id]: typed }
    const fields = { [question_id]: '', ...said, participant_uuid: randomUUID() }
    const page = await post(`/q/${id}?version=2&page=0`, fields)
    assert.ok(!page.body.includes('<b>'))
    const whole = { ...fields, run_secret: RUN_SECRET, [question_id]: answer_ids[0] ?? '' }
    await post(`/q/${id}/resultat?version=2`, whole)
    const { details } = await client.statistics.responses({ id })
    const texts = details[0]?.answers.map(({ answer_text }) => answer_text)
    assert.deepEqual(texts, ['Rempli', 'a@b.fr', `<b>"l’un"</b>\nl'autre`])
  })

  test('a run without scripts stays in its frame on all pages', async () => {
    const { id, question_id, answer_ids } = await publishedScoreQuiz(client)
    const page = await post(`/q/${id}?version=1&embed=1&page=1`, {
      [question_id]: answer_ids[0] ?? '',
    })
    assert.doesNotMatch(String(page.headers['content-security-policy']), /frame-ancestors/)
    assert.match(
      page.body,
      new RegExp(`action="/q/${id}/resultat\\?version=1&amp;embed=1&amp;step=3"`),
    )
  })
})

describe('a form that is refused', () => {
  test('a form with too many fields, too long a text, an unknown name or another type is refused', async () => {
    const { id, open_id } = await publishedScoreQuiz(client)
    const many = Object.fromEntries(Array.from({ length: 1_010 }, () => [randomUUID(), 'x']))
    for (const fields of [many, { [open_id]: 'x'.repeat(10_001) }, { 'x y': 'x' }]) {
      const refused = await post(`/q/${id}?page=1`, fields)
      assert.equal(refused.statusCode, 422)
      assert.match(refused.body, /Réponses refusées/)
    }
    const json = await server.inject({ method: 'POST', url: `/q/${id}`, body: { a: 1 } })
    assert.equal(json.statusCode, 415)
  })

  testInAll(
    'a form is limited to 64 KiB and a number of fields before it is decoded, and each answer is limited in length',
    async () => {
      const { id, open_id } = await publishedScoreQuiz(client)
      const statusOf = async (body: string): Promise<number> => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        return (await server.inject({ method: 'POST', url: `/q/${id}?page=0`, headers, body }))
          .statusCode
      }
      const LARGEST = 65_536
      // Many empty unknown fields, because a typed answer may be shorter than a form.
      const padded = (length: number) => {
        const fields = Array.from({ length: 400 }, () => `consent=${'+'.repeat(140)}`).join('&')
        return `${fields}&${open_id}=`.padEnd(length, 'x')
      }
      assert.equal(await statusOf(padded(LARGEST)), 200)
      assert.equal(await statusOf(padded(LARGEST + 1)), 413)
      assert.equal(await statusOf('consent=1&'.repeat(1_008)), 200)
      assert.equal(await statusOf('consent=1&'.repeat(1_009)), 422)
      const typed = (letter: string, count: number) => `${open_id}=${letter.repeat(count)}`
      assert.equal(await statusOf(typed('%C3%A9', 10_000)), 200)
      assert.equal(await statusOf(typed('%C3%A9', 10_001)), 422)
      // A form of maximum size with characters that take nine bytes each.
      const most = Math.floor((LARGEST - `${open_id}=`.length) / 9)
      assert.equal(await statusOf(typed('%E6%BC%A2', most)), 200)
      assert.equal(await statusOf(typed('%E6%BC%A2', most + 1)), 413)

      for (const body of ['consent=1&'.repeat(6_000), '&'.repeat(LARGEST), typed('+', 63_000)])
        assert.equal(await statusOf(body), 422)
      for (const body of ['consent=1&'.repeat(300_000), '+'.repeat(3_000_000)])
        assert.equal(await statusOf(body), 413)
    },
  )

  test('a form for a result that was not reached leads to the quiz', async () => {
    const { id } = await publishedScoreQuiz(client)
    for (const query of ['', '?participant=x', `?participant=${randomUUID()}`]) {
      const answered = await server.inject(`/q/${id}/resultat${query}`)
      assert.deepEqual([answered.statusCode, locationOf(answered)], [303, `/q/${id}`])
    }
  })

  test('a form is rate-limited like a submission through the API', async () => {
    const { id } = await publishedScoreQuiz(client)
    const { per_address } = app.config.submit_limits
    const limited = serve({ is_limited: true })
    const answers: number[] = []
    // A slow machine is granted more calls, because the allowance grows with time.
    while (answers.length < 500 && answers.at(-1) !== 429)
      answers.push((await post(`/q/${id}/resultat`, {}, {}, limited)).statusCode)
    assert.deepEqual(new Set(answers.slice(0, per_address)), new Set([422]))
    assert.equal(answers.at(-1), 429)
    await limited.close()
  })
})
