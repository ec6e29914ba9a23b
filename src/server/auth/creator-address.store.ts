import type { Db } from '#server/db/database.ts'

/** The address of a creator; null for an account without one, or of another auth service. */
export const findAddress = async (db: Db, user_id: string): Promise<string | null> => {
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', user_id)
    .executeTakeFirst()
  return user?.email ?? null
}
