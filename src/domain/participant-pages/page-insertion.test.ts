import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkifyAddress } from './page-insertion.ts'

const URL = 'https://q.example/q/1/ma-page/abc'

test('an address becomes a link wherever it stands, and a link stays as it is', () => {
  assert.equal(linkifyAddress('Bonjour', URL), 'Bonjour')
  assert.deepEqual(linkifyAddress(`Ici : ${URL}.`, URL), [['Ici : ', { a: [URL], href: URL }, '.']])
  const own = { a: [URL], href: URL }
  assert.deepEqual(
    linkifyAddress([[{ strong: [URL] }, { em: ['a ', URL] }, own], { list: [[[URL]]] }], URL),
    [[{ strong: [own] }, { em: ['a ', own] }, own], { list: [[[own]]] }],
  )
})
