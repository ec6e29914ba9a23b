import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVault } from '#server/runtime/sealing.ts'
import { openSecrets } from './webhook-message.ts'

const NOW = new Date('2026-11-24T12:00:00Z')
const row = {
  ...({ id: '0199', user_id: '0198', provider: 'webhook', key_version: 1 } as const),
  previous_until: '2026-11-25T00:00:00Z',
} as const
const [vault, other] = [createVault('clé'), createVault('autre clé')]
const opened = (current: typeof vault, previous: typeof vault, now = NOW) =>
  openSecrets(
    vault,
    {
      ...row,
      sealed_secret: current.seal(row, 'whsec_b'),
      sealed_previous: previous.seal(row, 'whsec_a'),
    },
    now,
  )

test('both secrets sign until the previous secret expires', () => {
  assert.deepEqual(opened(vault, vault), ['whsec_b', 'whsec_a'])
  assert.deepEqual(opened(vault, vault, new Date('2026-11-25T00:00:00Z')), ['whsec_b'])
})

test('the new secret signs alone if the previous secret cannot be decrypted', () => {
  assert.deepEqual(opened(vault, other), ['whsec_b'])
})

test('no secret signs if the current secret cannot be decrypted', () => {
  assert.deepEqual(opened(other, vault), [])
})
