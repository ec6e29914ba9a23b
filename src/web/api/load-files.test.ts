import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { importWithFiles, MissingFileError } from './load-files.ts'

/** Answer of the server to a file; a lost file never arrives. */
type Answer = 'file' | 'missing' | 'sign-in page' | 'lost'

const RESPONSES = {
  file: () => new Response('', { headers: { 'content-type': 'text/javascript' } }),
  missing: () => new Response('', { status: 404 }),
  'sign-in page': () => new Response('', { headers: { 'content-type': 'text/html' } }),
}

/** Requests of the page, with the cache that they read. */
let requests: string[] = []
/** Stylesheets that the page has. */
let styles: string[] = []
/** True while the browser cannot apply a stylesheet that was downloaded. */
let isStyleLost = false

const answerWith = (...answers: Answer[]): void => {
  mock.method(globalThis, 'fetch', async (path: string, init?: RequestInit) => {
    requests.push(`${path} ${init?.cache ?? 'default'}`)
    const answer = answers.shift() ?? 'file'
    if (answer === 'lost') throw new TypeError('Failed to fetch')
    return RESPONSES[answer]()
  })
}

type Link = { href: string; onload: () => void; onerror: () => void; remove: () => void }

beforeEach(() => {
  requests = []
  styles = []
  isStyleLost = false
  const head = {
    querySelector: () => null,
    append: (link: Link) => {
      styles.push(link.href)
      queueMicrotask(isStyleLost ? link.onerror : link.onload)
    },
  }
  const createElement = () => ({
    remove() {
      styles = styles.filter((href) => href !== (this as unknown as Link).href)
    },
  })
  Object.assign(globalThis, { document: { head, createElement } })
})
afterEach(() => {
  mock.restoreAll()
  Reflect.deleteProperty(globalThis, 'document')
})

const load = async () => 'module'

test('a file that a newer release has replaced is named as missing, after a second look past the cache', async () => {
  answerWith('missing', 'missing')
  const loaded = mock.fn(load)
  await assert.rejects(importWithFiles(loaded, ['assets/replaced.js']), MissingFileError)
  assert.deepEqual(requests, ['/assets/replaced.js default', '/assets/replaced.js reload'])
  assert.equal(loaded.mock.callCount(), 0)
})

test('a file that is lost once is loaded past the cache, and the module is imported', async () => {
  for (const answer of ['lost', 'sign-in page'] as const) {
    const name = `assets/${answer.replace(' ', '-')}.js`
    answerWith(answer, 'file')
    assert.equal(await importWithFiles(load, [name]), 'module')
    assert.deepEqual(requests.splice(0), [`/${name} default`, `/${name} reload`])
  }
})

test('a network that answers with its own page is no upgrade of the server', async () => {
  answerWith('sign-in page', 'sign-in page')
  await assert.rejects(
    importWithFiles(load, ['assets/captive.js']),
    (error) => !(error instanceof MissingFileError),
  )
})

test('a lost stylesheet fails the import, leaves no link behind, and is loaded by the next press', async () => {
  answerWith()
  isStyleLost = true
  const loaded = mock.fn(load)
  const names = ['assets/screen.js', 'assets/screen.css']
  await assert.rejects(importWithFiles(loaded, names), /screen\.css/)
  assert.deepEqual(styles, [])
  assert.equal(loaded.mock.callCount(), 0)
  isStyleLost = false
  requests = []
  assert.equal(await importWithFiles(loaded, names), 'module')
  assert.deepEqual(styles, ['/assets/screen.css'])
  // The module's own file was loaded by the first press.
  assert.deepEqual(requests, ['/assets/screen.css default'])
})

test('a stylesheet that a newer release has replaced is named as missing', async () => {
  answerWith('missing', 'missing')
  await assert.rejects(importWithFiles(load, ['assets/replaced.css']), MissingFileError)
  assert.deepEqual(styles, [])
})

test('two imports of a file download it once', async () => {
  answerWith()
  await Promise.all([1, 2].map(() => importWithFiles(load, ['assets/shared.js'])))
  assert.deepEqual(requests, ['/assets/shared.js default'])
})
