import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canWithdraw, consentStateOf } from './own-data.ts'

const AT = '2026-11-27T02:00:00Z'

test('the state of a consent follows from the stored columns, and a withdrawal comes first', () => {
  const rows: [number | null, string | null, string][] = [
    [null, null, 'announced'],
    [0, null, 'declined'],
    [2, null, 'agreed'],
    [0, AT, 'withdrawn'],
  ]
  for (const [consent_version, consent_withdrawn_at, state] of rows)
    assert.equal(consentStateOf({ consent_version, consent_withdrawn_at }), state)
})

test('only a participant with an address, whose transfer is agreed or announced, can withdraw', () => {
  assert.ok(canWithdraw('agreed', 'a@b.fr'))
  assert.ok(canWithdraw('announced', 'a@b.fr'))
  assert.ok(!canWithdraw('agreed', null))
  assert.ok(!canWithdraw('declined', 'a@b.fr'))
  assert.ok(!canWithdraw('withdrawn', 'a@b.fr'))
})
