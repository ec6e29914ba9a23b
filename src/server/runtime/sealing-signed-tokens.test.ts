import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { createSignedTokens } from './sealing.ts'

const shape = z.object({ id: z.string(), until: z.number() })
const tokens = createSignedTokens('a secret', 'one/purpose', shape)
const given = fc.record({ id: fc.string(), until: fc.nat() }, { noNullPrototype: true })

describe('a signed token', () => {
  test('a signed token returns its content and is safe in addresses', () =>
    fc.assert(
      fc.property(given, (said) => {
        const token = tokens.write(said)
        assert.match(token, /^[\w-]+\.[\w-]+$/)
        assert.deepEqual(tokens.read(token), said)
      }),
    ))

  test('a signed token is invalid if a character was changed, removed or added', () =>
    fc.assert(
      fc.property(given, fc.nat(), fc.constantFrom('a', 'Z', '-', ''), (said, place, put) => {
        const token = tokens.write(said)
        const at = place % token.length
        const altered = token.slice(0, at) + put + token.slice(at + 1)
        // Returns the bytes of a part, because its last character has unused bits.
        const means = (text: string) =>
          text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'))
        if (String(means(altered)) === String(means(token))) return
        assert.equal(tokens.read(altered), undefined)
      }),
    ))

  test('a signed token is invalid for another purpose, secret or shape, or if malformed', () => {
    const token = tokens.write({ id: 'x', until: 1 })
    const others = [
      createSignedTokens('a secret', 'another/purpose', shape),
      createSignedTokens('another secret', 'one/purpose', shape),
      createSignedTokens('a secret', 'one/purpose', z.object({ other: z.string() })),
    ]
    for (const other of others) assert.equal(other.read(token), undefined)
    for (const none of ['', '.', 'x', '..', `${token.split('.')[0]}.`])
      assert.equal(tokens.read(none), undefined)
  })
})
