import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '#server/sealing.ts'
import { mailboxDigest } from './mail-limits.store.ts'

/** Whose mails a link ends, and for which mailbox; it tells neither the address nor the quiz. */
export type Unsubscribing = { user_id: string; mailbox_hash: Buffer }

export const UNSUBSCRIBE_PATH = '/desinscription'
/** For which SECRET_KEY gives the key that signs the links. */
export const UNSUBSCRIBE_PURPOSE = 'mails/unsubscribe'

const UUID_BYTES = 16
const DIGEST_BYTES = 32
const SIGNATURE_BYTES = 16

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Writes and reads the addresses at which people end mails: signed, so that nothing is stored of them and none can be forged for another address. */
export const createUnsubscribeLinks = (
  secretKey: string | Uint8Array,
  public_url: string,
  /** Those of mails that were sent before a rotation of SECRET_KEY. */
  formerKeys: () => Promise<readonly Buffer[]>,
) => {
  const key = deriveKey(secretKey, UNSUBSCRIBE_PURPOSE)
  const signWith = (signing: Buffer, bytes: Buffer): Buffer =>
    createHmac('sha256', signing).update(bytes).digest().subarray(0, SIGNATURE_BYTES)
  return {
    write: ({ user_id, email }: { user_id: string; email: string }): string => {
      const said = Buffer.concat([
        Buffer.from(user_id.replaceAll('-', ''), 'hex'),
        mailboxDigest(email),
      ])
      const token = Buffer.concat([said, signWith(key, said)]).toString('base64url')
      return `${public_url}${UNSUBSCRIBE_PATH}/${token}`
    },
    /** Undefined of a token that is none of ours. */
    read: async (token: string): Promise<Unsubscribing | undefined> => {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== UUID_BYTES + DIGEST_BYTES + SIGNATURE_BYTES) return undefined
      const said = bytes.subarray(0, UUID_BYTES + DIGEST_BYTES)
      const signature = bytes.subarray(said.length)
      const isOf = (signing: Buffer): boolean => timingSafeEqual(signature, signWith(signing, said))
      if (!isOf(key) && !(await formerKeys()).some(isOf)) return undefined
      return {
        user_id: uuidOf(said.subarray(0, UUID_BYTES)),
        mailbox_hash: said.subarray(UUID_BYTES),
      }
    },
  }
}
export type UnsubscribeLinks = ReturnType<typeof createUnsubscribeLinks>
