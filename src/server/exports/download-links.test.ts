import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createApp } from '#server/app.ts'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp()
after(() => app.close())
const { client, user_id } = await app.signUp()
let quiz: SampleQuiz
before(async () => {
  quiz = await publishedScoreQuiz(client)
})

describe('a download link', () => {
  const statusOf = async (url: string) => (await app.raw({ method: 'GET', url })).statusCode

  test('a download link is refused if it is altered, for another quiz or without a token', async () => {
    const other = await publishedScoreQuiz(client)
    const { url } = await client.exports.link({ id: quiz.id, body: { format: 'csv' } })
    const [, token = ''] = url.split('token=')
    const order = { quiz_id: other.id, creator_id: user_id, format: 'csv', expires_at: 9e15 }
    const forged = Buffer.from(JSON.stringify(order)).toString('base64url')
    assert.equal(await statusOf(url.replace(token, forged)), 403)
    const altered = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    assert.equal(await statusOf(url.replace(token, altered)), 403)
    assert.equal(await statusOf(url.replace(quiz.id, other.id)), 404)
    assert.equal(await statusOf(url.split('?')[0] ?? ''), 403)
    assert.equal(await statusOf(`${url.split('?')[0]}?token=x&token=y`), 403)
  })

  test('a download link serves one download, also for concurrent requests to several processes', async () => {
    const { url } = await client.exports.link({ id: quiz.id, body: { format: 'csv' } })
    const other = await createApp({
      config: app.config,
      database: { ...app, isReady: async () => true },
      secretKey: app.config.secret_key ?? '',
      log: app.app.log,
      has_pages: false,
    })
    const ask = (server: typeof other) => server.inject({ method: 'GET', url })
    const answers = await Promise.all([app.app, other, app.app, other].map(ask))
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    assert.deepEqual(statuses, [200, 403, 403, 403])
    const refused = answers.find(({ statusCode }) => statusCode === 403)
    assert.equal(
      refused?.json<{ error: string }>().error,
      'Ce lien de téléchargement n’est plus valable : demandez-en un autre',
    )
    assert.equal((await ask(other)).statusCode, 403)
    await other.close()
  })

  test('the record of a used download is deleted some time after the link has expired', async () => {
    await app.pool.query("update used_downloads set expires_at = now() - interval '2 hours'")
    const { url } = await client.exports.link({ id: quiz.id, body: { format: 'csv' } })
    assert.equal(await statusOf(url), 200)
    const kept = await app.db.selectFrom('used_downloads').select('id').execute()
    assert.equal(kept.length, 1)
  })

  test('a download link expires after two minutes and when the quiz is deleted', async (t) => {
    const own = await publishedScoreQuiz(client)
    const { url } = await client.exports.link({ id: own.id, body: { format: 'csv' } })
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 121_000 })
    assert.equal(await statusOf(url), 403)
    t.mock.timers.reset()
    await client.quizzes.remove({ id: own.id })
    assert.equal(await statusOf(url), 404)
  })

  test('a download link is refused after the quiz has moved to another creator', async () => {
    const own = await publishedScoreQuiz(client)
    const { url } = await client.exports.link({ id: own.id, body: { format: 'csv' } })
    const other = await app.signUp()
    assert.notEqual(other.user_id, user_id)
    await app.db
      .updateTable('quizzes')
      .set({ creator_id: other.user_id })
      .where('id', '=', own.id)
      .execute()
    assert.equal(await statusOf(url), 404)
  })

  test('a download is refused while two downloads of the same creator are running', async () => {
    const link = () => client.exports.link({ id: quiz.id, body: { format: 'json' } })
    const other = await app.signUp()
    const theirs = await publishedScoreQuiz(other.client)
    const urls = [await link(), await link(), await link(), await link()].map(({ url }) => url)
    // Downloads read this table, orders of links do not.
    const lock = { text: 'lock table certificates in access exclusive mode', values: [] }
    await using held = await openTransaction(app.pool, lock)
    const downloads = urls.slice(0, 2).map((url) => app.raw({ method: 'GET', url }))
    await held.waitUntilBlocking()
    const isGiven = () =>
      link().then(
        () => true,
        () => false,
      )
    while (await isGiven());
    await refuses(link(), 429, 'too_many_requests')
    assert.equal(await statusOf(urls[3] ?? ''), 429)
    const refusal = await app.raw({ method: 'GET', url: urls[3] ?? '' })
    assert.match(refusal.json<{ error: string }>().error, /^2 téléchargements sont déjà en cours/)
    assert.ok(Number(refusal.headers['retry-after']) > 0)
    await other.client.exports.link({ id: theirs.id, body: { format: 'json' } })
    await held.commit()
    for (const { statusCode } of await Promise.all(downloads)) assert.equal(statusCode, 200)
    assert.equal(await statusOf(urls[3] ?? ''), 200)
  })
})
