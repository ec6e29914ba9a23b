import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicQuiz } from '#contract/public-quiz.ts'
import { createParticipantUuid, createRandomBytes } from './participant-uuid.ts'

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('each participant has a unique UUID, on http pages too', () => {
  assert.match(createParticipantUuid(), VERSION_7)
  assert.notEqual(createParticipantUuid(), createParticipantUuid())
})

test('a later participant has a greater UUID', () => {
  const at = (iso: string) => createParticipantUuid(createRandomBytes(), Date.parse(iso))
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
  const filled = (byte: number) =>
    createParticipantUuid(new Uint8Array(22).fill(byte), 0x0123456789ab)
  assert.equal(filled(0), '01234567-89ab-7000-8000-000000000000')
  assert.equal(filled(255), '01234567-89ab-7fff-bfff-ffffffffffff')
})

test('the secret of a run is another one each time, and has at least the length that the server asks for', () => {
  const secrets = Array.from({ length: 100 }, () => createRandomBytes().join())
  assert.equal(new Set(secrets).size, 100)
  for (const secret of [...secrets, new Uint8Array(22).join(), new Uint8Array(22).fill(255).join()])
    assert.equal(publicQuiz.submit.body.shape.run_secret.parse(secret), secret)
})
