import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSteps } from './stored-steps.ts'

test('a delivery that was stored with the tag of its result goes on from there', () => {
  const before = { has_contact: true, vendor_contact_id: '7' }
  assert.deepEqual(readSteps({ ...before, has_tag: true }, 'Créatif'), {
    ...before,
    labels: ['Créatif'],
  })
  assert.deepEqual(readSteps({ ...before, has_tag: true }, null), before)
  assert.deepEqual(readSteps({ ...before, labels: ['A'] }, 'Créatif'), { ...before, labels: ['A'] })
  assert.deepEqual(readSteps(null, 'Créatif'), {})
})
