import { createHash, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

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
