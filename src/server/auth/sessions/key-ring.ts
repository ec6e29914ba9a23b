import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import { z } from 'zod'
import type { AuthConfig } from '#server/config/config.ts'
import type { Db } from '#server/db/database.ts'
import { deriveKey, seal, unseal } from '#server/runtime/sealing.ts'
import { readConfiguredKeys, type TokenKey } from './configured-keys.ts'
import {
  findSealedKey,
  insertSealedKeyIfAbsent,
  KEYS_PURPOSE,
  keyLabel,
  SIGNING_KEY,
} from './signing-keys.store.ts'

const ALGORITHM = 'ES256'

const storedKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})

/** Generated key pair that signs access tokens. `public_jwk` is published. */
export type SigningKey = {
  kid: string
  private_key: CryptoKey
  public_key: CryptoKey
  public_jwk: Record<string, string | string[]>
}

const decryptKey = (key: Buffer, sealed: Buffer): string => {
  try {
    return unseal(key, keyLabel(SIGNING_KEY), sealed)
  } catch (cause) {
    throw new Error('SECRET_KEY is not the one this database was started with', { cause })
  }
}

const importEc = async (jwk: Record<string, string>): Promise<CryptoKey> => {
  const key = await importJWK(jwk, ALGORITHM)
  if (key instanceof Uint8Array) throw new Error('The signing key is not an EC key')
  return key
}

/**
 * Returns the signing key that is stored in the database, encrypted with SECRET_KEY. Creates the key at the first call.
 * Throws if SECRET_KEY is wrong.
 */
export const loadSigningKey = async (
  db: Db,
  secretKey: string | Uint8Array,
): Promise<SigningKey> => {
  const key = deriveKey(secretKey, KEYS_PURPOSE)
  if (!(await findSealedKey(db))) {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
    const jwk = JSON.stringify(await exportJWK(privateKey))
    await insertSealedKeyIfAbsent(db, seal(key, keyLabel(SIGNING_KEY), jwk))
  }
  const sealed = await findSealedKey(db)
  if (!sealed) throw new Error('The signing key could not be stored')
  const { d, ...pub } = storedKey.parse(JSON.parse(decryptKey(key, sealed)))
  const kid = await calculateJwkThumbprint(pub)
  return {
    kid,
    private_key: await importEc({ ...pub, d }),
    public_key: await importEc(pub),
    public_jwk: { ...pub, kid, alg: ALGORITHM, use: 'sig', key_ops: ['verify'] },
  }
}

/** Keys of this service. `signing` signs new tokens; all keys verify tokens. */
export type KeyRing = {
  signing: Pick<TokenKey, 'kid' | 'alg'> & { private_key: CryptoKey | Uint8Array }
  keys: readonly TokenKey[]
  public_jwks: Record<string, string | string[]>[]
}

const loadDatabaseKey = async (db: Db, secretKey: string | Uint8Array): Promise<TokenKey> => {
  const { kid, private_key, public_key, public_jwk } = await loadSigningKey(db, secretKey)
  return { kid, alg: ALGORITHM, verifying: public_key, private_key, public_jwk }
}

/**
 * Loads the configured keys and the key of the database. The first key that can sign signs. The key of the database still
 * verifies after other keys were configured, so that sessions stay valid.
 */
export const loadKeyRing = async (
  db: Db,
  secretKey: string | Uint8Array,
  { jwt_keys, jwt_secret }: Pick<AuthConfig, 'jwt_keys' | 'jwt_secret'>,
): Promise<KeyRing> => {
  const configured = await readConfiguredKeys(jwt_keys, jwt_secret)
  const needsDatabaseKey = configured.length === 0 || (await findSealedKey(db)) !== undefined
  const keys = needsDatabaseKey ? [...configured, await loadDatabaseKey(db, secretKey)] : configured
  const signing = keys.find(({ private_key }) => private_key)
  if (!signing?.private_key) throw new Error('No key can sign access tokens')
  const { kid, alg, private_key } = signing
  return {
    signing: { kid, alg, private_key },
    keys,
    public_jwks: keys.flatMap(({ public_jwk }) => (public_jwk ? [public_jwk] : [])),
  }
}
