import { createHash, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { SealedRow, Vault } from '#server/runtime/sealing.ts'

/** Sealed secrets of a webhook, as stored. */
export type StoredSecrets = SealedRow & {
  sealed_secret: Buffer | null
  sealed_previous: Buffer | null
  previous_until: string | null
}

/**
 * Returns the valid secrets, the current one first. Returns none if the current secret is absent or cannot be
 * decrypted. A previous secret that cannot be decrypted is left out.
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
  const isPreviousValid = previous_until !== null && Date.parse(previous_until) > now.getTime()
  return current.length > 0 && isPreviousValid ? [...current, ...open(sealed_previous)] : current
}

const SECRET_BYTES = 24

/** Creates a secret in the format of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** Returns the unique message id of a delivery, which is the same for all its attempts. */
export const messageId = (...parts: readonly string[]): string =>
  `msg_${createHash('sha256').update(parts.join(' ')).digest('base64url').slice(0, 27)}`

/** Message of Standard Webhooks. */
type Message = { headers: Record<string, string>; body: string }

/** Returns the message for an event without its signature. */
export const writeMessage = (event: object, { id, at }: { id: string; at: Date }): Message => ({
  headers: {
    'content-type': 'application/json',
    'user-agent': 'Quizaine-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  },
  body: JSON.stringify(event),
})

/** Returns the message for an event with one signature per secret, the current one first. */
export const writeSignedMessage = (
  event: object,
  { id, at, secrets }: { id: string; at: Date; secrets: readonly string[] },
): Message => {
  const { headers, body } = writeMessage(event, { id, at })
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body))
  return { headers: { ...headers, 'webhook-signature': signatures.join(' ') }, body }
}
