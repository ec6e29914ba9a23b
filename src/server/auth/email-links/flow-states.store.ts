import { createHash, randomUUID, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Profile } from '#server/auth/external/providers.ts'
import type { Db } from '#server/db/database.ts'
import type { Challenge } from './pkce.ts'

/** Maximum age of a code. */
const CODE_MAX_AGE = sql`interval '5 minutes'`
/** Age after which a flow of the same user is deleted. */
const FLOW_RETENTION = sql`interval '1 day'`

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest()

/** Inserts a PKCE flow of a user and returns its id. `method` becomes the sign-in method of the session. */
export const insertFlow = async (
  db: Db,
  {
    challenge,
    ...flow
  }: {
    user_id: string
    method: string
    challenge: Challenge
    sealed_provider_tokens?: Buffer
    /** Profile that is linked to the user at the exchange. */
    linking_profile?: string
  },
): Promise<string> => {
  await db
    .deleteFrom('flow_states')
    .where('user_id', '=', flow.user_id)
    .where('created_at', '<', sql<string>`now() - ${FLOW_RETENTION}`)
    .execute()
  const id = randomUUIDv7()
  await db
    .insertInto('flow_states')
    .values({ id, ...flow, ...challenge })
    .execute()
  return id
}

/** Creates the code of a flow, which is valid for five minutes. */
export const issueCode = async (db: Db, flow_id: string): Promise<string> => {
  const code = randomUUID()
  await db
    .updateTable('flow_states')
    .set({ code_hash: hashOf(code), code_issued_at: sql`now()` })
    .where('id', '=', flow_id)
    .returning('id')
    .executeTakeFirstOrThrow()
  return code
}

/**
 * Stores the password hash of a sign-up in its flow, until the client sends the verifier. Does nothing if the flow has
 * another challenge than the sign-up.
 */
export const withholdPassword = async (
  db: Db,
  flow_id: string,
  { code_challenge, encrypted_password }: { code_challenge: string; encrypted_password: string },
): Promise<void> => {
  await db
    .updateTable('flow_states')
    .set({ withheld_password: encrypted_password })
    .where('id', '=', flow_id)
    .where('code_challenge', '=', code_challenge)
    .execute()
}

/** PKCE flow whose row is locked. */
export type LockedFlow = Challenge & {
  id: string
  user_id: string
  method: string
  sealed_provider_tokens: Buffer | null
  linking_profile: Profile | null
  withheld_password: string | null
  is_over: boolean
}

/** Returns the flow of a code and locks its row, so that concurrent exchanges succeed only once. */
export const lockFlowOfCode = (db: Db, code: string): Promise<LockedFlow | undefined> =>
  db
    .selectFrom('flow_states')
    .select(['id', 'user_id', 'method', 'code_challenge', 'code_challenge_method'])
    .select(['sealed_provider_tokens', 'withheld_password'])
    .select(sql<Profile | null>`linking_profile`.as('linking_profile'))
    .select(sql<boolean>`code_issued_at < now() - ${CODE_MAX_AGE}`.as('is_over'))
    .where('code_hash', '=', hashOf(code))
    .forUpdate()
    .executeTakeFirst()

/** Deletes a flow. */
export const deleteFlow = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('flow_states').where('id', '=', id).execute()
}
