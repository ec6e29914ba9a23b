import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createParticipantUuid } from './participant.ts'

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a participant has a random UUID, on http pages too', () => {
  assert.match(createParticipantUuid(), VERSION_4)
  assert.notEqual(createParticipantUuid(), createParticipantUuid())
})

test('the extreme bytes give well-formed UUIDs too', () => {
  const filled = (byte: number): string =>
    createParticipantUuid({
      getRandomValues: (bytes) => {
        if (bytes instanceof Uint8Array) bytes.fill(byte)
        return bytes
      },
    })
  assert.equal(filled(0), '00000000-0000-4000-8000-000000000000')
  assert.equal(filled(255), 'ffffffff-ffff-4fff-bfff-ffffffffffff')
})
