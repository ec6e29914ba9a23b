import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { pino } from 'pino'
import { openPool } from '#server/db/database.ts'
import { setSecurityHeaders } from '#server/http/edge/fast-path.ts'
import { createCurrentVersions } from '#server/published-versions/current-versions.ts'
import { createVersionReader } from '#server/published-versions/published-versions.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { buildPlayer } from '#server/testing/built-player.ts'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
  readySondage,
} from '#server/testing/quizzes/sample-quizzes.ts'
import { serveEmbedScript } from './player-assets.ts'
import { createPublicPages } from './public-pages.ts'
import { registerQuizPage } from './quiz-page.ts'

const app = await createTestApp({ PUBLIC_URL: 'https://quiz.example.org' })
const { client } = await app.signUp()
const { player_folder, remove } = buildPlayer()
const { heavyWork, compiled } = createTestVersions(app.db)
after(heavyWork.close)
type VersionReader = ReturnType<typeof createVersionReader>
const answerTrial = async (_: unknown, reply: FastifyReply) => reply.code(403)
const servePages = (versionReader: VersionReader, folder = player_folder) => {
  const server = Fastify()
  const { public_url } = app.config
  setSecurityHeaders(server, public_url)
  const pages = createPublicPages({ versionReader, heavyWork, public_url, player_folder: folder })
  registerQuizPage(server, { versionReader, pages, answerTrial })
  serveEmbedScript(server, { public_url, player_folder: folder })
  return server
}
const versions = createCurrentVersions(app.db, { trusted_ms: 0 })
const pages = servePages(createVersionReader(app.db, { compiled, versions }))
after(async () => {
  await pages.close()
  await app.close()
  remove()
})

const open = (id: string, headers: Record<string, string> = {}, server: FastifyInstance = pages) =>
  server.inject({ url: `/q/${id}`, headers })
