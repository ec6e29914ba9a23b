import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from './sealing.ts'

const SIGNATURE_BYTES = 16
const UUID_BYTES = 16

/** Tokens of links that are mailed or shown to participants. No link is stored, and none can be guessed. */
export type SignedLinks = {
  /** Returns the token of a content. `context` is signed too, but the token does not contain it. */
  write: (content: Buffer, context?: Buffer) => string
  /** Returns the token of a content under the current key or a former one, so that `matches` accepts it. */
  writeMatching: (
    matches: (token: string) => boolean,
    content: Buffer,
    context?: Buffer,
  ) => Promise<string | undefined>
  /** Returns the content of a token; undefined if length, spelling, context or signature is wrong. */
  read: (token: string, nb_bytes: number, context?: Buffer) => Promise<Buffer | undefined>
}

/** Returns the keys of a purpose from before a rotation of SECRET_KEY. */
export type FormerKeys = (purpose: string) => Promise<readonly Buffer[]>

const NO_CONTEXT = Buffer.alloc(0)
const NO_FORMER_KEYS: FormerKeys = async () => []

/** Returns the bytes of a token; undefined if its length is wrong or if it is not spelled as `write` spells it. */
const bytesOf = (token: string, nb_bytes: number): Buffer | undefined => {
  const bytes = Buffer.from(token, 'base64url')
  const isWhole =
    bytes.length === nb_bytes + SIGNATURE_BYTES && bytes.toString('base64url') === token
  return isWhole ? bytes : undefined
}

const sign = (key: Buffer, content: Buffer, context: Buffer): Buffer =>
  createHmac('sha256', key).update(context).update(content).digest().subarray(0, SIGNATURE_BYTES)

/** Creates the cipher of a key. The signature is also the initial counter (SIV, RFC 5297), so that no nonce is stored. */
const createCipher = (key: Buffer) => {
  const signing = deriveKey(key, 'signature')
  const hiding = deriveKey(key, 'content')
  return {
    seal: (content: Buffer, context: Buffer): Buffer => {
      const signature = sign(signing, content, context)
      const hidden = createCipheriv('aes-256-ctr', hiding, signature).update(content)
      return Buffer.concat([signature, hidden])
    },
    open: (bytes: Buffer, context: Buffer): Buffer | undefined => {
      const signature = bytes.subarray(0, SIGNATURE_BYTES)
      const hidden = bytes.subarray(SIGNATURE_BYTES)
      const content = createDecipheriv('aes-256-ctr', hiding, signature).update(hidden)
      return timingSafeEqual(signature, sign(signing, content, context)) ? content : undefined
    },
  }
}

/**
 * Creates and reads the tokens of one purpose, with signatures of 128 bits. A token hides its content, and no token of
 * another purpose can be computed from it (docs/decisions/070). Tokens from before a rotation of SECRET_KEY stay valid
 * only if `formerKeys` returns their keys.
 */
export const createSignedLinks = (
  secretKey: string | Uint8Array,
  purpose: string,
  formerKeys = NO_FORMER_KEYS,
): SignedLinks => {
  const cipher = createCipher(deriveKey(secretKey, purpose))
  const write: SignedLinks['write'] = (content, context = NO_CONTEXT) =>
    cipher.seal(content, context).toString('base64url')
  return {
    write,
    writeMatching: async (matches, content, context = NO_CONTEXT) => {
      const current = write(content, context)
      if (matches(current)) return current
      const former = await formerKeys(purpose)
      return former
        .map((key) => createCipher(key).seal(content, context).toString('base64url'))
        .find(matches)
    },
    read: async (token, nb_bytes, context = NO_CONTEXT) => {
      const bytes = bytesOf(token, nb_bytes)
      if (!bytes) return undefined
      const current = cipher.open(bytes, context)
      if (current) return current
      const former = await formerKeys(purpose)
      return former.map((key) => createCipher(key).open(bytes, context)).find(Boolean)
    },
  }
}

/**
 * Creates the reader of tokens with a visible content and a signature, which releases before docs/decisions/070 wrote.
 * Tokens of this form are only read.
 */
export const createVisibleLinkReader = (
  secretKey: string | Uint8Array,
  purpose: string,
  formerKeys = NO_FORMER_KEYS,
): Pick<SignedLinks, 'read'> => {
  const key = deriveKey(secretKey, purpose)
  return {
    read: async (token, nb_bytes, context = NO_CONTEXT) => {
      const bytes = bytesOf(token, nb_bytes)
      if (!bytes) return undefined
      const content = bytes.subarray(0, nb_bytes)
      const signature = bytes.subarray(nb_bytes)
      const isOf = (signing: Buffer): boolean =>
        timingSafeEqual(signature, sign(signing, content, context))
      return isOf(key) || (await formerKeys(purpose)).some(isOf) ? content : undefined
    },
  }
}

/** Returns the bytes of a UUID. */
export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** Returns the UUID of 16 bytes. */
export const uuidOfBytes = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

type Participant = { quiz_id: string; participant_uuid: string }

/** Returns the token of a participant. Its signature covers the quiz too. */
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
