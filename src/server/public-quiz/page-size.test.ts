import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { publishFullQuiz } from '#server/testing/quizzes/full-quiz.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { publishSizedQuiz } from '#server/testing/quizzes/sized-quiz.ts'

// Runs in test:all, because it builds many large pages.

const app = await createBuiltApp()
after(app.close)
const { client } = await app.signUp()
const KB = 1_024
const open = (url: string, headers = {}) =>
  app.app.inject({ url, headers: { 'accept-encoding': 'br', ...headers } })

describe('the brotli size of a published quiz with everything that a run needs', () => {
  const limits: [questions: number, kilobytes: number][] = [
    [10, 14],
    [100, 22],
  ]
  for (const [questions, kilobytes] of limits)
    test(`a page with ${questions} questions has at most ${kilobytes} KB in brotli`, async () => {
      const id = await publishSizedQuiz(client, questions)
      const { rawPayload } = await open(`/q/${id}`)
      assert.ok(rawPayload.length <= kilobytes * KB, `${rawPayload.length} bytes`)
    })
})

test('every page names one second file, which browsers and CDNs keep for ever', async () => {
  const full = await publishSizedQuiz(client, 10)
  await publishFullQuiz(client, full)
  const { id } = await publishedScoreQuiz(client)
  const paths = [id, full, `${id}?embed=1`].map((path) => `/q/${path}`)
  const bodies = await Promise.all(paths.map((url) => app.app.inject(url)))
  const addresses = bodies.map(
    ({ body }) => /["'`](\/assets\/player-[\w-]+\.js)["'`?]/.exec(body)?.[1],
  )
  assert.equal(new Set(addresses).size, 1)
  const url = String(addresses[0])
  const file = await open(url)
  assert.equal(file.statusCode, 200)
  assert.ok(file.rawPayload.length <= 14 * KB, `${file.rawPayload.length} bytes`)
  assert.equal(file.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(file.headers['cdn-cache-control'], undefined)
  assert.equal(file.headers['access-control-allow-origin'], '*')
  assert.equal(file.headers['content-encoding'], 'br')
  assert.equal((await open(url, { 'if-none-match': file.headers.etag })).statusCode, 304)
  for (const other of ['/assets/player-other.js', '/assets/player-..%2frender.js'])
    assert.equal((await open(other)).statusCode, 404, other)
})
