import type { Db } from '#server/db/database.ts'

/** The row of the key that signs access tokens. */
export const SIGNING_KEY = 'access-tokens'

/** The sealed private key that signs access tokens, if one was ever made. */
export const findSealedKey = async (db: Db): Promise<Buffer | undefined> => {
  const row = await db
    .selectFrom('auth_keys')
    .select('sealed_jwk')
    .where('purpose', '=', SIGNING_KEY)
    .executeTakeFirst()
  return row?.sealed_jwk
}

/** Keeps this key unless another process was first; the one to use is the stored one. */
export const offerSealedKey = async (db: Db, sealed_jwk: Buffer): Promise<void> => {
  await db
    .insertInto('auth_keys')
    .values({ purpose: SIGNING_KEY, sealed_jwk })
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute()
}
