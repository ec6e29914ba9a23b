import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { oneLine } from './one-line.ts'

const CLEANED = {
  'line ends': ['Léa\r\nMartin', 'Léa Martin'],
  'a next line': ['Léa\u0085Martin', 'Léa Martin'],
  'separators of lines and paragraphs': ['Léa\u2028\u2029Martin', 'Léa Martin'],
  'an escape sequence': ['\u001b[31mLéa', '[31mLéa'],
  'a bell, a tab and a NUL': ['\u0007Léa\tMartin\0', 'Léa Martin'],
  'a reversed part': ['Léa\u202enitraM\u202c', 'LéanitraM'],
  'an isolate': ['\u2066Léa\u2069', 'Léa'],
  'signs of direction': ['\u200fعلي\u200e', 'علي'],
  'a byte-order mark and zero-width spaces': ['\ufeffLé\u200ba\u2060', 'Léa'],
  'half a surrogate pair': ['Léa\ud83d', 'Léa\ufffd'],
} as const
for (const [kind, [given, cleaned]] of Object.entries(CLEANED))
  test(`one line has no ${kind}`, () => assert.equal(oneLine(given), cleaned))

const KEPT = {
  'French spaces': '« Été »\u00a0: 1\u202f000\u00a0€',
  'Persian with a joiner': 'می\u200cخواهم',
  'Indic with a joiner': 'क्\u200dष',
  'a family, a flag and a heart': '👩‍👩‍👧 🇫🇷 ❤\ufe0f 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'a soft hyphen': 'anti\u00adconstitutionnel',
  'marks on letters': 'M\u0302arion',
}
for (const [kind, text] of Object.entries(KEPT))
  test(`one line keeps ${kind}`, () => assert.equal(oneLine(text), text))

test('any text becomes one well-formed line, and stays the same when cleaned again', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = oneLine(text)
      assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
      assert.ok(line.isWellFormed())
      assert.equal(oneLine(line), line)
    }),
  ))
