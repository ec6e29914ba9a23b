import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { serveDashboard } from './serve-dashboard.ts'

const folder = mkdtempSync(join(tmpdir(), 'quizaine-assets-'))
const script = `console.log('${'quizaine '.repeat(300)}')`
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Quizaine</title>')
writeFileSync(join(folder, 'assets/app-1234.js'), script)
writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
writeFileSync(join(folder, 'favicon.ico'), Buffer.from([0, 0, 1, 0]))
writeFileSync(join(folder, 'robots.txt'), 'User-agent: *\nDisallow: /api/\n')
writeFileSync(join(folder, 'assets/app-1234.js.br'), brotliCompressSync(script))
writeFileSync(join(folder, 'assets/app-1234.js.gz'), gzipSync(script))

const app = Fastify()
serveDashboard(app, { folder })
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

describe('built files', () => {
  const url = '/assets/app-1234.js'
  test('built files are cached forever if their name has a digest', async () => {
    const { headers, body } = await app.inject({ url })
    assert.equal(body, script)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.match(String(headers['content-type']), /^text\/javascript/)
  })

  test('a built file is served only at one spelling of its address', async () => {
    for (const other of ['/assets/%61pp-1234.js', '/assets/app-1234%2Ejs', `${url}/`, `/${url}`])
      assert.equal((await app.inject({ url: other })).statusCode, 404, other)
    assert.equal((await app.inject({ url: `${url}?again` })).statusCode, 200)
  })

  const encodings: [string, (bytes: Buffer) => Buffer][] = [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ]
  for (const [name, decode] of encodings)
    test(`built files are sent as ${name} to browsers that accept it`, async () => {
      const { headers, rawPayload } = await app.inject({
        url,
        headers: { 'accept-encoding': name },
      })
      assert.equal(headers['content-encoding'], name)
      assert.ok(rawPayload.length < script.length / 4)
      assert.equal(decode(rawPayload).toString(), script)
    })

  test('the built files include what programs request from every site', async () => {
    const robots = await app.inject({ url: '/robots.txt' })
    assert.match(String(robots.headers['content-type']), /^text\/plain; charset=utf-8$/)
    assert.equal(robots.body, 'User-agent: *\nDisallow: /api/\n')
    const icon = await app.inject({ url: '/favicon.ico' })
    assert.deepEqual([icon.statusCode, icon.headers['content-type']], [200, 'image/x-icon'])
  })

  test('built files are not sent again to clients that have them', async () => {
    const { headers } = await app.inject({ url })
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
  })
})

describe('the screens of the application', () => {
  for (const url of ['/', '/login', '/quiz/123/results', '/dashboard?x=1'])
    test(`${url} serves the application`, async () => {
      const { headers, body, statusCode } = await app.inject({
        url,
        headers: { accept: 'text/html' },
      })
      assert.equal(statusCode, 200)
      assert.match(body, /Quizaine/)
      assert.equal(headers['cache-control'], 'no-cache')
      assert.match(String(headers['content-security-policy']), /script-src 'self'/)
    })

  test('shared figures are neither indexed, nor sent as a referrer, nor cached', async () => {
    const { headers, body } = await app.inject({
      url: `/statistiques/${'a'.repeat(24)}`,
      headers: { accept: 'text/html' },
    })
    assert.match(body, /Quizaine/)
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'no-store')
    const program = await app.inject({ url: '/statistiques/x.js' })
    assert.equal(program.statusCode, 404)
  })

  for (const url of [
    '/api/v1/x',
    '/auth/v1/x',
    '/missing.js',
    '/../package.json',
    '/%2e%2e/package.json',
  ])
    test(`${url} does not serve the application`, async () =>
      assert.equal((await app.inject({ url })).statusCode, 404))
})
