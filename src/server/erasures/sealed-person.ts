import { z } from 'zod'
import type { SealedRow, Vault } from '#server/integrations/vault.ts'

/** Whose erasure it is: for a tool their address, for a webhook the participant. */
export type SealedPerson = { email: string } | { participant_uuid: string }

const sealedPerson = z.union([
  z.object({ email: z.string() }),
  z.object({ participant_uuid: z.uuid() }),
])

/** A person as they are stored until their erasure is done. */
export const sealPerson = (vault: Vault, row: SealedRow, person: SealedPerson): Buffer =>
  vault.seal(row, JSON.stringify(person))

/** Undefined where it does not open: it is of another row, or SECRET_KEY is another. */
export const openPerson = (
  vault: Vault,
  row: SealedRow,
  sealed: Buffer,
): SealedPerson | undefined => {
  try {
    return sealedPerson.parse(JSON.parse(vault.open(row, sealed)))
  } catch {
    return undefined
  }
}
