import { randomUUIDv7 } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'

/** Lifetime of a challenge in seconds. */
export const CHALLENGE_SECONDS = 300
const CHALLENGE_MAX_AGE = sql`interval '${sql.raw(String(CHALLENGE_SECONDS))} seconds'`

/** Stored challenge: one started verification of a second factor. */
export type Challenge = Selectable<Tables['mfa_challenges']> & { is_over: boolean }

/** Inserts a challenge and deletes expired challenges of the factor. */
export const insertChallenge = async (
  db: Db,
  challenge: { factor_id: string; ip: string; webauthn_challenge?: string; code_hash?: Buffer },
): Promise<{ id: string; created_at: string }> => {
  await db
    .deleteFrom('mfa_challenges')
    .where('factor_id', '=', challenge.factor_id)
    .where('created_at', '<', sql<string>`now() - ${CHALLENGE_MAX_AGE}`)
    .execute()
  await db
    .updateTable('mfa_factors')
    .set({ last_challenged_at: sql`now()` })
    .where('id', '=', challenge.factor_id)
    .execute()
  return db
    .insertInto('mfa_challenges')
    .values({ id: randomUUIDv7(), ...challenge })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
}

/** Returns a challenge of a factor and locks its row until the transaction ends. */
export const lockChallenge = (
  db: Db,
  { id, factor_id }: { id: string; factor_id: string },
): Promise<Challenge | undefined> =>
  db
    .selectFrom('mfa_challenges')
    .selectAll()
    .select(sql<boolean>`created_at < now() - ${CHALLENGE_MAX_AGE}`.as('is_over'))
    .where('id', '=', id)
    .where('factor_id', '=', factor_id)
    .forUpdate()
    .executeTakeFirst()

/** Marks a challenge as used. */
export const markUsed = async (db: Db, id: string): Promise<void> => {
  await db
    .updateTable('mfa_challenges')
    .set({ verified_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Counts a wrong answer to a challenge. A challenge with a texted code accepts no answer after the fifth. */
export const countWrongCode = async (db: Db, id: string): Promise<void> => {
  await db
    .updateTable('mfa_challenges')
    .set({ wrong_codes: sql`wrong_codes + 1` })
    .where('id', '=', id)
    .execute()
}
