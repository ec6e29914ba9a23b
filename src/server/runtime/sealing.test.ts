import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveKey, seal, unseal } from './sealing.ts'

const key = deriveKey('a secret', 'one purpose')

test('sealed text opens with the same key and label', () => {
  const sealed = seal(key, 'label', 'très privé')
  assert.equal(unseal(key, 'label', sealed), 'très privé')
  assert.ok(!sealed.includes('priv'))
  assert.notDeepEqual(sealed, seal(key, 'label', 'très privé'))
})

test('sealed text does not open with another key, another label or a changed bit', () => {
  const sealed = seal(key, 'label', 'très privé')
  assert.throws(() => unseal(deriveKey('a secret', 'another purpose'), 'label', sealed))
  assert.throws(() => unseal(deriveKey('Another secret', 'one purpose'), 'label', sealed))
  assert.throws(() => unseal(key, 'another label', sealed))
  for (let at = 0; at < sealed.length; at += 1) {
    const altered = Buffer.from(sealed)
    altered[at] = (altered[at] ?? 0) ^ 1
    assert.throws(() => unseal(key, 'label', altered))
  }
})
