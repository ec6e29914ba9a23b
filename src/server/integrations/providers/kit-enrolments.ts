import type { LabelKind } from '#domain/deliveries/enrolment-kinds.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { type Enrol, type Group, isGroupRefusal, isPlanRefusal } from './enrolments.ts'
import type { Contact, DeliveryOutcome, ToolRequest } from './provider.ts'
import { type CallProvider, configurationProblem, fieldOf, textField } from './provider-requests.ts'

/** States of unsubscribed people, who stay unchanged without a failure. */
const SUPPRESSED = ['cancelled', 'bounced', 'complained'] as const

/** Returns the state of a subscriber in a reply of Kit if Kit sends this person no mails. */
export const suppressionOf = (json: unknown): (typeof SUPPRESSED)[number] | undefined => {
  const state = textField(fieldOf(json, 'subscriber'), 'state')
  return SUPPRESSED.find((word) => word === state)
}

/** Lists of Kit by kind of label. Archived forms are in another list. */
export const kitListOf = (kind: LabelKind | null): 'tags' | 'sequences' | 'forms' => {
  if (kind === null) return 'tags'
  return kind === 'form' ? 'forms' : 'sequences'
}

/** Returns true if a reply of Kit about a sequence or form refuses this call alone. */
export const isKitGroupReply = ({ path }: Pick<ToolRequest, 'path'>, status: number): boolean =>
  /^\/(?:sequences|forms)\b/.test(path) && isGroupRefusal(status)

/**
 * Adds a subscriber to a sequence by id, or to a form by address. Kit requires a referrer for a form by id. A repeat
 * has no effect.
 */
const joinGroup = (
  { kind, vendor_id }: Group,
  subscriber_id: string,
  email: string,
): ToolRequest =>
  kind === 'form'
    ? {
        method: 'POST',
        path: `/forms/${encodeURIComponent(vendor_id)}/subscribers`,
        json: { email_address: email },
      }
    : {
        method: 'POST',
        path: `/sequences/${encodeURIComponent(vendor_id)}/subscribers/${encodeURIComponent(subscriber_id)}`,
        json: {},
      }

const readSubscriber = (id: string): ToolRequest => ({
  method: 'GET',
  path: `/subscribers/${encodeURIComponent(id)}`,
})

/** Returns the function that adds the contact to sequences and forms of Kit. */
export const createKitEnrol =
  (ask: CallProvider, { email }: Contact): Enrol =>
  async (subscriber_id, group) => {
    const joined = await ask(joinGroup(group, subscriber_id, email))
    if (joined.kind !== 'reply') return joined
    if (joined.status < 300) return 'done'
    if (isPlanRefusal(joined)) return 'plan'
    if (joined.status !== 404) return 'refused'
    // The subscriber or the group is missing.
    const person = await ask(readSubscriber(subscriber_id))
    if (person.kind !== 'reply') return person
    return person.status === 404 ? configurationProblem('contact_missing') : 'missing'
  }

/**
 * Checks before a resumed delivery enrols anybody whether the person has unsubscribed since. A form or sequence could
 * subscribe them again. Returns undefined if the delivery may continue.
 */
export const checkResumedEnrolments = async (
  ask: CallProvider,
  { labels }: Contact,
  completed_calls: CompletedCalls & { vendor_contact_id: string },
): Promise<DeliveryOutcome | undefined> => {
  if (labels.every(({ kind }) => kind === null)) return undefined
  const person = await ask(readSubscriber(completed_calls.vendor_contact_id))
  if (person.kind !== 'reply') return { ...person, completed_calls }
  if (person.status === 404)
    return { ...configurationProblem('contact_missing'), completed_calls: {} }
  const reason = suppressionOf(person.json)
  return reason && { kind: 'suppressed', reason, completed_calls }
}
