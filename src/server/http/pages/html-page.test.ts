import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { escapeHtml } from '#domain/common/escape-html.ts'
import { writeHtmlPage } from './html-page.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('base64')

test('a text in an HTML page never becomes markup', () => {
  assert.equal(escapeHtml(`<b a="1" c='2'>&`), '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;')
  const { html } = writeHtmlPage({
    title: '</title><script>',
    metas: [['og:title', '"><script>']],
    style: '',
    body: '',
  })
  assert.ok(!html.includes('<script>'))
})

test('the policy allows exactly the style and scripts of the page', () => {
  const { policy } = writeHtmlPage({
    title: '',
    style: 'a{}',
    body: '',
    scripts: ['run()', 'tell()'],
  })
  assert.equal(
    policy,
    [
      "default-src 'none'",
      `script-src 'sha256-${hash('run()')}' 'sha256-${hash('tell()')}'`,
      `style-src 'sha256-${hash('a{}')}'`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  )
})

test('a framed page names the origin of its site beside each `self`, which WebKit ignores in a sandbox', () => {
  const { policy } = writeHtmlPage({
    title: '',
    style: '@font-face{}',
    body: '',
    scripts: ['run()'],
    loads_scripts: true,
    may_be_framed: true,
    own_origin: 'https://quiz.example',
  })
  assert.equal(policy.match(/'self'/g)?.length, 5)
  assert.equal(policy.match(/'self' https:\/\/quiz\.example/g)?.length, 5)
})

test('a page without metadata is not indexed and runs no script', () => {
  const { html, policy } = writeHtmlPage({ title: 'Quiz introuvable', style: '', body: '' })
  assert.match(html, /<meta name="robots" content="noindex">/)
  assert.match(policy, /script-src 'none'/)
  assert.ok(!html.includes('<script'))
})

test('other sites may frame only pages that allow it', () => {
  const parts = { title: '', style: '', body: '' }
  const framed = writeHtmlPage({ ...parts, may_be_framed: true })
  // `*` would refuse a frame without an origin, into which site builders put pasted code.
  assert.doesNotMatch(framed.policy, /frame-ancestors/)
  assert.match(writeHtmlPage(parts).policy, /; frame-ancestors 'none';/)
  assert.match(framed.html, /noindex/)
})

test('a page is French and fits a phone', () => {
  const { html } = writeHtmlPage({
    title: 'A',
    metas: [
      ['description', 'B'],
      ['og:title', 'C'],
    ],
    style: '',
    body: '',
  })
  assert.match(html, /^<!doctype html><html lang="fr">/)
  assert.match(html, /<meta name="viewport" content="width=device-width,initial-scale=1">/)
  assert.match(html, /<meta name="description" content="B">/)
  assert.match(html, /<meta property="og:title" content="C">/)
  assert.ok(!html.includes('noindex'))
})
