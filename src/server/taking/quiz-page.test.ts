import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { openPool } from '#server/db/database.ts'
import { setSecurityHeaders } from '#server/http/security-headers.ts'
import { publishedScoreQuiz, readyScoreQuiz, readySondage } from '#server/testing/sample-quizzes.ts'
import { createTestApp } from '#server/testing/test-app.ts'
import { createCurrentVersions } from './current-versions.ts'
import { createPublicPages } from './public-pages.ts'
import { registerQuizPage } from './quiz-page.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'

const app = await createTestApp({ PUBLIC_URL: 'https://quiz.example.org' })
const { client } = await app.signUp()

/** The player of these very sources, wherever and whenever the product was last built. */
const build = mkdtempSync(join(tmpdir(), 'quizaine-player-'))
const vite = join(import.meta.dirname, '../../../node_modules/vite/bin/vite.js')
const options = ['--config', 'vite.player.config.ts', '--outDir', build, '--emptyOutDir']
const { status, stderr } = spawnSync(
  process.execPath,
  [vite, 'build', '--logLevel=warn', ...options],
  {
    cwd: join(import.meta.dirname, '../../..'),
    encoding: 'utf8',
  },
)
assert.equal(status, 0, stderr)
const player_folder = pathToFileURL(`${build}/`)

/** A server of pages alone; the API of `app` is another server on the same database. */
const servePages = (snapshots: Snapshots, folder = player_folder) => {
  const server = Fastify()
  const { public_url } = app.config
  setSecurityHeaders(server, public_url)
  const pages = createPublicPages({ snapshots, public_url, player_folder: folder })
  registerQuizPage(server, { snapshots, pages })
  return server
}
/** It hears of no change, so it asks each time. */
const versions = createCurrentVersions(app.db, { trusted_ms: 0 })
const pages = servePages(createSnapshots(app.db, { versions }))
after(async () => {
  await pages.close()
  await app.close()
  rmSync(build, { recursive: true })
})

const open = (id: string, headers: Record<string, string> = {}, server: FastifyInstance = pages) =>
  server.inject({ url: `/q/${id}`, headers })
type Opened = Awaited<ReturnType<typeof open>>
const etagOf = ({ headers }: Opened) => String(headers.etag)
/** What a person reads in a page, roughly. */
const wordsOf = ({ body }: Opened): string =>
  body
    .replaceAll(/<(script|style|title).*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
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
  test('is one HTML answer that holds its first page and needs nothing else', async () => {
    const { id } = await publishedScoreQuiz(client, 'Quel rythme ?')
    const page = await open(id)
    assert.equal(page.statusCode, 200)
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(page.headers['cache-control'], 'no-cache')
    assert.match(page.body, /^<!doctype html><html lang="fr">/)
    assert.match(page.body, /<title>Quel rythme \?<\/title>/)
    assert.ok(page.body.includes(`<link rel="canonical" href="https://quiz.example.org/q/${id}">`))
    assert.ok(page.body.includes('content="Répondez au quiz « Quel rythme ? » : 2 questions."'))
    for (const text of ['Votre agenda ?', 'Rempli', 'Libre', 'Suivant'])
      assert.ok(wordsOf(page).includes(text), text)
    assert.doesNotMatch(page.body, /<(?:script|img|iframe)[^>]* src=|@import|url\((?!['"]?data:)/)
    assert.equal((await open(id.toUpperCase())).body, page.body)
  })

  test('runs its own script and style under its policy, and nothing else', async () => {
    const { id } = await publishedScoreQuiz(client)
    const { body, headers } = await open(id)
    const policy = String(headers['content-security-policy'])
    const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const [, script] = body.match(/<script type="module">(.*?)<\/script>/s) ?? []
    const [, style] = body.match(/<style>(.*?)<\/style>/s) ?? []
    assert.ok(policy.includes(`script-src ${hashOf(script)};`), policy)
    assert.ok(policy.includes(`style-src ${hashOf(style)};`), policy)
    assert.match(policy, /^default-src 'none'; /)
    assert.doesNotMatch(policy, /unsafe|\*/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
  })

  test('is compressed as the browser likes, each form with an ETag of its own', async () => {
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

  test('may hold markup in every text: it is only text', async () => {
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

  test('a sondage says that it is one', async () => {
    const { id } = await readySondage(client, 'Votre avis')
    await client.quizzes.publish({ id })
    assert.ok(
      (await open(id)).body.includes('content="Répondez au sondage « Votre avis » : 2 questions."'),
    )
  })
})

describe('what visitors find follows at once', () => {
  test('edits appear with the next version, and only then', async () => {
    const { id } = await publishedScoreQuiz(client, 'Avant')
    const before = await open(id)
    await client.quizzes.update({ id, body: { name: 'Après' } })
    assert.equal((await open(id, { 'if-none-match': etagOf(before) })).statusCode, 304)
    await client.quizzes.publish({ id })
    const now = await open(id, { 'if-none-match': etagOf(before) })
    assert.equal(now.statusCode, 200)
    assert.match(now.body, /<title>Après<\/title>/)
  })

  test('a withdrawal, a return, a deletion', async () => {
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

test('there is no such quiz', async () => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'x', "'%20or%20true--", '%F0%9F%98%80'])
    assertMessage(await open(id), 404, MISSING)
})

describe('when something fails, visitors read a French page that says nothing of the machine', () => {
  test('the database is away: in a moment, perhaps', async () => {
    const { id } = await publishedScoreQuiz(client)
    const closed = openPool({ host: '/nowhere' }, pino({ level: 'silent' }))
    const server = servePages(createSnapshots(closed.db))
    const opened = await open(id, {}, server)
    const words = 'Service momentanément indisponible Réessayez dans quelques instants.'
    assertMessage(opened, 503, words)
    assert.equal(opened.headers['retry-after'], '2')
    await Promise.all([server.close(), closed.close()])
  })

  test('the player was not built', async () => {
    const { id } = await publishedScoreQuiz(client)
    const server = servePages(createSnapshots(app.db), new URL('missing/', player_folder))
    const opened = await open(id, {}, server)
    assertMessage(opened, 500, 'Une erreur est survenue Réessayez dans quelques instants.')
    assert.ok(!opened.body.includes(build))
    await server.close()
  })
})
