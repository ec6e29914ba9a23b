import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import Fastify from 'fastify'
import { createFastLane } from '#server/http/fast-lane.ts'
import { limitRates } from '#server/http/rate-limits.ts'
import { setSecurityHeaders } from '#server/http/security-headers.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { publishedScoreQuiz } from '#server/testing/sample-quizzes.ts'
import { createTestApp } from '#server/testing/test-app.ts'
import { createCurrentVersions } from './current-versions.ts'
import { createPublicPages } from './public-pages.ts'
import { registerQuizPage } from './quiz-page.ts'
import { createSnapshots } from './snapshots.ts'
import { createVisitorLane } from './visitor-lane.ts'

const app = await createTestApp()
const { client, access_token } = await app.signUp()
const { player_folder, remove } = buildPlayer()
const { config } = app

/** Nothing is ever too old: what the lane may answer depends on the test alone. */
const versions = createCurrentVersions(app.db, { trusted_ms: Number.POSITIVE_INFINITY })
const snapshots = createSnapshots(app.db, { versions })
const pages = createPublicPages({ snapshots, public_url: config.public_url, player_folder })
const lane = createFastLane()
const server = Fastify({ serverFactory: (routes) => lane.createServer(routes, {}) })
setSecurityHeaders(server, config.public_url)
const snapshotWait = limitRates(server, config.submit_limits, async () => undefined)
registerQuizPage(server, { snapshots, pages })
lane.open(createVisitorLane({ versions, pages, snapshots, config, snapshotWait }))
const origin = await server.listen({ port: 0, host: '127.0.0.1' })
after(async () => {
  await server.close()
  await app.close()
  remove()
})

const answered = (): number =>
  lane.timings
    .all()
    .flatMap(({ buckets }) => buckets)
    .reduce((sum, count) => sum + count, 0)
/** An answer without what every answer has its own of, and whether the lane gave it. */
const ask = async (path: string, headers: Record<string, string> = {}) => {
  const before = answered()
  const reply = await fetch(origin + path, { headers })
  const kept = [...reply.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))
  const body = await reply.text()
  return {
    by_lane: answered() > before,
    answer: { status: reply.status, headers: Object.fromEntries(kept), body },
  }
}

describe('what is in memory is answered at once, as the routes answer it', () => {
  for (const encoding of ['br', 'gzip', 'identity'])
    test(`the page and its frame, ${encoding}`, async () => {
      const { id } = await publishedScoreQuiz(client)
      for (const path of [`/q/${id}`, `/q/${id}?embed=1`]) {
        const headers = { 'accept-encoding': encoding }
        const [first, second] = [await ask(path, headers), await ask(path, headers)]
        assert.deepEqual([first.by_lane, second.by_lane], [false, true])
        assert.deepEqual(second.answer, first.answer)
        const known = { ...headers, 'if-none-match': String(first.answer.headers.etag) }
        const unchanged = await ask(path, known)
        assert.deepEqual([unchanged.by_lane, unchanged.answer.status], [true, 304])
        assert.equal(unchanged.answer.body, '')
        const listed = await ask(path, {
          ...known,
          'if-none-match': `"x", ${known['if-none-match']}`,
        })
        assert.deepEqual([listed.by_lane, listed.answer.status], [false, 304])
      }
    })

  test('the snapshot', async () => {
    const { id } = await publishedScoreQuiz(client)
    const path = `/api/v1/quizzes/${id}/snapshot`
    const routed = await app.raw({ url: path })
    await snapshots.current(id)
    const { by_lane, answer } = await ask(path)
    assert.ok(by_lane)
    assert.deepEqual([answer.status, answer.body], [200, routed.body])
    const { date: _, connection: __, ...headers } = routed.headers
    assert.deepEqual(answer.headers, {
      ...headers,
      'content-length': String(headers['content-length']),
    })
    // The routes look at a token; this server has none for it.
    const token = { authorization: `Bearer ${access_token}` }
    assert.deepEqual(
      [(await ask(path, token)).by_lane, (await ask(`${path}?preview=1`)).by_lane],
      [false, false],
    )
  })

  test('a change is left to the routes', async () => {
    const { id } = await publishedScoreQuiz(client)
    await ask(`/q/${id}`)
    assert.ok((await ask(`/q/${id}`)).by_lane)
    await client.quizzes.update({ id, body: { status: 'Brouillon' } })
    versions.forget(id)
    const { by_lane, answer } = await ask(`/q/${id}`)
    assert.deepEqual([by_lane, answer.status], [false, 404])
  })

  test('who reads snapshots too often is refused by the routes', async () => {
    const { id } = await publishedScoreQuiz(client)
    await snapshots.current(id)
    const path = `/api/v1/quizzes/${id}/snapshot`
    const lanes = new Set<boolean>()
    for (let call = 0; call < 1_000 && lanes.size < 2; call++) lanes.add((await ask(path)).by_lane)
    assert.deepEqual(lanes, new Set([true, false]))
  })
})
