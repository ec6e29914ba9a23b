import type { Label } from '#domain/deliveries/automations.ts'
import type { EnrolmentRefusal } from '#domain/deliveries/enrolment-kinds.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import type { Contact, DeliveryOutcome, Failure, OpenConnection } from './provider.ts'
import { PROVIDER_TIMEOUT_MS, transient } from './provider-requests.ts'
import { callsToRepeat } from './write-contact.ts'

/** Gives a label to an existing contact. The call is idempotent. */
export type ApplyLabel = (
  contact_id: string,
  label: Label,
) => Promise<'done' | EnrolmentRefusal | Failure>

const isKnown = ({ name, kind, vendor_id }: Label, calls: CompletedCalls): boolean => {
  const { labels = [], refused_labels = [], enrolments = [], refused_enrolments = [] } = calls
  if (kind === null) return labels.includes(name) || refused_labels.includes(name)
  return [...enrolments, ...refused_enrolments].some(
    (enrolment) =>
      enrolment.kind === kind && enrolment.vendor_id === vendor_id && enrolment.name === name,
  )
}

/** Adds the outcome for a label. Labels of different kinds may have one name. */
const record = (
  calls: CompletedCalls,
  { name, kind, vendor_id }: Label,
  outcome: 'done' | EnrolmentRefusal,
): CompletedCalls => {
  const { labels = [], refused_labels = [], enrolments = [], refused_enrolments = [] } = calls
  const isDone = outcome === 'done'
  if (kind === null)
    return isDone
      ? { ...calls, labels: [...labels, name] }
      : { ...calls, refused_labels: [...refused_labels, name] }
  const enrolment = { kind, name, vendor_id }
  return isDone
    ? { ...calls, enrolments: [...enrolments, enrolment] }
    : { ...calls, refused_enrolments: [...refused_enrolments, { ...enrolment, code: outcome }] }
}

/**
 * Gives the remaining labels to a written contact, one by one, so that a repeat continues after the last. A refused
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
    if (isKnown(label, completed_calls)) continue
    const applied = await apply(vendor_contact_id, label)
    if (typeof applied === 'string') completed_calls = record(completed_calls, label, applied)
    // The completed calls are void because the contact has to be created again.
    else if (applied.kind === 'configuration')
      return { ...applied, completed_calls: callsToRepeat(completed_calls) }
    else return { ...applied, completed_calls }
  }
  return { kind: 'delivered', vendor_contact_id, ...warningOf(completed_calls), completed_calls }
}

/** Returns the warning of a delivery whose labels or fields the tool refused. */
export const warningOf = ({
  refused_labels,
  refused_enrolments,
  refused_fields,
}: CompletedCalls): { warning?: 'label_refused' | 'field_refused' } => {
  if (refused_labels ?? refused_enrolments) return { warning: 'label_refused' }
  return refused_fields ? { warning: 'field_refused' } : {}
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
  /** Records that the account refuses the label to everybody, and returns the reason. */
  refuse: <Code extends EnrolmentRefusal>(
    connection: OpenConnection,
    label: Label,
    code: Code,
  ) => Code
  /** Returns the reason of a recent refusal. */
  readRefusal: (connection: OpenConnection, label: Label) => EnrolmentRefusal | undefined
}

const keyOf = (
  { id, vendor_account_id }: OpenConnection,
  { name, vendor_id, kind }: Label,
): string => `${id} ${vendor_account_id} ${kind} ${vendor_id} ${name.toLowerCase()}`

/** Waits for the search of another delivery, at most as long as one call may take. */
const waitFor = async (
  search: Promise<LabelIdOrFailure>,
  { isLate }: OpenConnection,
): Promise<LabelIdOrFailure> => {
  let found: LabelIdOrFailure = transient('timeout')
  if (isLate?.()) return found
  await settleWithin(
    PROVIDER_TIMEOUT_MS,
    search.then((label_id) => {
      found = label_id
    }),
  )
  return found
}

/** Creates a cache of the ids of tags and lists. Refused labels are cached for ten minutes, except for trials. */
export const createLabelIds = (now = () => performance.now()) => {
  const ids = createLruCache<string>(MAX_CACHED_IDS)
  const refusals = createLruCache<{ code: EnrolmentRefusal; until: number }>(MAX_CACHED_IDS)
  const searches = new Map<string, Promise<LabelIdOrFailure>>()
  const refuse: LabelIds['refuse'] = (connection, label, code) => {
    refusals.set(keyOf(connection, label), { code, until: now() + REFUSED_FOR_MS })
    return code
  }
  const readRefusal: LabelIds['readRefusal'] = (connection, label) => {
    const known = refusals.get(keyOf(connection, label))
    return known && known.until > now() ? known.code : undefined
  }
  /** Concurrent deliveries share one search, so that they create no duplicate labels. */
  const findWithoutCache: LabelIds['findWithoutCache'] = (connection, label, findOrMake) => {
    const key = keyOf(connection, label)
    const findOrMakeId = async (): Promise<LabelIdOrFailure> => {
      ids.delete(key)
      const found = await findOrMake(label.name)
      if (found === 'refused') return refuse(connection, label, found)
      if (typeof found === 'string') ids.set(key, found)
      return found
    }
    const underWay = searches.get(key)
    if (underWay) return waitFor(underWay, connection)
    const search = findOrMakeId().finally(() => searches.delete(key))
    searches.set(key, search)
    return search
  }
  const cached: LabelIds = {
    find: async (connection, label, findOrMake) => {
      if (readRefusal(connection, label) !== undefined) return 'refused'
      const known = ids.get(keyOf(connection, label)) ?? label.vendor_id
      return known ?? findWithoutCache(connection, label, findOrMake)
    },
    findWithoutCache,
    refuse,
    readRefusal,
  }
  const uncached: LabelIds = {
    ...cached,
    find: (connection, label, findOrMake) => {
      refusals.delete(keyOf(connection, label))
      return cached.find(connection, label, findOrMake)
    },
    readRefusal: (connection, label) => {
      refusals.delete(keyOf(connection, label))
      return undefined
    },
  }
  return ({ is_trial }: Pick<Contact, 'is_trial'>): LabelIds => (is_trial ? uncached : cached)
}
