import { createHash, timingSafeEqual } from 'node:crypto'
import { createSignedLinks, type FormerKeys, uuidBytes } from '#server/runtime/signed-links.ts'

/** Purpose for which the key of the links is derived from SECRET_KEY. Its former keys stay valid after a rotation. */
export const INVITATION_PURPOSE = 'links/invitation'

/** Shape of a token: 128 bits in base64url. */
export const INVITATION_TOKEN = /^[\w-]{22}$/

/** Token in place of the token of a person, in pages that are rendered once for all people. */
export const PLACEHOLDER_TOKEN = '_'.repeat(22)

const NOTHING = Buffer.alloc(0)

/** Returns the digest under which a token is stored. */
export const hashInvitationToken = (token: string): Buffer =>
  createHash('sha256').update(token).digest()

/** Creates the tokens of invitations. The database alone gives no token, because tokens are signatures of random ids. */
export const createInvitationLinks = (
  secretKey: string | Uint8Array,
  public_url: string,
  formerKeys: FormerKeys,
) => {
  const links = createSignedLinks(secretKey, INVITATION_PURPOSE, formerKeys)
  return {
    /** Returns the token of a new invitation. */
    write: (invitation_id: string): string => links.write(NOTHING, uuidBytes(invitation_id)),
    /** Returns the token of a stored invitation, also if SECRET_KEY has changed since; undefined for another hash. */
    find: ({
      invitation_id,
      token_hash,
    }: {
      invitation_id: string
      token_hash: Buffer
    }): Promise<string | undefined> =>
      links.writeMatching(
        (token) => timingSafeEqual(hashInvitationToken(token), token_hash),
        NOTHING,
        uuidBytes(invitation_id),
      ),
    /** Returns the address of a token. `quiz_path` is the public path of the questionnaire. */
    addressOf: (quiz_path: string, token: string): string =>
      new URL(`${quiz_path}/i/${token}`, public_url).href,
  }
}
/** Creates and finds the tokens of invitations. */
export type InvitationLinks = ReturnType<typeof createInvitationLinks>
