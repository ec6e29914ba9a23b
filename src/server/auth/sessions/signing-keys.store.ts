import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { deriveKey, seal, unseal } from '#server/runtime/sealing.ts'

/** Row name of the signing key. */
export const SIGNING_KEY = 'access-tokens'

/** Returns the encrypted signing key, if there is one. */
export const findSealedKey = async (db: Db): Promise<Buffer | undefined> => {
  const row = await db
    .selectFrom('auth_keys')
    .select('sealed_jwk')
    .where('purpose', '=', SIGNING_KEY)
    .executeTakeFirst()
  return row?.sealed_jwk
}

/** Stores the key unless another process has stored one. Call `findSealedKey` afterwards to get the stored key. */
export const insertSealedKeyIfAbsent = async (db: Db, sealed_jwk: Buffer): Promise<void> => {
  await db
    .insertInto('auth_keys')
    .values({ purpose: SIGNING_KEY, sealed_jwk })
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute()
}

type SecretKey = string | Uint8Array

/** Derivation purpose of the encryption key of `auth_keys`. */
export const KEYS_PURPOSE = 'auth/seal-signing-key'
/** Returns the encryption context of a stored key. */
export const keyLabel = (purpose: string): string => `auth_keys/${purpose}`

/**
 * Derives the key of a purpose from the old SECRET_KEY and stores it encrypted with the new one, so that signatures and
 * mailed links stay valid after a change of SECRET_KEY.
 */
export const storeFormerKey = async (
  db: Db,
  { old, next, purpose }: { old: SecretKey; next: SecretKey; purpose: string },
): Promise<void> => {
  const key = deriveKey(old, purpose)
  const row = `${purpose}/${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  const jwk = JSON.stringify({ kty: 'oct', k: key.toString('base64url') })
  await db
    .insertInto('auth_keys')
    .values({ purpose: row, sealed_jwk: seal(deriveKey(next, KEYS_PURPOSE), keyLabel(row), jwk) })
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute()
}

/** Returns the former keys of a purpose, newest first. */
export const loadFormerKeys = async (
  db: Db,
  secretKey: SecretKey,
  purpose: string,
): Promise<Buffer[]> => {
  const rows = await db
    .selectFrom('auth_keys')
    .select(['purpose', 'sealed_jwk'])
    .where(sql<boolean>`starts_with(purpose, ${`${purpose}/`})`)
    .orderBy('created_at', 'desc')
    .execute()
  const sealing = deriveKey(secretKey, KEYS_PURPOSE)
  return rows.map((row) => {
    const { k } = JSON.parse(unseal(sealing, keyLabel(row.purpose), row.sealed_jwk)) as {
      k: string
    }
    return Buffer.from(k, 'base64url')
  })
}