type Opened = Awaited<ReturnType<typeof open>>
const etagOf = ({ headers }: Opened) => String(headers.etag)
const wordsOf = ({ body }: Opened): string =>
  body
    .replaceAll(/<(script|style|title).*?<\/\1>|<[^>]+>/gs, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
const assertMessage = (opened: Opened, status: number, words: string): void => {
  assert.deepEqual([opened.statusCode, wordsOf(opened)], [status, words])
  assert.equal(opened.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(opened.headers['cache-control'], 'no-store')
  assert.match(String(opened.headers['content-security-policy']), /script-src 'none'/)
  assert.match(opened.body, /<meta name="robots" content="noindex">/)
}
const MISSING = "Quiz introuvable Ce quiz n'existe pas ou n'est plus disponible."
const UNPUBLISHED = "Quiz non disponible Ce quiz n'est pas encore publié."

describe('a published quiz', () => {
  test('a published quiz is one HTML answer that contains its first page and needs no other file', async () => {
    const { id } = await publishedScoreQuiz(client, 'Quel rythme ?')
    const page = await open(id)
    assert.equal(page.statusCode, 200)
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(page.headers['cache-control'], 'no-cache')
    assert.match(page.body, /^<!doctype html><html lang="fr">/)
    assert.match(page.body, /<title>Quel rythme \?<\/title>/)
    assert.ok(page.body.includes(`<link rel="canonical" href="https://quiz.example.org/q/${id}">`))
    assert.match(page.body, /content="Répondez au quiz «\sQuel rythme\s\?\s»\s: 2 questions\."/)
    for (const text of ['Votre agenda ?', 'Rempli', 'Libre', 'Suivant'])
      assert.ok(wordsOf(page).includes(text), text)
    for (const [name, content] of [
      ['og:title', 'Quel rythme\u202f?'],
      ['og:url', `https://quiz.example.org/q/${id}`],
      ['og:image', `https://quiz.example.org/q/${id}/image-1.png`],
      ['twitter:card', 'summary_large_image'],
      ['twitter:image', `https://quiz.example.org/q/${id}/image-1.png`],
    ])
      assert.match(
        page.body,
        new RegExp(`<meta (name|property)="${name}" content="${content?.replaceAll('?', '\\?')}">`),
      )
    assert.ok(!page.body.includes('noindex'))
    assert.doesNotMatch(page.body, /<(?:script|img|iframe)[^>]* src=|@import|url\((?!['"]?data:)/)
    assert.equal((await open(id.toUpperCase())).body, page.body)
  })

  test('the policy of a published quiz allows only its own style, its own script and files of this site', async () => {
    const { id } = await publishedScoreQuiz(client)
    const { body, headers } = await open(id)
    const policy = String(headers['content-security-policy'])
    const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const [, script] = body.match(/<script type="module">(.*?)<\/script>/s) ?? []
    const [, style] = body.match(/<style>(.*?)<\/style>/s) ?? []
    assert.ok(policy.includes(`script-src ${hashOf(script)} 'self';`), policy)
    assert.ok(policy.includes(`style-src ${hashOf(style)};`), policy)
    assert.match(policy, /^default-src 'none'; /)
    assert.doesNotMatch(policy, /unsafe|\*/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  })

  test('a published quiz is compressed with an encoding that the browser accepts, each with its own ETag', async () => {
    const { id } = await publishedScoreQuiz(client)
    const plain = await open(id)
    const br = await open(id, { 'accept-encoding': 'gzip, deflate, br' })
    const gzip = await open(id, { 'accept-encoding': 'gzip' })
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(br.headers['content-encoding'], 'br')
    assert.equal(gzip.headers['content-encoding'], 'gzip')
    assert.equal(brotliDecompressSync(br.rawPayload).toString(), plain.body)
    assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body)
    assert.ok(br.rawPayload.length <= gzip.rawPayload.length)
    const etags = [plain, br, gzip].map(etagOf)
    assert.equal(new Set(etags).size, 3)
    for (const page of [plain, br, gzip]) {
      assert.match(etagOf(page), /^"[^"]+"$/)
      assert.equal(page.headers.vary, 'accept-encoding')
    }
    const again = await open(id, { 'accept-encoding': 'br', 'if-none-match': etagOf(br) })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
    assert.equal(etagOf(again), etagOf(br))
    const other = await open(id, { 'accept-encoding': 'br', 'if-none-match': etagOf(gzip) })
    assert.equal(other.statusCode, 200)
  })

  test('a published quiz shows markup in any text as plain text', async () => {
    const hostile = '</title></script><script>alert(1)</script><!--'
    const { id, question_id } = await readyScoreQuiz(client, hostile)
    await client.questions.update({ id: question_id, body: { text: hostile } })
    await client.quizzes.publish({ id })
    const { body, statusCode } = await open(id)
    assert.equal(statusCode, 200)
    assert.ok(!body.includes('<script>alert'))
    const [, json = ''] = body.match(/<script type="application\/json"[^>]*>(.*?)<\/script>/s) ?? []
    const { quiz_id, version, snapshot } = JSON.parse(json)
    assert.deepEqual([quiz_id, version, snapshot.questions[0].text], [id, 1, hostile])
  })

  test('the page of a survey calls it a survey', async () => {
    const { id } = await readySondage(client, 'Votre avis')
    await client.quizzes.publish({ id })
    const { body } = await open(id)
    assert.match(body, /content="Répondez au sondage «\sVotre avis\s»\s: 2 questions\."/)
  })
})

describe('changes that visitors see immediately', () => {
  test('visitors see edits after the next publication, and not before', async () => {
    const { id } = await publishedScoreQuiz(client, 'Avant')
    const before = await open(id)
    await client.quizzes.update({ id, body: { name: 'Après' } })
    assert.equal((await open(id, { 'if-none-match': etagOf(before) })).statusCode, 304)
    await client.quizzes.publish({ id })
    const now = await open(id, { 'if-none-match': etagOf(before) })
    assert.equal(now.statusCode, 200)
    assert.match(now.body, /<title>Après<\/title>/)
  })

  test('visitors see a withdrawal, a return and a deletion', async () => {
    const { id } = await readyScoreQuiz(client, 'Secret')
    assertMessage(await open(id), 404, UNPUBLISHED)
    await client.quizzes.publish({ id })
    const page = await open(id)
    await client.quizzes.update({ id, body: { status: 'Brouillon' } })
    const withdrawn = await open(id, { 'if-none-match': etagOf(page) })
    assertMessage(withdrawn, 404, UNPUBLISHED)
    assert.ok(!withdrawn.body.includes('Secret'))
    await client.quizzes.update({ id, body: { status: 'Publié' } })
    assert.equal((await open(id, { 'if-none-match': etagOf(page) })).statusCode, 304)
    await client.quizzes.remove({ id })
    assertMessage(await open(id, { 'if-none-match': etagOf(page) }), 404, MISSING)
  })
})

test('a CDN may serve a page, its frame and its picture for ten seconds, and no other answer', async () => {
  const { id } = await publishedScoreQuiz(client)
  const AT_CDN = 'public, max-age=5, stale-while-revalidate=5, stale-if-error=0'
  for (const path of [`/q/${id}`, `/q/${id}?embed=1`, `/q/${id}/image-1.png`]) {
    const { headers } = await pages.inject(path)
    assert.equal(headers['cdn-cache-control'], AT_CDN, path)
    const known = { 'if-none-match': String(headers.etag) }
    const again = await pages.inject({ url: path, headers: known })
    assert.deepEqual([again.statusCode, again.headers['cdn-cache-control']], [304, AT_CDN], path)
  }
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  for (const path of [`/q/${id}`, `/q/${id}/image-1.png`, `/q/${randomUUID()}`]) {
    const { headers } = await pages.inject(path)
    assert.equal(headers['cdn-cache-control'], undefined, path)
    assert.equal(headers['cache-control'], 'no-store', path)
  }
})

test('the picture of a quiz is a PNG of 1200 × 630 that never changes', async () => {
  const { id } = await publishedScoreQuiz(client, 'Été à la française')
  const picture = await pages.inject(`/q/${id}/image-1.png`)
  assert.equal(picture.statusCode, 200)
  assert.equal(picture.headers['content-type'], 'image/png')
  assert.equal(picture.headers['cache-control'], 'private, max-age=31536000, immutable')
  assert.equal(picture.headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal(picture.rawPayload.subarray(1, 4).toString(), 'PNG')
  const size = [16, 20].map((at) => picture.rawPayload.readUInt32BE(at))
  assert.deepEqual(size, [1200, 630])
  const headers = { 'if-none-match': etagOf(picture) }
  assert.equal((await pages.inject({ url: `/q/${id}/image-1.png`, headers })).statusCode, 304)
  const others = ['image-2.png', 'image-01.png', 'image-%31.png', 'image-1.png/']
  for (const path of [...others.map((file) => `${id}/${file}`), `${id.toUpperCase()}/image-1.png`])
    assert.equal((await pages.inject(`/q/${path}`)).statusCode, 404, path)
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  assertMessage(await pages.inject(`/q/${id}/image-1.png`), 404, UNPUBLISHED)
})

describe('a frame of another site', () => {
  const embedded = (id: string, headers = {}) => pages.inject({ url: `/q/${id}?embed=1`, headers })
  const framing = ({ headers }: Opened) => [
    /frame-ancestors [^;]*/.exec(String(headers['content-security-policy']))?.[0],
    headers['x-frame-options'],
  ]

  test('a frame may show only pages that are requested for a frame, and search engines do not index these pages', async () => {
    const { id } = await publishedScoreQuiz(client)
    const [own, framed] = [await open(id), await embedded(id)]
    assert.deepEqual(framing(own), ["frame-ancestors 'none'", 'DENY'])
    assert.deepEqual(framing(framed), [undefined, undefined])
    assert.ok(framed.body.includes('<meta name="robots" content="noindex">'))
    assert.ok(
      framed.body.includes(`<link rel="canonical" href="https://quiz.example.org/q/${id}">`),
    )
    assert.ok(!framed.body.includes('og:'))
    const headers = { 'if-none-match': etagOf(framed) }
    assert.equal((await embedded(id, headers)).statusCode, 304)
    for (const url of [`/q/${id}?embed=0`, `/q/${id}?embed=1&embed=2`, `/q/${id}/image-1.png`])
      assert.match(String(framing(await pages.inject(url))[0]), /'none'/, url)
  })

  test('a frame shows a message in place of a quiz that is not available', async () => {
    const { id } = await readyScoreQuiz(client)
    const framed = await embedded(id)
    assertMessage(framed, 404, UNPUBLISHED)
    assert.deepEqual(framing(framed), [undefined, undefined])
  })

  test('a frame loads a small script that reveals nothing about us', async () => {
    const script = await pages.inject('/embed.js')
    assert.equal(script.statusCode, 200)
    assert.ok(script.rawPayload.length <= 4_096, `${script.rawPayload.length} bytes`)
    for (const encoding of ['br', 'gzip']) {
      const packed = { url: '/embed.js', headers: { 'accept-encoding': encoding } }
      const { rawPayload } = await pages.inject(packed)
      assert.ok(rawPayload.length <= 2_048, `${rawPayload.length} bytes in ${encoding}`)
    }
    assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(script.headers['cache-control'], 'public, max-age=3600')
    assert.equal(script.headers['cross-origin-resource-policy'], 'cross-origin')
    const headers = { 'if-none-match': etagOf(script) }
    assert.equal((await pages.inject({ url: '/embed.js', headers })).statusCode, 304)
  })

  test('the script contains the origin of the installation, because sites copy, merge and inline scripts', async () => {
    const { body } = await pages.inject('/embed.js')
    assert.match(body, /["'`]https:\/\/quiz\.example\.org["'`]/)
    assert.doesNotMatch(body, /SITE_ORIGIN/)
  })
})

test('the page of an unknown quiz says so', async () => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'x', "'%20or%20true--", '%F0%9F%98%80'])
    assertMessage(await open(id), 404, MISSING)
})

describe('pages about technical problems', () => {
  test('visitors read a French page while the database is unavailable', async () => {
    const { id } = await publishedScoreQuiz(client)
    const closed = openPool({ host: '/nowhere' }, pino({ level: 'silent' }))
    const server = servePages(createVersionReader(closed.db, createTestVersions(closed.db)))
    const opened = await open(id, {}, server)
    const words = 'Service momentanément indisponible Réessayez dans quelques instants.'
    assertMessage(opened, 503, words)
    assert.equal(opened.headers['retry-after'], '2')
    await Promise.all([server.close(), closed.close()])
  })

  test('visitors read a French page if the player was not built', async () => {
    const { id } = await publishedScoreQuiz(client)
    const versionReader = createVersionReader(app.db, { compiled })
    const server = servePages(versionReader, new URL('missing/', player_folder))
    const opened = await open(id, {}, server)
    assertMessage(opened, 500, 'Une erreur est survenue Réessayez dans quelques instants.')
    assert.ok(!opened.body.includes('missing/'))
    await server.close()
  })
})
