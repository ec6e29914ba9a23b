import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from './sealing.ts'

const SIGNATURE_BYTES = 16
const UUID_BYTES = 16

/** Signed tokens of links that are mailed or shown to participants. No link is stored, and none can be guessed. */
export type SignedLinks = {
  /** Returns the token of a content. `context` is signed too, but the token does not contain it. */
  write: (content: Buffer, context?: Buffer) => string
  /** Returns the content of a token; undefined if length, spelling, context or signature is wrong. */
  read: (token: string, nb_bytes: number, context?: Buffer) => Promise<Buffer | undefined>
}

const NO_CONTEXT = Buffer.alloc(0)

/**
 * Creates and verifies the tokens of one purpose, with signatures of 128 bits. Tokens from before a rotation of SECRET_KEY
 * stay valid only if `formerKeys` returns their keys.
 */
export const createSignedLinks = (
  secretKey: string | Uint8Array,
  purpose: string,
  formerKeys: () => Promise<readonly Buffer[]> = async () => [],
): SignedLinks => {
  const key = deriveKey(secretKey, purpose)
  const sign = (signing: Buffer, content: Buffer, context: Buffer): Buffer =>
    createHmac('sha256', signing)
      .update(context)
      .update(content)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  return {
    write: (content, context = NO_CONTEXT) =>
      Buffer.concat([content, sign(key, content, context)]).toString('base64url'),
    read: async (token, nb_bytes, context = NO_CONTEXT) => {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== nb_bytes + SIGNATURE_BYTES || bytes.toString('base64url') !== token)
        return undefined
      const content = bytes.subarray(0, nb_bytes)
      const signature = bytes.subarray(nb_bytes)
      const isOf = (signing: Buffer): boolean =>
        timingSafeEqual(signature, sign(signing, content, context))
      return isOf(key) || (await formerKeys()).some(isOf) ? content : undefined
    },
  }
}

/** Returns the bytes of a UUID. */
export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** Returns the UUID of 16 bytes. */
export const uuidOfBytes = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

type Participant = { quiz_id: string; participant_uuid: string }

/** Returns the token of a participant. The token contains the participant, and its signature covers the quiz too. */
export const writeParticipantToken = (
  links: Pick<SignedLinks, 'write'>,
  { quiz_id, participant_uuid }: Participant,
): string => links.write(uuidBytes(participant_uuid), uuidBytes(quiz_id))

/** Returns the participant of a token; undefined if the token is forged or belongs to another quiz. */
export const readParticipantToken = async (
  links: Pick<SignedLinks, 'read'>,
  quiz_id: string,
  token: string,
): Promise<Participant | undefined> => {
  const content = await links.read(token, UUID_BYTES, uuidBytes(quiz_id))
  return content && { quiz_id, participant_uuid: uuidOfBytes(content) }
}
