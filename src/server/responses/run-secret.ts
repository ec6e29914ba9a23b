import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Submissions } from './submission-queue.ts'
import type { Participant, StoredParticipant } from './submissions.store.ts'

/** Size of a secret that the server makes for a run without scripts. */
const SECRET_BYTES = 24
/** Size of the stored part of the digest: 128 bits. */
const HASH_BYTES = 16

/** Returns the secret of a new run without scripts. Browsers with scripts make their own. */
export const createRunSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** Returns the stored form of a secret, from which the secret cannot be derived. */
export const hashRunSecret = (secret: string): Buffer =>
  createHash('sha256').update(secret).digest().subarray(0, HASH_BYTES)

/**
 * Returns true if the secret is that of a stored run. A run that was stored without a secret has none, so that its links
 * are in its first answer only (docs/decisions/070).
 */
export const isRunSecret = (
  { run_secret_hash }: { run_secret_hash: Buffer | null },
  secret: string | null | undefined,
): boolean =>
  run_secret_hash !== null &&
  typeof secret === 'string' &&
  timingSafeEqual(run_secret_hash, hashRunSecret(secret))

/** Id of a run and its secret, either of which a request may lack. */
type ClaimedRun = Pick<Participant, 'quiz_id'> & {
  participant_uuid: string | undefined
  run_secret: string | undefined
}

/** Returns a stored run with its replies; undefined without the secret of the run. */
export const findOwnRun = async (
  submissions: Pick<Submissions, 'find'>,
  { quiz_id, participant_uuid, run_secret }: ClaimedRun,
): Promise<StoredParticipant | undefined> => {
  const known = participant_uuid && (await submissions.find({ quiz_id, participant_uuid }))
  return known && isRunSecret(known, run_secret) ? known : undefined
}
