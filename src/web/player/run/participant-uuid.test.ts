import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createParticipantUuid } from './participant-uuid.ts'

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A random source that fills every byte with `byte`. */
const filledWith = (byte: number): Pick<Crypto, 'getRandomValues'> => ({
  getRandomValues: (bytes) => {
    if (bytes instanceof Uint8Array) bytes.fill(byte)
    return bytes
  },
})

test('each participant has a unique UUID, on http pages too', () => {
  assert.match(createParticipantUuid(), VERSION_7)
  assert.notEqual(createParticipantUuid(), createParticipantUuid())
})

test('a later participant has a greater UUID', () => {
  const at = (iso: string) => createParticipantUuid(crypto, Date.parse(iso))
  const moments = [
    '1970-01-01',
    '2001-09-09',
    '2026-11-22T10:00:00.000Z',
    '2026-11-22T10:00:00.001Z',
  ]
  const uuids = [...moments, '9999-12-31'].map(at)
  assert.deepEqual(uuids, uuids.toSorted())
  for (const uuid of uuids) assert.match(uuid, VERSION_7)
})

test('the lowest and highest random bytes give well-formed UUIDs', () => {
  const filled = (byte: number) => createParticipantUuid(filledWith(byte), 0x0123456789ab)
  assert.equal(filled(0), '01234567-89ab-7000-8000-000000000000')
  assert.equal(filled(255), '01234567-89ab-7fff-bfff-ffffffffffff')
})
