import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, describe, test } from 'node:test'
import Fastify from 'fastify'
import { createFastPath, setSecurityHeaders } from '#server/http/edge/fast-path.ts'
import { limitRates } from '#server/http/edge/rate-limits.ts'
import { createCurrentVersions } from '#server/published-versions/current-versions.ts'
import { createVersionReader } from '#server/published-versions/published-versions.ts'
import { createQuizSlugs, resolveSlugs } from '#server/published-versions/quiz-slugs.ts'
import { createTrialLinks, createTrialRuns } from '#server/responses/trial-links.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createCachedResponses } from './cached-responses.ts'
import { createPublicPages } from './public-pages.ts'
import { registerQuizPage } from './quiz-page.ts'
import { createTrialPage } from './trial-pages.ts'

/** Caller without a session. */
const NOBODY = { sessionOf: async () => undefined, keyOf: () => undefined }

const app = await createTestApp()
const { client, access_token, user_id } = await app.signUp()
const { player_folder, remove } = buildPlayer()
const { heavyWork, compiled } = createTestVersions(app.db)
after(heavyWork.close)
const { config } = app

/** Cache options under which no entry expires, so that answers depend on the test alone. */
const versions = createCurrentVersions(app.db, { trusted_ms: Number.POSITIVE_INFINITY })
const slugs = createQuizSlugs(app.db, { trusted_ms: Number.POSITIVE_INFINITY })
const versionReader = createVersionReader(app.db, { compiled, versions })
const pages = createPublicPages({
  versionReader,
  heavyWork,
  public_url: config.public_url,
  player_folder,
})
const fast_path = createFastPath(() => 'an id')
let answered = 0
fast_path.onAnswered(() => answered++)
const server = Fastify({ serverFactory: (routes) => fast_path.createServer(routes, {}) })
setSecurityHeaders(server, config.public_url)
const snapshotWait = limitRates(server, config.submit_limits, NOBODY)
resolveSlugs(server, slugs)
const links = createTrialLinks('a secret that only tests know of')
const trials = createTrialRuns(app.db, links)
const answerTrial = createTrialPage({ trials, versionReader, pages, public_url: config.public_url })
registerQuizPage(server, { versionReader, pages, answerTrial })
const cached_replies = createCachedResponses({
  versions,
  slugs,
  pages,
  versionReader,
  config,
  snapshotWait,
})
fast_path.open(cached_replies)
const origin = await server.listen({ port: 0, host: '127.0.0.1' })
after(async () => {
  await server.close()
  await app.close()
  remove()
})

/** Returns an answer without its individual headers, and whether it came from memory. */
const ask = async (path: string, headers: Record<string, string> = {}) => {
  const before = answered
  const reply = await fetch(origin + path, { headers })
  const kept = [...reply.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))
  const body = await reply.text()
  return {
    from_memory: answered > before,
    answer: { status: reply.status, headers: Object.fromEntries(kept), body },
  }
}

describe('an answer from the page cache', () => {
  for (const encoding of ['br', 'gzip', 'identity'])
    test(`the cached page, its frame and the page of a shared result equal the answers of the route (${encoding})`, async () => {
      const { id } = await publishedScoreQuiz(client)
      for (const path of [`/q/${id}`, `/q/${id}?embed=1`, `/q/${id}?r=2`]) {
        const headers = { 'accept-encoding': encoding }
        const [first, second] = [await ask(path, headers), await ask(path, headers)]
        assert.deepEqual([first.from_memory, second.from_memory], [false, true])
        assert.deepEqual(second.answer, first.answer)
        const known = { ...headers, 'if-none-match': String(first.answer.headers.etag) }
        const unchanged = await ask(path, known)
        assert.deepEqual([unchanged.from_memory, unchanged.answer.status], [true, 304])
        assert.equal(unchanged.answer.body, '')
        const listed = await ask(path, {
          ...known,
          'if-none-match': `"x", ${known['if-none-match']}`,
        })
        assert.deepEqual([listed.from_memory, listed.answer.status], [false, 304])
      }
    })

  test('an address that asks for a trial run is never answered from the cache', async () => {
    const { id } = await publishedScoreQuiz(client)
    const { token } = links.write({ quiz_id: id, creator_id: user_id })
    const normal = [await ask(`/q/${id}`), await ask(`/q/${id}`)]
    assert.ok(normal[1]?.from_memory)
    for (const query of [`test=${token}`, 'test=', 'test', 'test=x&r=2', 'r=2&test=x', '%74est=x'])
      for (let time = 0; time < 2; time++) {
        const { from_memory, answer } = await ask(`/q/${id}?${query}`)
        assert.deepEqual([query, from_memory], [query, false])
        assert.equal(answer.status, query.includes(token) ? 200 : 403)
        assert.equal(answer.headers['cache-control'], 'no-store')
        assert.equal(answer.headers['cdn-cache-control'], undefined)
        assert.equal(answer.headers.etag, undefined)
      }
    assert.deepEqual((await ask(`/q/${id}`)).answer, normal[0]?.answer)
  })

  test('the cached snapshot equals the answer of the route', async () => {
    const { id } = await publishedScoreQuiz(client)
    const path = `/api/v1/quizzes/${id}/snapshot`
    const routed = await app.raw({ url: path })
    await versionReader.current(id)
    const { from_memory, answer } = await ask(path)
    assert.ok(from_memory)
    assert.deepEqual([answer.status, answer.body], [200, routed.body])
    const { date: _, connection: __, ...headers } = routed.headers
    assert.deepEqual(answer.headers, {
      ...headers,
      'content-length': String(headers['content-length']),
    })
    // The routes verify a token; this server has no route for tokens.
    const token = { authorization: `Bearer ${access_token}` }
    assert.deepEqual(
      [(await ask(path, token)).from_memory, (await ask(`${path}?preview=1`)).from_memory],
      [false, false],
    )
  })

  test('an answer from before a change is not returned from the cache', async () => {
    const { id } = await publishedScoreQuiz(client)
    await ask(`/q/${id}`)
    assert.ok((await ask(`/q/${id}`)).from_memory)
    await client.quizzes.update({ id, body: { status: 'Brouillon' } })
    versions.forget(id)
    const { from_memory, answer } = await ask(`/q/${id}`)
    assert.deepEqual([from_memory, answer.status], [false, 404])
  })

  test('a page has one stored answer for each encoding, however its headers and its address are written', async () => {
    const { id } = await publishedScoreQuiz(client)
    await ask(`/q/${id}`)
    const answers = new Set<unknown>()
    const paths = [`/q/${id}`, `/q/${id}?r=900`, `/q/${id}?r=901`]
    for (let nr = 0; nr < 3_000; nr++)
      for (const encoding of ['br', 'gzip', 'identity']) {
        const headers = { 'accept-encoding': `x-${nr}, ${encoding};q=0.${nr}` }
        const request = { method: 'GET', url: paths[nr % paths.length], headers, socket: {} }
        answers.add(cached_replies.find(request as unknown as IncomingMessage))
      }
    assert.equal(answers.has(undefined), false)
    assert.equal(answers.size, 3)
  })

  test('a caller that reads snapshots too often gets no cached answer', async () => {
    const { id } = await publishedScoreQuiz(client)
    await versionReader.current(id)
    const path = `/api/v1/quizzes/${id}/snapshot`
    const kinds = new Set<boolean>()
    for (let call = 0; call < 1_000 && kinds.size < 2; call++)
      kinds.add((await ask(path)).from_memory)
    assert.deepEqual(kinds, new Set([true, false]))
  })
})
