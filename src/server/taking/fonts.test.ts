import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { FAMILIES, type Family, FONT_WEIGHTS, fontAddress } from '#domain/fonts.ts'
import { createBuiltApp } from '#server/testing/built-app.ts'
import { publishedScoreQuiz } from '#server/testing/sample-quizzes.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

test('each font is served for ever, at an address that is its own', async () => {
  for (const family of Object.keys(FAMILIES) as Family[])
    for (const weight of FONT_WEIGHTS) {
      const url = fontAddress(family, weight)
      const { statusCode, headers, rawPayload } = await app.raw({ url })
      assert.deepEqual([statusCode, headers['content-type']], [200, 'font/woff2'], url)
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      const digest = createHash('sha256').update(rawPayload).digest('hex')
      assert.ok(url.includes(`.${digest.slice(0, 10)}.`), `${url} is ${digest}`)
      assert.ok(rawPayload.length < 26_000, `${url}: ${rawPayload.length} bytes`)
    }
  for (const name of ['inter-400.0000000000.woff2', '..%2f..%2fpackage.json', 'inter'])
    assert.equal((await app.raw({ url: `/fonts/${name}` })).statusCode, 404, name)
})

test('a page loads the fonts it names and no other, and looks as before without any', async () => {
  const { id } = await publishedScoreQuiz(client)
  const before = await app.raw({ url: `/q/${id}` })
  assert.doesNotMatch(before.body, /@font-face|--q-(font|corner|page):/)
  assert.doesNotMatch(String(before.headers['content-security-policy']), /font-src/)
  await client.quizzes.update({ id, body: { font: 'lora', corners: 'round' } })
  await client.quizzes.publish({ id })
  const { body, headers } = await app.raw({ url: `/q/${id}` })
  assert.match(String(headers['content-security-policy']), /font-src 'self'/)
  assert.deepEqual(
    [...body.matchAll(/url\((\/fonts\/[^)]*)\)/g)].map(([, address]) => address),
    FONT_WEIGHTS.map((weight) => fontAddress('lora', weight)),
  )
  assert.match(body, /--q-font:"Lora",Georgia,serif;--q-corner:26px/)
  assert.doesNotMatch(body, /rel="preload"/)
  // A copy of the look is no part of what the script reads.
  assert.doesNotMatch(body, /"(font|corners)":/)
})
