import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import {
  formatApiKey,
  isScopeSufficient,
  isWellFormedKey,
  KEY_ALPHABET,
  KEY_RANDOM_LENGTH,
} from './api-key.ts'

const character = fc.constantFrom(...KEY_ALPHABET)
const randomPart = fc.string({
  unit: character,
  minLength: KEY_RANDOM_LENGTH,
  maxLength: KEY_RANDOM_LENGTH,
})

test('the scope écriture includes lecture, but lecture does not include écriture', () => {
  assert.ok(isScopeSufficient('lecture', 'lecture'))
  assert.ok(isScopeSufficient('écriture', 'lecture'))
  assert.ok(isScopeSufficient('écriture', 'écriture'))
  assert.ok(!isScopeSufficient('lecture', 'écriture'))
})

describe('the format of an API key', () => {
  test('an API key is qz_ and 40 characters with at least 200 random bits', () => {
    fc.assert(
      fc.property(randomPart, (random) => assert.match(formatApiKey(random), /^qz_\w{40}$/)),
    )
    assert.ok(KEY_RANDOM_LENGTH * Math.log2(KEY_ALPHABET.length) >= 200)
  })

  test('an API key ends with the CRC-32 of its random part', () => {
    const digits = (text: string): number =>
      [...text].reduce((sum, letter) => sum * KEY_ALPHABET.length + KEY_ALPHABET.indexOf(letter), 0)
    fc.assert(
      fc.property(randomPart, (random) =>
        assert.equal(digits(formatApiKey(random).slice(-6)), crc32(random)),
      ),
    )
  })

  test('an API key differs from every mistyped key', () => {
    fc.assert(
      fc.property(
        randomPart,
        fc.nat({ max: 39 }),
        character,
        fc.nat({ max: 38 }),
        (random, place, other, swapped) => {
          const key = formatApiKey(random)
          assert.ok(isWellFormedKey(key))
          const at = 3 + place
          const mistyped = key.slice(0, at) + other + key.slice(at + 1)
          assert.equal(isWellFormedKey(mistyped), mistyped === key)
          const from = 3 + swapped
          const [one = '', two = ''] = key.slice(from, from + 2)
          const turned = key.slice(0, from) + two + one + key.slice(from + 2)
          assert.equal(isWellFormedKey(turned), turned === key)
        },
      ),
    )
  })

  test('an API key has no other form', () => {
    const key = formatApiKey('a'.repeat(KEY_RANDOM_LENGTH))
    for (const text of ['', 'qz_', key.slice(1), `${key} `, `${key}a`, key.slice(0, -1), `Q${key}`])
      assert.ok(!isWellFormedKey(text), text)
  })
})
