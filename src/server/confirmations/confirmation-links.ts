import {
  createSignedLinks,
  type FormerKeys,
  readParticipantToken,
  writeParticipantToken,
} from '#server/runtime/signed-links.ts'
import { LOWER_UUID } from '#server/runtime/uuid.ts'
import type { ParticipantKey } from './confirmations.store.ts'

/** Purpose for which the key of the links is derived from SECRET_KEY. It stays valid after a rotation. */
export const CONFIRMATION_LINK_PURPOSE = 'links/confirmation'

/** Segment of the path between the address of the quiz and the token. */
export const CONFIRMATION_SEGMENT = 'confirmation'

/** Creates and verifies the links with which participants confirm their address. */
export const createConfirmationLinks = (
  secretKey: string | Uint8Array,
  public_url: string,
  formerKeys: FormerKeys,
) => {
  const links = createSignedLinks(secretKey, CONFIRMATION_LINK_PURPOSE, formerKeys)
  return {
    /** Returns the link that a mail contains. */
    write: (key: ParticipantKey): string =>
      `${public_url}/q/${key.quiz_id}/${CONFIRMATION_SEGMENT}/${writeParticipantToken(links, key)}`,
    /** Returns the participant of a link; undefined if the token is forged or belongs to another quiz. */
    read: async (quiz_id: string, token: string): Promise<ParticipantKey | undefined> =>
      LOWER_UUID.test(quiz_id) ? readParticipantToken(links, quiz_id, token) : undefined,
  }
}
/** Links with which participants confirm their address. */
export type ConfirmationLinks = ReturnType<typeof createConfirmationLinks>
