import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()
const { id } = await publishedScoreQuiz(client)
await client.quizzes.update({ id, body: { slug: 'quel-rythme' } })
const get = (url: string) => app.raw({ url, headers: HTML })

test('a damaged address of a quiz leads to the quiz in one step and keeps its parameters', async () => {
  for (const [damaged, clean] of [
    ['/q/quel-rythme/', '/q/quel-rythme'],
    ['/q/quel-rythme.', '/q/quel-rythme'],
    ['/q/quel-rythme%C2%A0%C2%BB', '/q/quel-rythme'],
    ['/q/quel-rythme%E2%80%9D', '/q/quel-rythme'],
    ['/q/quel-rythme)', '/q/quel-rythme'],
    ['/q/quel-rythme%20', '/q/quel-rythme'],
    ['/q/quel-%0D%0Arythme', '/q/quel-rythme'],
    ['/q/quel-=%0Arythme', '/q/quel-rythme'],
    ['/q/quel-rythme%E9', '/q/quel-rythme'],
    ['/q/quel-rythme%', '/q/quel-rythme'],
    ['/Q/Quel-Rythme', '/q/quel-rythme'],
    [`/q/${id.toUpperCase()}/?embed=1`, `/q/${id}?embed=1`],
    ['/q/quel-rythme&utm_source=lettre', '/q/quel-rythme?utm_source=lettre'],
    ['/q/quel-rythme,?utm_source=lettre', '/q/quel-rythme?utm_source=lettre'],
    ['//q//quel-rythme', '/q/quel-rythme'],
  ] as const) {
    const { statusCode, headers } = await get(damaged)
    assert.deepEqual([statusCode, headers.location], [308, clean], damaged)
    assert.match(String(headers['x-content-type-options']), /nosniff/, damaged)
    const { statusCode: status, body } = await get(clean)
    assert.equal(status, 200, clean)
    assert.match(body, /Quel rythme/)
  }
})

test('damaged addresses with a token keep the token, and forged tokens open nothing', async () => {
  for (const [damaged, clean] of [
    [`/q/${id}/rapport/Ab-_9.`, `/q/${id}/rapport/Ab-_9`],
    [`/q/quel-rythme/Attestation/Ab-_9%22`, '/q/quel-rythme/attestation/Ab-_9'],
    [`/q/${id}/ma-page/Ab-_9/`, `/q/${id}/ma-page/Ab-_9`],
    [`/q/${id}/test/Ab-_9%E2%80%99`, `/q/${id}/test/Ab-_9`],
    [`/q/${id}?test=Ab-_9.`, `/q/${id}?test=Ab-_9`],
    ['/desinscription/Ab-_9=%0D%0AcD', '/desinscription/Ab-_9cD'],
    ['/statistiques/Ab-_9.', '/statistiques/Ab-_9'],
    ['/attestation/7K3M-9XQ2-0V4T-HB8C.', '/attestation/7K3M-9XQ2-0V4T-HB8C'],
  ] as const) {
    const { statusCode, headers } = await get(damaged)
    assert.deepEqual([statusCode, headers.location], [308, clean], damaged)
    const opened = await get(clean)
    assert.notEqual(opened.headers.location, '/login', clean)
    if (!clean.startsWith('/statistiques')) assert.notEqual(opened.statusCode, 200, clean)
  }
})

test('no address below /q leads visitors to the screens of creators', async () => {
  for (const url of [
    ...['/q', '/q/', '/q/.', '/q/x', '/q/nulle-part', '/q/%E0%A4', '/q/a/b/c/d', '/q//'],
    ...['/q&utm_source=x', '/q?x=1', '/q/quel-rythme/autre', `/q/${id}/rapport`],
    // Dots around a part are removed, so that the name of a screen is that of a quiz.
    '/q/login',
  ]) {
    const { statusCode, headers, body } = await get(url)
    assert.equal(statusCode, 404, url)
    assert.equal(headers.location, undefined, url)
    assert.match(body, /Quiz introuvable/, url)
  }
  for (const url of ['/q/..%2f..%2flogin', '/q/%2e%2e%2flogin', '/q/..%2F%2e%2e%2Flogin/']) {
    const { statusCode, headers } = await get(url)
    assert.deepEqual([statusCode, headers.location], [308, '/q/login'], url)
  }
})

test('the description of an embedded quiz is found at a damaged address', async () => {
  const { origin } = new URL(
    String((await get('/oembed/?url=x')).headers.location),
    'http://x.test',
  )
  assert.equal(origin, 'http://x.test')
  const page = (await get('/q/quel-rythme')).headers.link
  const [, described = ''] = /url=([^>]*)>/.exec(String(page)) ?? []
  for (const ending of ['', '%2F', '.', '%2526utm_source%3Dx', '%C2%BB']) {
    const { statusCode, body } = await get(`/oembed?url=${described}${ending}`)
    assert.equal(statusCode, 200, ending)
    assert.match(body, /quel-rythme/)
  }
})

test('only requests for a page are redirected', async () => {
  const { statusCode } = await app.raw({ method: 'POST', url: '/q/quel-rythme/visite/1/0/1' })
  assert.equal(statusCode, 204)
  const posted = await app.raw({ method: 'POST', url: '/q/quel-rythme./resultat' })
  assert.notEqual(posted.statusCode, 308)
  const head = await app.raw({ method: 'HEAD', url: '/q/quel-rythme/' })
  assert.deepEqual([head.statusCode, head.headers.location], [308, '/q/quel-rythme'])
})
