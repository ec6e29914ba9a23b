import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { chooseEncoding, compressPage, isUnchanged } from './html-page.ts'

const PAGE = { html: `<p>${'é'.repeat(1_000)}</p>`, policy: "default-src 'none'" }

test('every encoding decodes to the same page', async () => {
  const page = await compressPage(PAGE)
  const bytesOf = (accepted: string) => chooseEncoding(page, accepted).bytes
  assert.equal(bytesOf('').toString(), PAGE.html)
  assert.equal(brotliDecompressSync(bytesOf('br')).toString(), PAGE.html)
  assert.equal(gunzipSync(bytesOf('gzip')).toString(), PAGE.html)
})

test('the smallest encoding that the browser accepts is chosen', async () => {
  const page = await compressPage(PAGE)
  const nameFor = (accepted?: string) => chooseEncoding(page, accepted).name
  assert.equal(nameFor('gzip, deflate, br, zstd'), 'br')
  assert.equal(nameFor('GZIP;q=0.5, br;q=0'), 'gzip')
  assert.equal(nameFor('br;q=0.000, identity'), 'identity')
  assert.equal(nameFor('brown'), 'identity')
  assert.equal(nameFor(undefined), 'identity')
})

test('a validator identifies one content in one encoding under one policy', async () => {
  const [page, again, changed, stricter] = await Promise.all([
    compressPage(PAGE),
    compressPage(PAGE),
    compressPage({ ...PAGE, html: '<p></p>' }),
    compressPage({ ...PAGE, policy: '' }),
  ])
  const { etag } = chooseEncoding(page, 'br')
  assert.match(etag, /^"[\w-]+"$/)
  assert.equal(chooseEncoding(again, 'br').etag, etag)
  const others = [
    chooseEncoding(page),
    chooseEncoding(changed, 'br'),
    chooseEncoding(stricter, 'br'),
  ]
  for (const other of others) assert.notEqual(other.etag, etag)
})

test('If-None-Match may list several validators, including weak ones', async () => {
  const encoded = chooseEncoding(await compressPage(PAGE))
  assert.equal(isUnchanged(encoded, encoded.etag), true)
  assert.equal(isUnchanged(encoded, `"a", W/${encoded.etag}`), true)
  assert.equal(isUnchanged(encoded, '*'), true)
  assert.equal(isUnchanged(encoded, '"a"'), false)
  assert.equal(isUnchanged(encoded, undefined), false)
})
