import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'

const ORIGIN = 'https://quiz.example'
const app = await createBuiltApp({ PUBLIC_URL: ORIGIN })
after(() => app.close())

/** Paths of screens that the browser's application renders. */
const SCREENS = /^\/(?:$|dashboard$|quiz\/create\?modele=)/

/** Returns true for a file of the build, which the app of the tests does not have. */
const isBuiltFile = (path: string): boolean =>
  path === '/licences.txt' || existsSync(`src/web/public${path}`)

const pages = new Map<string, string>()
const readPage = async (path: string): Promise<string> => {
  const known = pages.get(path)
  if (known !== undefined) return known
  const { statusCode, body } = await app.raw({ url: path, headers: { accept: 'text/html' } })
  assert.equal(statusCode, 200, path)
  pages.set(path, body)
  return body
}

const attributesOf = (html: string): string[] =>
  [...html.matchAll(/(?<= )(?:href|src|srcset|action)="([^"]*)"/g)].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  )

const sitemap = (await app.raw({ url: '/sitemap.xml' })).body
const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)

test('the sitemap has the pages of this site, each once, and robots.txt names the sitemap', async () => {
  assert.ok(listed.length >= 50, `${listed.length} pages`)
  assert.equal(new Set(listed).size, listed.length)
  for (const address of listed) assert.ok(address.startsWith(`${ORIGIN}/`), address)
  for (const path of ['/aide', '/aide/premier-quiz', '/modeles', '/modeles/roue-de-la-vie'])
    assert.ok(listed.includes(ORIGIN + path), path)
  const { body, headers } = await app.raw({ url: '/robots.txt' })
  assert.match(String(headers['content-type']), /^text\/plain/)
  assert.match(body, /^User-agent: \*\n/)
  assert.ok(body.includes(`Sitemap: ${ORIGIN}/sitemap.xml\n`))
  assert.ok(body.includes('Disallow: /api/\n'))
})

test('every link, picture and anchor of the public pages leads somewhere', async () => {
  const broken: string[] = []
  for (const address of listed) {
    const from = address.slice(ORIGIN.length)
    const html = await readPage(from)
    for (const link of attributesOf(html)) {
      if (/^[a-z]+:/.test(link)) {
        const { protocol, hostname } = new URL(link)
        if (link !== address && (!/^(?:https|mailto):$/.test(protocol) || hostname === ''))
          broken.push(`${from} → ${link}`)
        continue
      }
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? from : path
      if (SCREENS.test(target) || isBuiltFile(target)) continue
      const { statusCode } = await app.raw({ url: target, headers: { accept: 'text/html' } })
      const isFound = statusCode === 200
      const hasAnchor =
        anchor === undefined || (isFound && (await readPage(target)).includes(` id="${anchor}"`))
      if (!isFound || !hasAnchor) broken.push(`${from} → ${link}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('no address leads to a page that the server gives to unknown screens', async () => {
  const unknown = (await app.raw({ url: '/inconnu', headers: { accept: 'text/html' } })).body
  for (const address of listed)
    assert.notEqual(await readPage(address.slice(ORIGIN.length)), unknown, address)
})
