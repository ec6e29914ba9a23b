import type { Label } from '#domain/deliveries/automations.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import { createLruCache } from '#server/runtime/lru-cache.ts'
import type { Contact, DeliveryOutcome, Failure, OpenConnection } from './provider.ts'
import { PROVIDER_TIMEOUT_MS, transient } from './provider-requests.ts'

/** Gives a tag to a contact that is there; repeatable. */
export type ApplyLabel = (contact_id: string, label: Label) => Promise<'done' | 'refused' | Failure>

/**
 * The end of a delivery whose contact is there: gives it the labels that it has not got yet, one by one, so that a
 * repeat goes on from there. One that is refused, as by the limit of a plan, costs no participant, and a repeat does not
 * ask for it again.
 */
export const applyLabels = async (
  labels: readonly Label[],
  before: CompletedCalls & { vendor_contact_id: string },
  apply: ApplyLabel,
): Promise<DeliveryOutcome> => {
  const { vendor_contact_id } = before
  let completed_calls: CompletedCalls = before
  for (const label of labels) {
    const { labels: given = [], refused_labels: refused = [] } = completed_calls
    if (given.includes(label.name) || refused.includes(label.name)) continue
    const applied = await apply(vendor_contact_id, label)
    if (applied === 'refused')
      completed_calls = { ...completed_calls, refused_labels: [...refused, label.name] }
    else if (applied === 'done')
      completed_calls = { ...completed_calls, labels: [...given, label.name] }
    // Nothing that was done counts for a contact that is made again.
    else if (applied.kind === 'configuration') return { ...applied, completed_calls: {} }
    else return { ...applied, completed_calls }
  }
  const warning = completed_calls.refused_labels && { warning: 'label_refused' as const }
  return { kind: 'delivered', vendor_contact_id, ...warning, completed_calls }
}

/** Numbers of a few bytes each. */
const MOST = 10_000
/** A creator who takes a larger plan waits no longer for their labels; a trial of theirs asks at once. */
const REFUSED_FOR_MS = 600_000

type Found = string | 'refused' | Failure
/** Gives the number of the tag or list of a name, which is made where there is none. */
export type FindOrMake = (name: string) => Promise<Found>

export type LabelIds = {
  find: (connection: OpenConnection, label: Label, findOrMake: FindOrMake) => Promise<Found>
  /** The same for one whose number is gone: its name is looked for. */
  findAgain: (connection: OpenConnection, label: Label, findOrMake: FindOrMake) => Promise<Found>
  /** Notes that the account does not give this one. */
  refuse: (connection: OpenConnection, label: Label) => 'refused'
}

const keyOf = ({ id, vendor_account_id }: OpenConnection, { name, vendor_id }: Label): string =>
  `${id} ${vendor_account_id} ${vendor_id} ${name.toLowerCase()}`

/** Waits for the look of another delivery, whose time may end after that of this one, as long as a call may take. */
const waitFor = async (look: Promise<Found>, { isLate }: OpenConnection): Promise<Found> => {
  let found: Found = transient('timeout')
  if (isLate?.()) return found
  await settleWithin(
    PROVIDER_TIMEOUT_MS,
    look.then((one) => {
      found = one
    }),
  )
  return found
}

/**
 * Remembers which number a tag or list has in an account, and for ten minutes which ones it refuses, so that deliveries
 * do not ask for it each time. A trial asks for what was refused.
 */
export const createLabelIds = (now = Date.now) => {
  const ids = createLruCache<string>(MOST)
  const refusals = createLruCache<number>(MOST)
  const looking = new Map<string, Promise<Found>>()
  const refuse: LabelIds['refuse'] = (connection, label) => {
    refusals.set(keyOf(connection, label), now() + REFUSED_FOR_MS)
    return 'refused'
  }
  /** Deliveries at once wait for one look, so that they do not make it several times. */
  const findAgain: LabelIds['findAgain'] = (connection, label, findOrMake) => {
    const key = keyOf(connection, label)
    const look = async (): Promise<Found> => {
      ids.delete(key)
      const found = await findOrMake(label.name)
      if (found === 'refused') return refuse(connection, label)
      if (typeof found === 'string') ids.set(key, found)
      return found
    }
    const underWay = looking.get(key)
    if (underWay) return waitFor(underWay, connection)
    const begun = look().finally(() => looking.delete(key))
    looking.set(key, begun)
    return begun
  }
  const usual: LabelIds = {
    find: async (connection, label, findOrMake) => {
      const key = keyOf(connection, label)
      if ((refusals.get(key) ?? 0) > now()) return 'refused'
      return ids.get(key) ?? label.vendor_id ?? findAgain(connection, label, findOrMake)
    },
    findAgain,
    refuse,
  }
  const anew: LabelIds = {
    ...usual,
    find: (connection, label, findOrMake) => {
      refusals.delete(keyOf(connection, label))
      return usual.find(connection, label, findOrMake)
    },
  }
  return ({ is_trial }: Pick<Contact, 'is_trial'>): LabelIds => (is_trial ? anew : usual)
}
