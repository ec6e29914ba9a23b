import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '#domain/testing/linear-time.ts'
import { normalizeText, normalizeWithin } from './normalize-text.ts'

const NAMES = {
  'French with marks of its own': 'Ae\u0301lle Noe\u0308l M\u0302arion',
  Vietnamese: 'Nguye\u0302\u0303n',
  Yoruba: 'O\u0323\u0301yo\u0323\u0301',
  'Hebrew with points and accents': 'בְּרֵאשִׁ֖ית',
  'Arabic with vowels': 'مُحَمَّدٌ',
  Devanagari: 'क्षत्रिय',
  Thai: 'กี่ปั๊',
  Tibetan: 'རྫོགས་ཆེན་',
  Hangul: '\u1112\u1161\u11ab',
  'halfwidth Kana': 'ｶﾞｷﾞ',
  'a family and a flag': '👩‍👩‍👧🇫🇷',
}
for (const [language, name] of Object.entries(NAMES))
  test(`${language} is normalised as Unicode says`, () => {
    for (const form of ['NFC', 'NFD', 'NFKC'] as const)
      assert.equal(normalizeText(name, form), name.normalize(form))
  })

test('only the first thirty marks of a run stay', () => {
  assert.equal(normalizeText(`x${'\u0301'.repeat(30)}y`), `x${'\u0301'.repeat(30)}y`)
  assert.equal(normalizeText(`x${'\u0301'.repeat(1_000)}y`), `x${'\u0301'.repeat(30)}y`)
  assert.equal(
    normalizeText('\u0302\u0323'.repeat(500), 'NFD'),
    '\u0323'.repeat(15) + '\u0302'.repeat(15),
  )
})

test('a text without long runs of marks is unchanged by the limit', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) =>
      assert.equal(normalizeText(text), text.normalize()),
    ),
  ))

test('a normalised text is not changed by a second normalisation', () => {
  const marks = fc.constantFrom('a', '\u0301', '\u0323', '\u0327', '\u05b0', '\uff9e', '\u0344')
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 120 }), (signs) => {
      const once = normalizeText(signs.join(''))
      assert.equal(normalizeText(once), once)
    }),
  )
})

test('a text is cut before and after it is normalised', () => {
  assert.equal(normalizeWithin('e\u0301'.repeat(300), 200), 'é'.repeat(200))
  assert.equal(normalizeWithin('a'.repeat(1_000_000), 3), 'aaa')
})

/** Longest body of an anonymous submission, in UTF-16 units. */
const LONGEST = 320_000
for (const form of ['NFC', 'NFD', 'NFKC'] as const)
  test(`marks in the worst order are normalised to ${form} in linear time`, () =>
    assertLinear(
      (text) => normalizeText(text, form),
      (length) => '\u0315\u0300\u05ae\u0323\uff9e'.repeat(length / 5),
      LONGEST,
    ))
