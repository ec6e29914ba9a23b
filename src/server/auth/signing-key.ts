import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { deriveKey, seal, unseal } from '#server/sealing.ts'
import { KEYS_PURPOSE, keyLabel } from './former-keys.store.ts'
import { findSealedKey, offerSealedKey, SIGNING_KEY } from './signing-key.store.ts'

export const ALGORITHM = 'ES256'

const storedKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})

/** The pair that signs and verifies access tokens; `public_jwk` is what the world may see of it. */
export type SigningKey = {
  kid: string
  private_key: CryptoKey
  public_key: CryptoKey
  public_jwk: Record<string, string | string[]>
}

const openKey = (key: Buffer, sealed: Buffer): string => {
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
 * The signing key of this database, made on first use and sealed under SECRET_KEY, the same for every
 * process. Throws when SECRET_KEY is not the one it was sealed with.
 */
export const loadSigningKey = async (
  db: Db,
  secretKey: string | Uint8Array,
): Promise<SigningKey> => {
  const key = deriveKey(secretKey, KEYS_PURPOSE)
  if (!(await findSealedKey(db))) {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
    const jwk = JSON.stringify(await exportJWK(privateKey))
    await offerSealedKey(db, seal(key, keyLabel(SIGNING_KEY), jwk))
  }
  const sealed = await findSealedKey(db)
  if (!sealed) throw new Error('The signing key could not be stored')
  const { d, ...pub } = storedKey.parse(JSON.parse(openKey(key, sealed)))
  const kid = await calculateJwkThumbprint(pub)
  return {
    kid,
    private_key: await importEc({ ...pub, d }),
    public_key: await importEc(pub),
    public_jwk: { ...pub, kid, alg: ALGORITHM, use: 'sig', key_ops: ['verify'] },
  }
}
