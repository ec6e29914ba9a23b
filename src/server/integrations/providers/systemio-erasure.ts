import type { ErasureKind } from '#domain/erasure.ts'
import type { Ask } from './ask.ts'
import { erased, idField, permanent, unknown } from './failures.ts'
import type { ErasureOutcome, KnownPerson } from './provider.ts'
import { findByAddress } from './systemio-contacts.ts'

const deleteById = async (ask: Ask, id: string): Promise<ErasureOutcome | 'unknown_id'> => {
  const reply = await ask({ method: 'DELETE', path: `/contacts/${encodeURIComponent(id)}` })
  if (reply.kind !== 'reply') return reply
  const { status } = reply
  if (status < 300) return erased('deleted')
  if (status === 404) return 'unknown_id'
  return status === 400 || status === 422 ? permanent('refused') : unknown(`http_${status}`)
}

/** Deletes a person at Systeme.io: by its id, or by the address where the id is not known (any more). */
export const eraseAtSystemio = async (
  ask: Ask,
  { email, vendor_contact_id }: KnownPerson,
  kind: ErasureKind,
): Promise<ErasureOutcome> => {
  // What may be changed of a contact does not include whether they are unsubscribed.
  if (kind !== 'delete') return permanent('not_offered')
  if (vendor_contact_id !== null) {
    const outcome = await deleteById(ask, vendor_contact_id)
    if (outcome !== 'unknown_id') return outcome
  }
  const found = await findByAddress(ask, email)
  if (found.kind !== 'reply') return found
  const id = idField(found.json)
  const outcome = id === undefined ? 'unknown_id' : await deleteById(ask, id)
  return outcome === 'unknown_id' ? erased('already_gone') : outcome
}
