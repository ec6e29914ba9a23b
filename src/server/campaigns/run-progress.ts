import type { RunProgress } from '#contract/campaigns.ts'
import { deriveKey, seal, unseal } from '#server/runtime/sealing.ts'

/** Maximum size in bytes of the kept replies of an unfinished run; longer ones stay in the browser alone. */
const MAX_PROGRESS_BYTES = 65_536

/** Purpose for which the key of the kept replies is derived from the token of the link. */
const PURPOSE = 'campaigns/progress'
const labelOf = (invitation_id: string): string => `invitations/${invitation_id}`

/** Link that opens the kept replies. Neither the database nor SECRET_KEY alone opens them. */
type ProgressKey = { token: string; invitation_id: string }

/** Encrypts the replies of an unfinished run; undefined if they are too long. */
export const sealProgress = (
  { token, invitation_id }: ProgressKey,
  progress: RunProgress,
): Buffer | undefined => {
  const json = JSON.stringify(progress)
  if (Buffer.byteLength(json) > MAX_PROGRESS_BYTES) return undefined
  return seal(deriveKey(token, PURPOSE), labelOf(invitation_id), json)
}

/** Decrypts the replies of an unfinished run. */
export const openProgress = ({ token, invitation_id }: ProgressKey, sealed: Buffer): RunProgress =>
  JSON.parse(unseal(deriveKey(token, PURPOSE), labelOf(invitation_id), sealed)) as RunProgress
