import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { appendToPage } from './append-to-page.ts'
import { type CompressedPage, compressPage, type EncodedBody, writeHtmlPage } from './html-page.ts'

const decode = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

const wholeOf = (page: CompressedPage, encoded: EncodedBody, text: string): string =>
  decode[encoded.name](appendToPage(page, encoded, text)).toString()

describe('a page with an end for each visitor', () => {
  test('every encoding has the page followed by the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        async (start, text) => {
          const page = await compressPage({ html: start, policy: '', is_open: true })
          for (const encoded of page.encodings)
            assert.equal(wholeOf(page, encoded, text), start + text, encoded.name)
        },
      ),
      { numRuns: 100 },
    )
  })

  for (const length of [1, 65_534, 65_535, 65_536, 200_000])
    test(`a text of ${length} bytes is complete`, async () => {
      const html = '<p>quizaine</p>'.repeat(5_000)
      const page = await compressPage({ html, policy: '', is_open: true })
      const text = 'x'.repeat(length)
      for (const encoded of page.encodings)
        assert.ok(wholeOf(page, encoded, text) === html + text, encoded.name)
    })

  test('only an open page has no end', () => {
    const parts = { title: 'x', style: '', body: '<p>x</p>' }
    const { html } = writeHtmlPage(parts)
    assert.equal(`${writeHtmlPage({ ...parts, is_open: true }).html}</body></html>`, html)
  })
})
