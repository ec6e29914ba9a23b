import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NO_CONTACT } from './contact.ts'
import { contactWords, searchedWords } from './contact-words.ts'

const WORDS: [first_name: string | null, phone: string | null, words: string[]][] = [
  ['Éloïse De La Tour-Dupin', null, ['eloise', 'de', 'la', 'tour', 'dupin']],
  ["Anne O'Brien", null, ['anne', 'o', 'brien']],
  ['Œuvrard Søren Łukasz', null, ['oeuvrard', 'soren', 'lukasz']],
  ['مريم 🎈', null, ['مريم', '🎈']],
  ['=1+1', null, ['1', '1']],
  ['Anne-Marie', null, ['anne', 'marie']],
  ['---', null, []],
  [null, '06 12 34 56 78', ['612345678']],
  [null, '+33 (0)6 12 34 56 78', ['612345678']],
  [null, '0033612345678', ['612345678']],
  [null, '+32 470 12 34 56', ['32470123456']],
  [null, null, []],
]
for (const [first_name, phone, words] of WORDS)
  test(`« ${first_name ?? phone} » is found by ${words.join(', ') || 'no word'}`, () =>
    assert.deepEqual(contactWords({ ...NO_CONTACT, first_name, phone }), words))

const SEARCHES: [text: string, words: string[]][] = [
  ['Eloïse tour', ['eloise', 'tour']],
  ['0612', ['612']],
  ['+33 6 12', ['612']],
  ['06.12.34', ['61234']],
  ['33612345678', ['612345678']],
  ['100', ['100']],
  ['12', ['12']],
  ['%', []],
]
for (const [text, words] of SEARCHES)
  test(`a search of « ${text} » asks for ${words.join(' and ') || 'nothing'}`, () =>
    assert.deepEqual(searchedWords(text), words))

test('a name is found by each beginning of each of its words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.nat(), (first_name, length) => {
      const words = contactWords({ ...NO_CONTACT, first_name })
      for (const word of searchedWords(first_name.slice(0, length)))
        if (!/^\d+$/.test(word)) assert.ok(words.some((candidate) => candidate.startsWith(word)))
    }),
  )
})
