import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkAddress } from './page-insertion.ts'

const URL = 'https://q.example/q/1/ma-page/abc'

test('an address becomes a link wherever it stands, and a link stays as it is', () => {
  assert.equal(linkAddress('Bonjour', URL), 'Bonjour')
  assert.deepEqual(linkAddress(`Ici : ${URL}.`, URL), [['Ici : ', { a: [URL], href: URL }, '.']])
  const own = { a: [URL], href: URL }
  assert.deepEqual(
    linkAddress([[{ strong: [URL] }, { em: ['a ', URL] }, own], { list: [[[URL]]] }], URL),
    [[{ strong: [own] }, { em: ['a ', own] }, own], { list: [[[own]]] }],
  )
})
