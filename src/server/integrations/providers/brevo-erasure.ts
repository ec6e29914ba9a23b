import type { ErasureKind } from '#domain/erasure.ts'
import type { Ask } from './ask.ts'
import { erased, permanent, unknown } from './failures.ts'
import type { ErasureOutcome, KnownPerson } from './provider.ts'

/** Deletes a person at Brevo, or stops every campaign to them; the address is what they are known by. */
export const eraseAtBrevo = async (
  ask: Ask,
  { email }: KnownPerson,
  kind: ErasureKind,
): Promise<ErasureOutcome> => {
  const path = `/contacts/${encodeURIComponent(email)}?identifierType=email_id`
  const reply = await ask(
    kind === 'delete'
      ? { method: 'DELETE', path }
      : { method: 'PUT', path, json: { emailBlacklisted: true } },
  )
  if (reply.kind !== 'reply') return reply
  const { status } = reply
  if (status === 404) return erased('already_gone')
  if (status < 300) return erased(kind === 'delete' ? 'deleted' : 'unsubscribed')
  return status === 400 ? permanent('refused') : unknown(`http_${status}`)
}
