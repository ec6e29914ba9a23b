import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import {
  FAMILIES,
  type Family,
  FONT_WEIGHTS,
  fontAddress,
} from '#domain/questionnaire/look/fonts.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

test('each font file has its own immutable address', async () => {
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

test('a page loads only the fonts that it names', async () => {
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
  assert.match(
    body,
    /--q-font:"Lora",q-stand-in,q-stand-in1,q-stand-in2,Georgia,serif;--q-corner:26px/,
  )
  assert.doesNotMatch(body, /rel="preload"/)
  // The data for the script contains no copy of the theme.
  assert.doesNotMatch(body, /"(font|corners)":/)
})

test('a message at the address of a quiz has the theme of the quiz', async () => {
  const { id } = await publishedScoreQuiz(client)
  const background_image_id = '64038412-3456-8000-8000-000000000000'
  const look = { bg_color: '#fdf3ea', text_color: '#4a2c1d', font: 'lora' as const }
  await client.quizzes.update({ id, body: look })
  await app.db.updateTable('quizzes').set({ background_image_id }).where('id', '=', id).execute()
  await client.quizzes.publish({ id })
  const page = await app.raw({ url: `/q/${id}` })
  assert.match(page.body, /#player::before\{[^}]*url\(\/images\/64038412-[^)]*\/800\.webp\)/)
  const expectLook = async (status: number, words: RegExp): Promise<void> => {
    const { statusCode, body, headers } = await app.raw({ url: `/q/${id}` })
    assert.equal(statusCode, status)
    assert.match(body, words)
    assert.match(body, /font-family:"Lora",q-stand-in,q-stand-in1,q-stand-in2,Georgia,serif/)
    assert.match(
      body,
      /html\{background:#fdf3ea\}body\{background:linear-gradient\(rgb\(253 243 234\/0\.\d+\)/,
    )
    assert.match(body, /color:#4a2c1d/)
    assert.match(String(headers['content-security-policy']), /font-src 'self'/)
  }
  await client.quizzes.update({ id, body: { closes_at: '2020-01-01T00:00:00Z' } })
  await expectLook(200, /Ce questionnaire est clos/)
  await client.quizzes.update({ id, body: { closes_at: null, status: 'Brouillon' } })
  await expectLook(404, /pas encore publié/)
})
