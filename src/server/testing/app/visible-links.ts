import { createHmac } from 'node:crypto'
import { deriveKey } from '#server/runtime/sealing.ts'
import { uuidBytes } from '#server/runtime/signed-links.ts'

/** Writes a token as releases before docs/decisions/070 did: visible content, then its signature of 128 bits. */
export const writeVisibleToken = (
  secretKey: string,
  purpose: 'reports/links' | 'participant-pages/links' | 'mails/unsubscribe',
  { content, context = Buffer.alloc(0) }: { content: Buffer; context?: Buffer },
): string => {
  const signature = createHmac('sha256', deriveKey(secretKey, purpose))
    .update(context)
    .update(content)
    .digest()
    .subarray(0, 16)
  return Buffer.concat([content, signature]).toString('base64url')
}

/** Writes the visible token of a participant. */
export const writeVisibleParticipantToken = (
  secretKey: string,
  purpose: 'reports/links' | 'participant-pages/links',
  { quiz_id, participant_uuid }: { quiz_id: string; participant_uuid: string },
): string =>
  writeVisibleToken(secretKey, purpose, {
    content: uuidBytes(participant_uuid),
    context: uuidBytes(quiz_id),
  })
