import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctKeys } from './distinct-keys.ts'

test('equal texts get different keys, and later lines do not change earlier keys', () => {
  const keys = distinctKeys(['Oui', 'Non', 'Oui', '2 Oui', '', ''])
  assert.equal(new Set(keys).size, 6)
  assert.deepEqual(distinctKeys(['Oui', 'Non', 'Oui', 'Autre']).slice(0, 3), keys.slice(0, 3))
})
