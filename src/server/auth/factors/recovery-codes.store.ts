import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Replaces the codes of a set. */
export const putCodes = async (db: Db, factor_id: string, hashes: Buffer[]): Promise<void> => {
  await db.deleteFrom('recovery_codes').where('factor_id', '=', factor_id).execute()
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ factor_id, code_hash })))
    .execute()
}

/** Uses a code up; false when it is none of the set, or was used. */
export const takeCode = async (db: Db, factor_id: string, code_hash: Buffer): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: sql`now()` })
    .where('factor_id', '=', factor_id)
    .where('code_hash', '=', code_hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

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
