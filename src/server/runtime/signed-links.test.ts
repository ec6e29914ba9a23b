import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { deriveKey } from './sealing.ts'
import {
  createSignedLinks,
  readParticipantToken,
  uuidBytes,
  writeParticipantToken,
} from './signed-links.ts'

const SECRET = 'a secret that only tests know of'
const links = createSignedLinks(SECRET, 'links/one')
const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((list) => Buffer.from(list))

describe('a token of a link', () => {
  test('a token gives its content back, and only with its context, length and spelling', () =>
    fc.assert(
      fc.asyncProperty(bytes, bytes, async (content, context) => {
        const token = links.write(content, context)
        assert.match(token, /^[\w-]{43}$/)
        assert.deepEqual(await links.read(token, 16, context), content)
        assert.equal(await links.read(token, 15, context), undefined)
        assert.equal(await links.read(`${token}=`, 16, context), undefined)
        const other = Buffer.from(context.map((byte) => byte ^ 1))
        assert.equal(await links.read(token, 16, other), undefined)
      }),
    ))

  test('a token with one other bit is refused', async () => {
    const content = uuidBytes(randomUUID())
    const sealed = Buffer.from(links.write(content), 'base64url')
    for (let bit = 0; bit < 8 * sealed.length; bit++) {
      const altered = Buffer.from(sealed)
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.equal(await links.read(altered.toString('base64url'), 16), undefined, `bit ${bit}`)
    }
  })

  test('a token does not contain the id of its participant, in any half and spelling', () => {
    for (let round = 0; round < 100; round++) {
      const participant = { quiz_id: randomUUID(), participant_uuid: randomUUID() }
      const token = Buffer.from(writeParticipantToken(links, participant), 'base64url')
      for (const id of Object.values(participant)) {
        assert.ok(!token.includes(uuidBytes(id)))
        assert.ok(!token.includes(uuidBytes(id).subarray(0, 4)))
      }
    }
  })

  test('tokens of one participant for two purposes have no part in common', async () => {
    const others = createSignedLinks(SECRET, 'links/other')
    const participant = { quiz_id: randomUUID(), participant_uuid: randomUUID() }
    const [one, other] = [links, others].map((all) => writeParticipantToken(all, participant))
    const [first, second] = [one, other].map((token) => Buffer.from(token ?? '', 'base64url'))
    for (let at = 0; at + 4 <= 32; at++)
      assert.ok(!second?.includes(first?.subarray(at, at + 4) ?? ''))
    const { quiz_id } = participant
    assert.deepEqual(await readParticipantToken(links, quiz_id, one ?? ''), participant)
    assert.equal(await readParticipantToken(links, quiz_id, other ?? ''), undefined)
    assert.equal(await readParticipantToken(others, quiz_id, one ?? ''), undefined)
  })

  test('a token of a former key is read only if the key is known', async () => {
    const content = uuidBytes(randomUUID())
    const former = createSignedLinks('a former secret', 'links/one').write(content)
    assert.equal(await links.read(former, 16), undefined)
    const asked: string[] = []
    const rotated = createSignedLinks(SECRET, 'links/one', async (purpose) => {
      asked.push(purpose)
      return [deriveKey('another former secret', purpose), deriveKey('a former secret', purpose)]
    })
    assert.deepEqual(await rotated.read(former, 16), content)
    assert.deepEqual(asked, ['links/one'])
  })
})
