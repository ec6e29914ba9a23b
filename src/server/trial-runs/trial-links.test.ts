import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTrialLinks } from '#server/responses/trial-links.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { createRowsDigest } from '#server/testing/ownership/rows-digest.ts'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
  type SampleQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createBuiltApp({ PUBLIC_URL: 'https://quiz.example.org' })
after(() => app.close())
const { client, user_id } = await app.signUp()
const digest = await createRowsDigest(app.db)
const links = createTrialLinks(String(app.config.secret_key))
let quiz: SampleQuiz
before(async () => {
  quiz = await publishedScoreQuiz(client)
})

const tokenOf = (url: string): string => new URL(url).searchParams.get('test') ?? ''
const linkTo = async (id: string): Promise<string> =>
  tokenOf((await client.trialRuns.link({ id })).url)
const answersTo = ({ question_id, answer_ids, open_id }: SampleQuiz) => ({
  [question_id]: answer_ids[1] ?? '',
  [open_id]: 'camille@exemple.fr',
})

describe('the link of a trial run', () => {
  test('a trial link is only for its owner, is valid for a day, and leads to the public page', async () => {
    const { url, expires_at } = await client.trialRuns.link({ id: quiz.id })
    assert.ok(url.startsWith(`https://quiz.example.org/q/${quiz.id}?test=`))
    const left_ms = Date.parse(expires_at) - Date.now()
    assert.ok(left_ms > 86_340_000 && left_ms <= 86_400_000)
    assert.doesNotMatch(decodeURIComponent(url), /[^\w:/.?=-]/)
    const stranger = await app.signUp()
    await assert.rejects(stranger.client.trialRuns.link({ id: quiz.id }), { status: 404 })
    await assert.rejects(app.client.trialRuns.link({ id: quiz.id }), { status: 401 })
  })

  test('a trial link is refused in French for a draft', async () => {
    const { id } = await readyScoreQuiz(client)
    await assert.rejects(client.trialRuns.link({ id }), {
      status: 403,
      message: 'Publiez d’abord ce questionnaire : un test se fait sur la version publiée',
    })
  })

  test('a trial link shows a marked page that is not cached, not indexed, and calls no public route', async () => {
    const token = await linkTo(quiz.id)
    const page = await app.raw({ url: `/q/${quiz.id}?test=${token}` })
    assert.equal(page.statusCode, 200)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.match(page.body, /Mode test\s: vos réponses ne sont ni comptées ni envoyées\./)
    assert.match(page.body, /<meta name="robots" content="noindex">/)
    assert.doesNotMatch(page.body, /rel="canonical"|og:url/)
    assert.match(page.body, new RegExp(`"quiz_id":"${quiz.id}/test/${token}"`))
    assert.match(page.body, /"is_test":true/)
    assert.match(page.body, new RegExp(`action="/q/${quiz.id}/test/${token}\\?`))
    const own = await app.raw({ url: `/q/${quiz.id}` })
    assert.doesNotMatch(own.body, /Mode test|"is_test"|q-sent/)
  })

  test('a trial link works at a custom address and for a closed quiz', async () => {
    const own = await publishedScoreQuiz(client)
    const slug = `essai-${own.id.slice(0, 8)}`
    await client.quizzes.update({ id: own.id, body: { slug, closes_at: '2020-01-01T00:00:00Z' } })
    const page = await app.raw({ url: `/q/${slug}?test=${await linkTo(own.id)}` })
    assert.equal(page.statusCode, 200)
    assert.match(page.body, /Mode test/)
  })
})

describe('invalid trial tokens', () => {
  /** Returns invalid tokens by the reason of their invalidity. */
  const wrongTokens = async (): Promise<Record<string, string>> => {
    const good = await linkTo(quiz.id)
    const other = await publishedScoreQuiz(client)
    const stranger = await app.signUp()
    const content = JSON.stringify({ creator_id: user_id, expires_at: 9e15 })
    const forged = Buffer.from(content).toString('base64url')
    const middle = Math.floor(good.length / 2)
    const altered = good[middle] === 'A' ? 'B' : 'A'
    return {
      empty: '',
      cut: good.slice(0, -3),
      'with another character': good.slice(0, middle) + altered + good.slice(middle + 1),
      'in the clear': forged,
      'in the clear, as earlier releases signed it': `${forged}.${good.slice(-43)}`,
      'of another quiz': await linkTo(other.id),
      'of another creator': links.write({ quiz_id: quiz.id, creator_id: stranger.user_id }).token,
      'of another key': createTrialLinks('another secret').write({
        quiz_id: quiz.id,
        creator_id: user_id,
      }).token,
      'of nothing': 'x',
    }
  }
  const expectRefused = async (token: string, why: string): Promise<void> => {
    const before = await digest(app.pool, [quiz.id, user_id])
    const at = `/q/${quiz.id}/test/${token}`
    const fields = { ...answersTo(quiz), participant_uuid: randomUUID() }
    const answers = [
      await app.raw({ url: `/q/${quiz.id}?test=${token}` }),
      await postForm(app.app, { url: `${at}?version=1&page=1`, fields }),
      await postForm(app.app, { url: `${at}/resultat?version=1`, fields }),
      await app.raw({
        url: `${at}/resultat?participant=${fields.participant_uuid}&secret=secret-of-a-run-in-a-test`,
      }),
      // The normal URLs of the quiz also reject a trial token.
      await postForm(app.app, { url: `/q/${quiz.id}?version=1&page=1&test=${token}`, fields }),
      await postForm(app.app, { url: `/q/${quiz.id}/resultat?version=1&test=${token}`, fields }),
    ]
    for (const { statusCode, body } of token === '' ? answers.slice(0, 1) : answers) {
      assert.equal(statusCode, 403, why)
      assert.match(body, /Lien de test non valable/, why)
      assert.doesNotMatch(body, /Votre agenda/, why)
    }
    await assert.rejects(
      app.client.trialRuns.submit({
        id: quiz.id,
        token: token || '-',
        body: { answers: answersTo(quiz) },
      }),
      { status: 404 },
    )
    assert.equal(await digest(app.pool, [quiz.id, user_id]), before, why)
  }

  test('a trial token that is cut, altered or of another quiz gets an explanation, and its answers are not stored', async () => {
    for (const [why, token] of Object.entries(await wrongTokens())) await expectRefused(token, why)
  })

  test('an expired trial token gets an explanation, and its answers are not stored', async (t) => {
    const token = await linkTo(quiz.id)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 86_401_000 })
    await expectRefused(token, 'expired')
  })

  test('two trial tokens, or the token of an unpublished or deleted quiz, get an explanation, and no answers are stored', async () => {
    const own = await publishedScoreQuiz(client)
    const token = await linkTo(own.id)
    const ask = async () => app.raw({ url: `/q/${own.id}?test=${token}` })
    const twice = await app.raw({ url: `/q/${own.id}?test=${token}&test=${token}` })
    assert.equal(twice.statusCode, 403)
    await client.quizzes.update({ id: own.id, body: { status: 'Brouillon' } })
    assert.match((await ask()).body, /Quiz non disponible/)
    const body = { answers: answersTo(own), version: 1 }
    await assert.rejects(app.client.trialRuns.submit({ id: own.id, token, body }), {
      status: 403,
      code: 'quiz_not_published',
    })
    await client.quizzes.remove({ id: own.id })
    assert.equal((await ask()).statusCode, 403)
    await assert.rejects(app.client.trialRuns.submit({ id: own.id, token, body }), { status: 404 })
  })
})
