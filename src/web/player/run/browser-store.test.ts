import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBrowserStore } from './browser-store.ts'

const storageOf = (entries: Record<string, string>): Storage => ({
  ...entries,
  length: Object.keys(entries).length,
  key: () => null,
  clear: () => undefined,
  getItem: (key) => entries[key] ?? null,
  setItem: (key, value) => {
    entries[key] = value
  },
  removeItem: (key) => {
    delete entries[key]
  },
})

test('the browser store returns a written value until it is removed', () => {
  const storage = storageOf({})
  const store = createBrowserStore(() => storage)
  store.write('a', { page_index: 2 })
  assert.deepEqual(store.read('a'), { page_index: 2 })
  store.remove('a')
  assert.equal(store.read('a'), null)
})

test('when the browser forbids storage, nothing is stored and warnings are logged', (t) => {
  const warn = t.mock.method(console, 'warn', () => undefined)
  const store = createBrowserStore(() => {
    throw new Error('SecurityError')
  })
  store.write('a', 1)
  assert.equal(store.read('a'), null)
  assert.deepEqual(store.keys(''), [])
  assert.equal(warn.mock.callCount(), 3)
})

test('a value that is not JSON reads as null', (t) => {
  t.mock.method(console, 'warn', () => undefined)
  const store = createBrowserStore(() => storageOf({ a: '{half' }))
  assert.equal(store.read('a'), null)
})
