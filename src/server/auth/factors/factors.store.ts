import { randomUUIDv7 } from 'node:crypto'
import { type Insertable, type Selectable, sql } from 'kysely'
import { SECOND_FACTORS } from '#server/auth/sessions/sessions.store.ts'
import type { Bearer } from '#server/auth/sessions/tokens.ts'
import type { Db } from '#server/db/database.ts'
import type { FactorType, StoredCredential, Tables } from '#server/db/tables.ts'

/** Records the factor with which a session reached assurance level aal2. */
export const markAal2 = async (
  db: Db,
  { user_id, session_id }: Bearer,
  factor_id: string,
): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ factor_id, refreshed_at: sql`now()` })
    .where('id', '=', session_id)
    .where('user_id', '=', user_id)
    .execute()
}

/** Deletes the user's other sessions that have not verified a second factor. */
export const deleteAal1Sessions = async (
  db: Db,
  { user_id, session_id }: Bearer,
): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('id', '<>', session_id)
    .where('id', 'not in', (query) =>
      query.selectFrom('session_amr').select('session_id').where('method', 'in', SECOND_FACTORS),
    )
    .execute()
}

/** Replaces the recovery codes of a recovery factor. */
export const putCodes = async (db: Db, factor_id: string, hashes: Buffer[]): Promise<void> => {
  await db.deleteFrom('recovery_codes').where('factor_id', '=', factor_id).execute()
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ factor_id, code_hash })))
    .execute()
}

/** Consumes a recovery code. Returns false if it is unknown or used. */
export const consumeRecoveryCode = async (
  db: Db,
  factor_id: string,
  code_hash: Buffer,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: sql`now()` })
    .where('factor_id', '=', factor_id)
    .where('code_hash', '=', code_hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the numbers of all and of unused recovery codes of a recovery factor. */
export const countCodes = (
  db: Db,
  factor_id: string,
): Promise<{ total: number; remaining: number }> =>
  db
    .selectFrom('recovery_codes')
    .select(sql<number>`count(*)::int`.as('total'))
    .select(sql<number>`count(*) filter (where used_at is null)::int`.as('remaining'))
    .where('factor_id', '=', factor_id)
    .executeTakeFirstOrThrow()

/** Stored second factor. */
export type Factor = Selectable<Tables['mfa_factors']>

/** Time after which an unverified factor is deleted. */
const ABANDONED_AFTER = sql`interval '5 minutes'`

const listOf = (db: Db, user_ids: string[]): Promise<Factor[]> =>
  db
    .selectFrom('mfa_factors')
    .selectAll()
    .where('user_id', 'in', user_ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Returns the second factors of an account, oldest first. */
export const listFactors = (db: Db, user_id: string): Promise<Factor[]> => listOf(db, [user_id])

/** Returns the second factors of several accounts, grouped by account id. */
export const listFactorsOf = async (db: Db, user_ids: string[]): Promise<Map<string, Factor[]>> => {
  const all = user_ids.length === 0 ? [] : await listOf(db, user_ids)
  return Map.groupBy(all, ({ user_id }) => user_id)
}

type FactorOfUser = { id: string; user_id: string }

/** Returns a factor of an account. */
export const findFactor = (db: Db, { id, user_id }: FactorOfUser): Promise<Factor | undefined> =>
  db
    .selectFrom('mfa_factors')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()

/** Returns the recovery factor of an account, which holds its recovery codes. */
export const findRecoveryFactor = (db: Db, user_id: string): Promise<Factor | undefined> =>
  db
    .selectFrom('mfa_factors')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('factor_type', '=', 'recovery_code')
    .executeTakeFirst()

/** Inserts a factor. Returns undefined if the account has a factor with this name. */
export const insertFactor = (
  db: Db,
  factor: Omit<Insertable<Tables['mfa_factors']>, 'id'>,
): Promise<Factor | undefined> =>
  db
    .insertInto('mfa_factors')
    .values({ id: randomUUIDv7(), ...factor })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

/** Deletes abandoned unverified factors of an account. */
export const deleteAbandonedFactors = async (db: Db, user_id: string): Promise<void> => {
  await db
    .deleteFrom('mfa_factors')
    .where('user_id', '=', user_id)
    .where('status', '=', 'unverified')
    .where('created_at', '<', sql<string>`now() - ${ABANDONED_AFTER}`)
    .where((condition) =>
      condition.not(
        condition.exists(
          condition
            .selectFrom('mfa_challenges')
            .select('mfa_challenges.id')
            .whereRef('mfa_challenges.factor_id', '=', 'mfa_factors.id')
            .where('mfa_challenges.created_at', '>', sql<string>`now() - ${ABANDONED_AFTER}`),
        ),
      ),
    )
    .execute()
}

/** Marks a factor as verified and deletes the user's unverified factors of the same type. */
export const markVerified = async (
  db: Db,
  { id, user_id, factor_type }: Pick<Factor, 'id' | 'user_id' | 'factor_type'>,
): Promise<void> => {
  await db
    .updateTable('mfa_factors')
    .set({ status: 'verified', updated_at: sql`now()` })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .execute()
  await db
    .deleteFrom('mfa_factors')
    .where('user_id', '=', user_id)
    .where('factor_type', '=', factor_type)
    .where('status', '=', 'unverified')
    .execute()
}

/** Records the use of a code of the period `step`. Returns false if a code of this or a later period was used. */
export const consumeTotpStep = async (
  db: Db,
  { id, user_id }: FactorOfUser,
  step: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('mfa_factors')
    .set({ last_step: step })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where((condition) =>
      condition.or([condition('last_step', 'is', null), condition('last_step', '<', step)]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores the WebAuthn credential of a factor. */
export const saveCredential = async (
  db: Db,
  { id, user_id }: FactorOfUser,
  credential: StoredCredential,
): Promise<void> => {
  await db
    .updateTable('mfa_factors')
    .set({ credential: JSON.stringify(credential), updated_at: sql`now()` })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .execute()
}

/**
 * Deletes a factor. Sessions that were verified with it return to aal1 at their next refresh. Also deletes the recovery
 * codes with the last verified factor.
 */
export const deleteFactor = async (db: Db, { id, user_id }: FactorOfUser): Promise<void> => {
  await db
    .deleteFrom('session_amr')
    .where('method', 'in', SECOND_FACTORS)
    .where('session_id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('sessions.id')
        .where('sessions.factor_id', '=', id)
        .where('sessions.user_id', '=', user_id),
    )
    .execute()
  await db
    .deleteFrom('mfa_factors')
    .where('user_id', '=', user_id)
    .where((condition) =>
      condition.or([
        condition('id', '=', id),
        condition.and([
          condition('factor_type', '=', 'recovery_code'),
          condition.not(
            condition.exists(
              condition
                .selectFrom('mfa_factors as other')
                .select('other.id')
                .where('other.user_id', '=', user_id)
                .where('other.id', '<>', id)
                .where('other.factor_type', '<>', 'recovery_code')
                .where('other.status', '=', 'verified'),
            ),
          ),
        ]),
      ]),
    )
    .execute()
}

/** Deletes all factors and recovery codes of an account. */
export const deleteFactors = async (db: Db, user_id: string): Promise<void> => {
  await db.deleteFrom('mfa_factors').where('user_id', '=', user_id).execute()
}

/** Types of second factors. */
export const TYPES = ['totp', 'phone', 'webauthn'] as const satisfies FactorType[]
