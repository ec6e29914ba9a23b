import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { createSealedTokens } from './sealing.ts'

const shape = z.object({ id: z.string(), until: z.number() })
const tokens = createSealedTokens('a secret', 'one/purpose', shape)
const given = fc.record({ id: fc.string(), until: fc.nat() }, { noNullPrototype: true })

describe('a sealed token', () => {
  test('a sealed token returns its content and is safe in addresses', () =>
    fc.assert(
      fc.property(given, (said) => {
        const token = tokens.write(said)
        assert.match(token, /^[\w-]+$/)
        assert.ok(!Buffer.from(token, 'base64url').includes(JSON.stringify(said)))
        assert.deepEqual(tokens.read(token), said)
      }),
    ))

  test('a sealed token is invalid if a character was changed, removed or added', () =>
    fc.assert(
      fc.property(given, fc.nat(), fc.constantFrom('a', 'Z', '-', ''), (said, place, put) => {
        const token = tokens.write(said)
        const at = place % token.length
        const altered = token.slice(0, at) + put + token.slice(at + 1)
        if (altered === token) return
        assert.equal(tokens.read(altered), undefined)
      }),
    ))

  test('a sealed token is invalid for another purpose, secret or shape, or if malformed', () => {
    const token = tokens.write({ id: 'x', until: 1 })
    const others = [
      createSealedTokens('a secret', 'another/purpose', shape),
      createSealedTokens('another secret', 'one/purpose', shape),
      createSealedTokens('a secret', 'one/purpose', z.object({ other: z.string() })),
    ]
    for (const other of others) assert.equal(other.read(token), undefined)
    for (const none of ['', '.', 'x', '..', `${token}.`, `${token}=`, token.slice(0, 20)])
      assert.equal(tokens.read(none), undefined)
  })
})
