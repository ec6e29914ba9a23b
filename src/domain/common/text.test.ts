import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutText, excerpt, shortenText } from './text.ts'

const FAMILY = '👨‍👩‍👧'
const FLAG = '🇫🇷'
const DECOMPOSED = 'e\u0301'

test('a text within the limit is unchanged', () => {
  assert.equal(cutText('Été', 3), 'Été')
  assert.equal(cutText('', 0), '')
})

test('a text is never cut inside a character', () => {
  for (const character of ['😀', FAMILY, FLAG, DECOMPOSED, '👍🏽', '\r\n'])
    for (let max = 4; max < 4 + character.length; max++)
      assert.equal(cutText(`abcd${character}z`, max), 'abcd', `${character} at ${max}`)
})

test('the cut of a text keeps a character that ends at the limit', () => {
  for (const character of ['😀', FAMILY, FLAG, DECOMPOSED, 'é'])
    assert.equal(cutText(`a${character}bc`, 1 + character.length), `a${character}`)
})

test('flags in a row are cut between two flags', () =>
  assert.equal(cutText(FLAG.repeat(3), 10), FLAG.repeat(2)))

test('a pile of accents is cut at the limit instead of being dropped', () =>
  assert.equal(cutText(`a${'\u0301'.repeat(200)}`, 100).length, 100))

test('a cut text is a well-formed beginning of the text within the limit', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, max) => {
      const cut = cutText(text, max)
      assert.ok(cut.length <= max && text.startsWith(cut) && cut.isWellFormed())
    }),
  ))

test('without a segmenter a surrogate pair is kept whole', async () => {
  const { Segmenter } = Intl
  Object.assign(Intl, { Segmenter: undefined })
  try {
    const other = await import(`./text.ts?${Math.random()}`)
    assert.equal(other.cutText('ab😀c', 3), 'ab')
    assert.equal(other.cutText('ab😀c', 4), 'ab😀')
  } finally {
    Object.assign(Intl, { Segmenter })
  }
})

test('an excerpt counts an emoji as one character', () => {
  assert.equal(excerpt('😀'.repeat(60), 50), '😀'.repeat(50))
  assert.equal(excerpt('Bonjour', 3), 'Bon')
  assert.equal(excerpt(`ab${FAMILY}`, 4), 'ab')
})

test('a shortened text ends with an ellipsis', () => {
  assert.equal(shortenText('Bonjour', 7), 'Bonjour')
  assert.equal(shortenText('Bonjour à tous', 8), 'Bonjour…')
  assert.equal(shortenText('abc😀def', 4), 'abc😀…')
  assert.equal(shortenText(`abc${FAMILY}def`, 5), 'abc…')
})
