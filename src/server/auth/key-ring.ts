import type { CryptoKey } from 'jose'
import type { Db } from '#server/db/database.ts'
import { type Algorithm, readConfiguredKeys, type TokenKey } from './configured-keys.ts'
import { findSealedKey } from './signing-key.store.ts'
import { ALGORITHM, loadSigningKey } from './signing-key.ts'

/** All keys of this service: one signs, every one verifies. */
export type KeyRing = {
  signing: { kid: string; alg: Algorithm; private_key: CryptoKey }
  /** The key that a token's header points to; its algorithm is the key's, never the header's choice. */
  find: (header: { kid?: string | undefined; alg?: string | undefined }) => TokenKey | undefined
  public_jwks: Record<string, string | string[]>[]
}

const ofOwnKey = async (db: Db, secretKey: string | Uint8Array): Promise<TokenKey> => {
  const { kid, private_key, public_key, public_jwk } = await loadSigningKey(db, secretKey)
  return { kid, alg: ALGORITHM, verifying: public_key, private_key, public_jwk }
}

/**
 * The ring: the configured keys, else the database's own one. Once keys are configured, the own one that
 * an earlier start made goes on verifying, so that nobody is signed out.
 */
export const loadKeyRing = async (
  db: Db,
  secretKey: string | Uint8Array,
  jwt_keys: string | undefined,
): Promise<KeyRing> => {
  const configured = jwt_keys ? await readConfiguredKeys(jwt_keys) : []
  const needsOwn = configured.length === 0 || (await findSealedKey(db)) !== undefined
  const keys = needsOwn ? [...configured, await ofOwnKey(db, secretKey)] : configured
  const signing = keys.find(({ private_key }) => private_key)
  if (!signing?.private_key) throw new Error('No key can sign access tokens')
  const { kid, alg, private_key } = signing
  return {
    signing: { kid, alg, private_key },
    find: (header) =>
      header.kid === undefined && header.alg === 'HS256'
        ? keys.find((key) => key.alg === 'HS256')
        : keys.find((key) => key.kid === header.kid),
    public_jwks: keys.flatMap(({ public_jwk }) => (public_jwk ? [public_jwk] : [])),
  }
}
