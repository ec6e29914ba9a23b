import type { ChannelName } from '#domain/vocabulary.ts'
import { deriveKey, seal, unseal } from '#server/sealing.ts'

/** What a sealed secret is bound to: in any other row it does not open. */
export type SealedRow = {
  id: string
  user_id: string
  provider: ChannelName
  key_version: number
}

const labelOf = ({ provider, user_id, id, key_version }: SealedRow): string =>
  `${provider}|${user_id}|${id}|${key_version}`

/** Seals and opens the secrets of connections under SECRET_KEY. */
export const createVault = (secretKey: string | Uint8Array) => {
  const key = deriveKey(secretKey, 'integrations/connections')
  return {
    seal: (row: SealedRow, secret: string): Buffer => seal(key, labelOf(row), secret),
    /** Throws when the row is not the one that the secret was sealed for, or SECRET_KEY is another. */
    open: (row: SealedRow, sealed: Buffer): string => unseal(key, labelOf(row), sealed),
  }
}
export type Vault = ReturnType<typeof createVault>
