import type { SealedRow, Vault } from '#server/integrations/vault.ts'

/** The secrets of a webhook as they are stored. */
export type StoredSecrets = SealedRow & {
  sealed_secret: Buffer | null
  sealed_previous: Buffer | null
  previous_until: string | null
}

/**
 * The secrets that sign at this moment, the current one first; none where it was removed, or does not open any more: it is
 * of another row, or SECRET_KEY is another.
 */
export const openSecrets = (
  vault: Vault,
  { sealed_secret, sealed_previous, previous_until, ...row }: StoredSecrets,
  now: Date,
): string[] => {
  if (!sealed_secret) return []
  const isBoth = sealed_previous && previous_until && Date.parse(previous_until) > now.getTime()
  try {
    const current = vault.open(row, sealed_secret)
    return isBoth ? [current, vault.open(row, sealed_previous)] : [current]
  } catch {
    return []
  }
}
