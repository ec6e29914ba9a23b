import type { CryptoKey } from 'jose'
import type { AuthConfig } from '#server/config.ts'
import type { Db } from '#server/db/database.ts'
import { readConfiguredKeys, type TokenKey } from './configured-keys.ts'
import { findSealedKey } from './signing-key.store.ts'
import { ALGORITHM, loadSigningKey } from './signing-key.ts'

/** All keys of this service: one signs, every one verifies. */
export type KeyRing = {
  signing: Pick<TokenKey, 'kid' | 'alg'> & { private_key: CryptoKey | Uint8Array }
  /**
   * The keys that a token's header may mean: the one it names, or the symmetric ones when it names none.
   * The algorithm is the key's, never the header's choice.
   */
  find: (header: { kid?: string | undefined; alg?: string | undefined }) => TokenKey[]
  public_jwks: Record<string, string | string[]>[]
}

const ofOwnKey = async (db: Db, secretKey: string | Uint8Array): Promise<TokenKey> => {
  const { kid, private_key, public_key, public_jwk } = await loadSigningKey(db, secretKey)
  return { kid, alg: ALGORITHM, verifying: public_key, private_key, public_jwk }
}

/**
 * The ring: the configured keys, else the database's own one. Once keys are configured, the own one that
 * an earlier start made goes on verifying tokens, so that all sessions stay signed in.
 */
export const loadKeyRing = async (
  db: Db,
  secretKey: string | Uint8Array,
  { jwt_keys, jwt_secret }: Pick<AuthConfig, 'jwt_keys' | 'jwt_secret'>,
): Promise<KeyRing> => {
  const configured = await readConfiguredKeys(jwt_keys, jwt_secret)
  const needsOwn = configured.length === 0 || (await findSealedKey(db)) !== undefined
  const keys = needsOwn ? [...configured, await ofOwnKey(db, secretKey)] : configured
  const signing = keys.find(({ private_key }) => private_key)
  if (!signing?.private_key) throw new Error('No key can sign access tokens')
  const { kid, alg, private_key } = signing
  return {
    signing: { kid, alg, private_key },
    find: ({ kid, alg }) =>
      keys.filter((key) =>
        kid === undefined ? alg === 'HS256' && key.alg === alg : key.kid === kid,
      ),
    public_jwks: keys.flatMap(({ public_jwk }) => (public_jwk ? [public_jwk] : [])),
  }
}
