import { createHash, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { SealedRow, Vault } from '#server/runtime/sealing.ts'

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

const SECRET_BYTES = 24

/** A new secret in the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** The id of what is sent of a participant to a webhook: the same at every try, of nothing else. */
export const messageId = (...parts: readonly string[]): string =>
  `msg_${createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, 27)}`

/** The headers of Standard Webhooks but the signature. */
export const messageHeaders = ({ id, at }: { id: string; at: Date }): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Quizaine-Webhooks',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
})

/** The same with a signature by each secret, the current one first. */
export const signedHeaders = (
  body: string,
  { id, at, secrets }: { id: string; at: Date; secrets: readonly string[] },
): Record<string, string> => ({
  ...messageHeaders({ id, at }),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
})
