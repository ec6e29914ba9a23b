import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { HELP_PLACES } from '#domain/help/help-places.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { readHelp } from './read-help.ts'
import { indexHelp, readSearch, searchHelp } from './search-help.ts'

const help = readHelp()
const app = await createBuiltApp({ PUBLIC_URL: 'https://quiz.example' })
after(() => app.close())

const read = async (url: string, headers: Record<string, string> = {}) => {
  const { statusCode, headers: sent, body } = await app.raw({ url, headers })
  return { status: statusCode, headers: sent, body }
}

/** All texts of our sources on one line, except those of the help itself. */
const SOURCE_TEXT = globSync('src/{web,domain,server}/**/*.{ts,tsx,txt}')
  .filter((file) => !/\.(?:test|spec)\.|\/testing\/|server\/site\/help\//.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
  .replaceAll(/&nbsp;|\\u00a0|\\u202f|\u00a0|\u202f/g, ' ')
  .replace(/\s+/g, ' ')

/** Matches a character before or after a label in source code: a quotation mark, a bracket or punctuation. */
const EDGE = /['"`<>{}«»,:]/

/** Returns true if a source has this text as a whole: in a string, an element or quotation marks. */
const isLabel = (label: string): boolean => {
  for (let at = SOURCE_TEXT.indexOf(label); at >= 0; at = SOURCE_TEXT.indexOf(label, at + 1)) {
    const before =
      SOURCE_TEXT.slice(Math.max(0, at - 2), at)
        .trim()
        .at(-1) ?? ''
    const end = at + label.length
    const next =
      SOURCE_TEXT.slice(end, end + 2)
        .trim()
        .at(0) ?? ''
    if (EDGE.test(before) && EDGE.test(next)) return true
  }
  return false
}

describe('the pages of the help', () => {
  test('there are thirty pages and more, with distinct short addresses, titles and summaries', () => {
    assert.ok(help.pages.length >= 30)
    for (const key of ['slug', 'title', 'summary'] as const)
      assert.equal(new Set(help.pages.map((page) => page[key])).size, help.pages.length, key)
    for (const { slug, summary, blocks } of help.pages) {
      assert.match(slug, /^[a-z0-9-]{3,40}$/)
      assert.ok(summary.length >= 30 && summary.length <= 160, `${slug}: ${summary.length}`)
      const nb_words = blocks.flatMap(({ text }) => text.split(' ')).length
      assert.ok(nb_words >= 100 && nb_words <= 500, `${slug}: ${nb_words} words`)
    }
  })

  for (const page of help.pages)
    test(`every label that « ${page.title} » names is a text of the product`, () => {
      assert.deepEqual(
        page.labels.filter((label) => !isLabel(label)),
        [],
      )
    })

  test('a label that the product does not have is found out', () => {
    assert.equal(isLabel('Publier'), true)
    assert.equal(isLabel('Publier demain'), false)
    assert.equal(isLabel('ublie'), false)
  })

  test('the pages have French typography', () => {
    for (const file of globSync('pages/**/*.md', { cwd: import.meta.dirname })) {
      const text = readFileSync(join(import.meta.dirname, file), 'utf8')
      const prose = text.replaceAll(/`[^`]*`|\*\*[^*]*\*\*|\]\([^)]*\)/g, '')
      assert.doesNotMatch(prose, /\p{L}'\p{L}|["“”]|[^\s\u00a0\u202f][?!;»]|\p{L}:(?:\s|$)/u, file)
    }
  })

  test('a folder of a subject has at most 25 pages, and its pages are numbered in their order', () => {
    const folder = join(import.meta.dirname, 'pages')
    for (const subject of readdirSync(folder)) {
      const files = readdirSync(join(folder, subject)).sort()
      assert.ok(files.length <= 25)
      assert.deepEqual(
        files.map((file) => Number(/^\d+(?=-)/.exec(file)?.[0])),
        files.map((_, rank) => rank + 1),
      )
    }
  })

  test('every picture is small, has a text alternative and is used', () => {
    const used = new Set(help.pages.flatMap(({ pictures }) => pictures))
    for (const { name, bytes } of help.pictures.values()) {
      assert.ok(bytes.length <= 61_440, `${name}: ${bytes.length}`)
      assert.ok(used.has(name.replace('-sombre', '')), name)
    }
    for (const { html, slug } of help.pages) assert.doesNotMatch(html, /alt=""/, slug)
  })
})

test('each link « ? » of the screens leads to a page and a heading that exist', async () => {
  for (const [about, place] of Object.entries(HELP_PLACES)) {
    const [slug, anchor] = place.split('#')
    const { status, body } = await read(`/aide/${slug}`)
    assert.equal(status, 200, about)
    if (anchor !== undefined) assert.ok(body.includes(` id="${anchor}"`), place)
  }
})

test('each page of the help is linked from the contents', async () => {
  const { body } = await read('/aide')
  for (const { slug } of help.pages) assert.ok(body.includes(`href="/aide/${slug}"`), slug)
})

describe('the answers of the help', () => {
  test('each page is small, French, without scripts, and known to search engines', async () => {
    for (const path of ['/aide', ...help.pages.map(({ slug }) => `/aide/${slug}`)]) {
      const { status, headers, body } = await read(path)
      assert.equal(status, 200, path)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.match(String(headers['content-security-policy']), /script-src 'none'/)
      assert.ok(body.length < 32_768, `${path}: ${body.length}`)
      assert.match(body, /<html lang="fr">/)
      assert.doesNotMatch(body, /<script|noindex/)
      assert.ok(body.includes(`<link rel="canonical" href="https://quiz.example${path}">`), path)
      assert.match(body, /<meta name="description" content="[^"]{30,}">/)
      assert.equal(body.match(/<h1>/g)?.length, 1, path)
      assert.equal(body.match(/<main /g)?.length, 1, path)
    }
  })

  test('a page is stored: the same validator each time, and 304 for a browser that has the page', async () => {
    const first = await read('/aide/grilles')
    const etag = String(first.headers.etag)
    assert.ok(etag.length > 10)
    const again = await read('/aide/grilles', { 'if-none-match': etag })
    assert.deepEqual([again.status, again.body], [304, ''])
    const packed = await read('/aide/grilles', { 'accept-encoding': 'gzip' })
    assert.equal(packed.headers['content-encoding'], 'gzip')
  })

  test('an address of the help that does not exist says so, and leads to the contents', async () => {
    for (const path of [
      '/aide/inconnue',
      '/aide/grilles/',
      '/aide/',
      '/aide/Grilles',
      '/aide/%67rilles',
      '/aide/..%2f..%2fpackage.json',
      '/aide/images/inconnue.webp',
      '/aide/images/..%2fread-help.ts',
    ]) {
      const { status, headers, body } = await read(path)
      assert.equal(status, 404, path)
      assert.equal(headers['cache-control'], 'no-store', path)
      assert.match(body, /Page d’aide introuvable/)
      assert.match(body, /<meta name="robots" content="noindex">/)
      assert.ok(body.includes('href="/aide#sommaire"'))
    }
  })

  test('a picture is sent as WebP with a validator', async () => {
    for (const name of help.pictures.keys()) {
      const { status, headers } = await read(`/aide/images/${name}`)
      assert.deepEqual([status, headers['content-type']], [200, 'image/webp'], name)
      assert.ok(headers.etag)
    }
  })
})

describe('the search of the help', () => {
  const index = indexHelp(help.pages)
  const slugsOf = (typed: string): string[] =>
    searchHelp(index, readSearch(typed)).map(({ page }) => page.slug)

  test('the page about a subject comes first, with and without accents, case and plurals', () => {
    for (const [typed, slug] of [
      ['wordpress', 'integrer'],
      ['code QR', 'partager'],
      ['paliers', 'paliers'],
      ['PALIER', 'paliers'],
      ['échelle grille', 'grilles'],
      ['systeme io', 'systeme-io'],
      ['consentement', 'consentement'],
      ['ÉFFACER', 'effacement'],
      ['2fa', 'compte'],
      ['comment faire une attestation', 'rapports-et-attestations'],
      ['qualiopi', 'qualiopi'],
      ['excel', 'participants-et-exports'],
    ] as const)
      assert.equal(slugsOf(typed)[0], slug, typed)
  })

  test('pages with all words of a search hide those with fewer', () => {
    const found = slugsOf('webhook secret')
    assert.deepEqual(found, ['webhooks'])
  })

  test('a search answers with a count, marks the words and is not cached', async () => {
    const { status, headers, body } = await read('/aide?q=grille')
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(body, /role="status">\d+ pages? trouvées? pour «\u00a0<bdi>grille<\/bdi>\u00a0»/)
    assert.match(body, /<mark>grille/i)
    assert.match(body, /<meta name="robots" content="noindex">/)
    assert.ok(body.includes('value="grille"'))
  })

  test('a search without results and an empty search propose words and the contents', async () => {
    for (const url of ['/aide?q=zzzz', '/aide?q=', '/aide?q=%20%20', '/aide?q=%00']) {
      const { status, body } = await read(url)
      assert.equal(status, 200, url)
      assert.ok(body.includes('Essayez par exemple'), url)
      assert.ok(body.includes('aria-label="Sommaire"'), url)
    }
    assert.match((await read('/aide?q=zzzz')).body, /Aucune page trouvée/)
  })

  test('a search is text: HTML, controls, directions and long words change nothing', async () => {
    const { body } = await read(`/aide?q=${encodeURIComponent('<img src=x onerror=alert(1)>"\'')}`)
    assert.doesNotMatch(body, /<img src=x/)
    assert.ok(body.includes('&lt;img src=x onerror=alert(1)&gt;'))
    assert.equal(readSearch('a\0b\u202ec\u200bd\ne'), 'a b c d e')
    assert.equal(readSearch('x'.repeat(5_000)).length, 100)
    const many = await read('/aide?q=grille&q=autre')
    assert.match(many.body, /<bdi>grille<\/bdi>/)
  })

  test('the time of the longest search stays small', () => {
    const longest = Array.from({ length: 50 }, (_, rank) =>
      String.fromCharCode(97 + (rank % 26)),
    ).join(' ')
    const started = performance.now()
    for (let round = 0; round < 20; round++) searchHelp(index, readSearch(longest))
    assert.ok((performance.now() - started) / 20 < 50)
  })
})
