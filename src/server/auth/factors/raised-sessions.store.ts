import { sql } from 'kysely'
import { SECOND_FACTORS } from '#server/auth/assurance.ts'
import type { Bearer } from '#server/auth/tokens.ts'
import type { Db } from '#server/db/database.ts'

/** Notes the factor that a session of a user was raised with. */
export const markRaised = async (
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

/** A session that showed no second factor is worth nothing once the account has one. */
export const endLowerSessions = async (db: Db, { user_id, session_id }: Bearer): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('id', '<>', session_id)
    .where('id', 'not in', (query) =>
      query.selectFrom('session_amr').select('session_id').where('method', 'in', SECOND_FACTORS),
    )
    .execute()
}
