import { isSameEmail } from '#domain/common/addresses.ts'
import type { ErasureKind } from '#domain/deliveries/erasures.ts'
import type { ErasureOutcome, Failure, KnownPerson, ToolRequest } from './provider.ts'
import {
  type CallProvider,
  erased,
  fieldOf,
  idField,
  listField,
  permanent,
  textField,
  unknown,
} from './provider-requests.ts'

/**
 * Unsubscribes by the id at Kit. If Kit refuses, the state of the subscriber tells whether they are already
 * unsubscribed.
 */
const unsubscribeById = async (
  ask: CallProvider,
  id: string,
): Promise<ErasureOutcome | 'unknown_id'> => {
  const path = `/subscribers/${encodeURIComponent(id)}`
  const reply = await ask({ method: 'POST', path: `${path}/unsubscribe`, json: {} })
  if (reply.kind !== 'reply') return reply
  if (reply.status < 300) return erased('unsubscribed')
  if (reply.status === 404) return 'unknown_id'
  if (reply.status !== 422) return unknown(`http_${reply.status}`)
  const now = await ask({ method: 'GET', path })
  if (now.kind !== 'reply') return now
  const state = textField(fieldOf(now.json, 'subscriber'), 'state')
  return state === 'cancelled' ? erased('unsubscribed') : permanent('refused')
}

const findByAddress = async (
  ask: CallProvider,
  email: string,
): Promise<string | undefined | Failure> => {
  const query = `?email_address=${encodeURIComponent(email)}&status=all`
  const reply = await ask({ method: 'GET', path: `/subscribers${query}` })
  if (reply.kind !== 'reply') return reply
  const found = listField(reply.json, 'subscribers')
  if (reply.status !== 200 || !found) return unknown(`http_${reply.status}`)
  const same = found.find((subscriber) =>
    isSameEmail(textField(subscriber, 'email_address') ?? '', email),
  )
  return idField(same)
}

/** Unsubscribes a person at Kit by id, or by address if the id is unknown or gone. */
export const eraseAtKit = async (
  ask: CallProvider,
  { email, vendor_contact_id }: KnownPerson,
  kind: ErasureKind,
): Promise<ErasureOutcome> => {
  // The API of Kit has no deletion.
  if (kind !== 'unsubscribe') return permanent('not_offered')
  if (vendor_contact_id !== null) {
    const outcome = await unsubscribeById(ask, vendor_contact_id)
    if (outcome !== 'unknown_id') return outcome
  }
  const id = await findByAddress(ask, email)
  if (typeof id === 'object') return id
  const outcome = id === undefined ? 'unknown_id' : await unsubscribeById(ask, id)
  return outcome === 'unknown_id' ? erased('already_gone') : outcome
}

/** Finds or creates a tag; Kit ignores the case of the name. */
export const makeTag = (name: string): ToolRequest => ({
  method: 'POST',
  path: '/tags',
  json: { name },
})

/** Assigns a tag to a subscriber. */
export const giveTag = (tag_id: string, subscriber_id: string): ToolRequest => ({
  method: 'POST',
  path: `/tags/${encodeURIComponent(tag_id)}/subscribers/${encodeURIComponent(subscriber_id)}`,
  json: {},
})
