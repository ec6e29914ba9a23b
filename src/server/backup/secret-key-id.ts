import { createHash } from 'node:crypto'
import type { Config } from '#server/config.ts'
import { deriveKey } from '#server/sealing.ts'
import { findSecretKey } from '#server/secret-key.ts'

/** Tells one SECRET_KEY from another without telling anything of it; null where there is none. */
export const secretKeyId = (place: Pick<Config, 'secret_key' | 'data_dir'>): string | null => {
  const key = findSecretKey(place)
  if (!key) return null
  const derived = deriveKey(key, 'id of the secret key in backups')
  return createHash('sha256').update(derived).digest('hex').slice(0, 16)
}
