import type { Label } from '#domain/deliveries/automations.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import type { Contact, DeliveryOutcome, Failure, OpenConnection } from './provider.ts'
import { PROVIDER_TIMEOUT_MS, transient } from './provider-requests.ts'

/** Assigns a tag to an existing contact. The call is idempotent. */
export type ApplyLabel = (contact_id: string, label: Label) => Promise<'done' | 'refused' | Failure>

/**
 * Assigns the remaining labels to a written contact, one by one, so that a repeat continues after the last. A refused
 * label, such as one beyond the limit of a plan, does not fail the delivery.
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
    // The completed calls are void because the contact has to be created again.
    else if (applied.kind === 'configuration') return { ...applied, completed_calls: {} }
    else return { ...applied, completed_calls }
  }
  const warning = completed_calls.refused_labels && { warning: 'label_refused' as const }
  return { kind: 'delivered', vendor_contact_id, ...warning, completed_calls }
}

/** Maximum number of cached ids, which take a few bytes each. */
const MAX_CACHED_IDS = 10_000
/** Milliseconds for which a refused label is not requested again. A trial by the creator requests the label at once. */
const REFUSED_FOR_MS = 600_000

type LabelIdOrFailure = string | 'refused' | Failure
/** Returns the id of the tag or list with a name, and creates a missing one. */
export type FindOrMake = (name: string) => Promise<LabelIdOrFailure>

/** Cached ids of the tags and lists of an account. */
export type LabelIds = {
  find: (
    connection: OpenConnection,
    label: Label,
    findOrMake: FindOrMake,
  ) => Promise<LabelIdOrFailure>
  /** Searches by name for a label whose stored id no longer exists. */
  findWithoutCache: (
    connection: OpenConnection,
    label: Label,
    findOrMake: FindOrMake,
  ) => Promise<LabelIdOrFailure>
  /** Records that the account refuses the label. */
  refuse: (connection: OpenConnection, label: Label) => 'refused'
}

const keyOf = ({ id, vendor_account_id }: OpenConnection, { name, vendor_id }: Label): string =>
  `${id} ${vendor_account_id} ${vendor_id} ${name.toLowerCase()}`

/** Waits for the search of another delivery, at most as long as one call may take. */
const waitFor = async (
  search: Promise<LabelIdOrFailure>,
  { isLate }: OpenConnection,
): Promise<LabelIdOrFailure> => {
  let found: LabelIdOrFailure = transient('timeout')
  if (isLate?.()) return found
  await settleWithin(
    PROVIDER_TIMEOUT_MS,
    search.then((one) => {
      found = one
    }),
  )
  return found
}

/** Creates a cache of the ids of tags and lists. Refused labels are cached for ten minutes, except for trials. */
export const createLabelIds = (now = Date.now) => {
  const ids = createLruCache<string>(MAX_CACHED_IDS)
  const refusals = createLruCache<number>(MAX_CACHED_IDS)
  const searches = new Map<string, Promise<LabelIdOrFailure>>()
  const refuse: LabelIds['refuse'] = (connection, label) => {
    refusals.set(keyOf(connection, label), now() + REFUSED_FOR_MS)
    return 'refused'
  }
  /** Concurrent deliveries share one search, so that they create no duplicate labels. */
  const findWithoutCache: LabelIds['findWithoutCache'] = (connection, label, findOrMake) => {
    const key = keyOf(connection, label)
    const findOrMakeId = async (): Promise<LabelIdOrFailure> => {
      ids.delete(key)
      const found = await findOrMake(label.name)
      if (found === 'refused') return refuse(connection, label)
      if (typeof found === 'string') ids.set(key, found)
      return found
    }
    const underWay = searches.get(key)
    if (underWay) return waitFor(underWay, connection)
    const begun = findOrMakeId().finally(() => searches.delete(key))
    searches.set(key, begun)
    return begun
  }
  const cached: LabelIds = {
    find: async (connection, label, findOrMake) => {
      const key = keyOf(connection, label)
      if ((refusals.get(key) ?? 0) > now()) return 'refused'
      return ids.get(key) ?? label.vendor_id ?? findWithoutCache(connection, label, findOrMake)
    },
    findWithoutCache,
    refuse,
  }
  const uncached: LabelIds = {
    ...cached,
    find: (connection, label, findOrMake) => {
      refusals.delete(keyOf(connection, label))
      return cached.find(connection, label, findOrMake)
    },
  }
  return ({ is_trial }: Pick<Contact, 'is_trial'>): LabelIds => (is_trial ? uncached : cached)
}
