import type { SealedRow, Vault } from '#server/integrations/vault.ts'

/** The secrets of a webhook as they are stored. */
export type StoredSecrets = SealedRow & {
  sealed_secret: Buffer | null
  sealed_previous: Buffer | null
  previous_until: string | null
}

/**
 * The secrets that sign at this moment, the current one first; none where it was removed, or does not open any more: it is
 * of another row, or SECRET_KEY is another. One of before that does not open leaves the current one to sign alone.
 */
export const openSecrets = (
  vault: Vault,
  { sealed_secret, sealed_previous, previous_until, ...row }: StoredSecrets,
  now: Date,
): string[] => {
  const open = (sealed: Buffer | null): string[] => {
    try {
      return sealed ? [vault.open(row, sealed)] : []
    } catch {
      return []
    }
  }
  const current = open(sealed_secret)
  const isBoth = previous_until !== null && Date.parse(previous_until) > now.getTime()
  return current.length > 0 && isBoth ? [...current, ...open(sealed_previous)] : current
}
