import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { findLists, putContact } from './brevo-api.ts'
import { type AttributeCache, type Attributes, nativeKeysOf } from './brevo-attributes.ts'
import { type OutboundField, outboundFields } from './contact-fields.ts'
import { type LabelIds, warningOf } from './label-ids.ts'
import type {
  Contact,
  DeliveryOutcome,
  Failure,
  OpenConnection,
  OutboundReply,
} from './provider.ts'
import {
  type CallProvider,
  configurationProblem,
  fieldOf,
  idField,
  listField,
  permanent,
  textField,
  unknown,
} from './provider-requests.ts'
import {
  callsToRepeat,
  type WriteReply,
  withRefusedFields,
  writeContactFields,
} from './write-contact.ts'

/** Pattern of error messages about lists, whose wording is not documented. */
const LIST = /list/i

/** Returns the English sentence of an error reply. */
export const messageOf = ({ json }: Pick<OutboundReply, 'json'>): string =>
  textField(json, 'message') ?? ''

const hasName = ({ person }: Contact): boolean =>
  person.first_name !== null || person.last_name !== null

/** Fields of a contact, and the French names of the parts that the account has no attribute for. */
type AccountContact = ReturnType<typeof outboundFields>

/** Returns the parts of the contact data that the account has no attribute for. */
const missingNames =
  ({ person }: Contact) =>
  (attributes: Attributes): string[] => {
    const keys = nativeKeysOf(attributes)
    return (['first_name', 'last_name'] as const).filter(
      (role) => person[role] !== null && keys[role] === null,
    )
  }

/** Returns the fields for Brevo. Looks up the attributes of names, which depend on the language of the account. */
const findFields = async (
  ask: CallProvider,
  cache: AttributeCache,
  { connection, contact }: { connection: OpenConnection; contact: Contact },
): Promise<AccountContact | Failure> => {
  if (!hasName(contact)) return outboundFields('brevo', contact)
  if (contact.is_trial) cache.forget(connection)
  const attributes = await cache.find(ask, connection, missingNames(contact))
  return attributes instanceof Map
    ? outboundFields('brevo', contact, nativeKeysOf(attributes))
    : attributes
}

const SMS = 'SMS'

/** Returns a refused contact. Only a duplicate number is named, by its identifier. */
const refusalOf = ({ status, json }: OutboundReply): WriteReply<null> => {
  if (status !== 400 || !textField(json, 'code')) return unknown(`http_${status}`)
  const message = messageOf({ json })
  const identifiers = listField(fieldOf(json, 'metadata'), 'duplicate_identifiers')
  if (identifiers) {
    const isNumber = identifiers.some((name) => String(name).toUpperCase() === SMS)
    return { kind: 'refused', failure: permanent('duplicate'), ...(isNumber && { keys: [SMS] }) }
  }
  let failure: Failure = permanent('refused')
  if (/primary key/i.test(message)) failure = configurationProblem('field_missing')
  else if (/email/i.test(message)) failure = permanent('invalid_email')
  return { kind: 'refused', failure }
}

type Delivery = {
  connection: OpenConnection
  contact: Contact
  completed_calls: CompletedCalls
}

/** Writes the contact with its values and lists in one call, after the ids of the lists are resolved. */
export const writeContact = async (
  ask: CallProvider,
  { ids, cache }: { ids: LabelIds; cache: AttributeCache },
  { connection, contact, completed_calls }: Delivery,
): Promise<DeliveryOutcome> => {
  const at = { ask, cache, connection }
  if (completed_calls.has_contact) return readKnown(at, contact.fields, contact, completed_calls)
  const found = await findFields(ask, cache, { connection, contact })
  if ('kind' in found) return { ...found, completed_calls }
  const { email } = contact
  const { labels: given = [], refused_labels = [] } = completed_calls
  const labels = contact.labels.filter(({ name }) => ![...given, ...refused_labels].includes(name))
  let lists = await findLists(ask, ids, { connection, labels })
  if (lists.kind !== 'lists') return { ...lists, completed_calls }
  let hasLookedAgain = false
  let created_id: string | null = null
  const write = async (fields: readonly OutboundField[]): Promise<WriteReply<string | null>> => {
    if (lists.kind !== 'lists') return lists
    const reply = await ask(putContact(email, fields, [...lists.ids.keys()]))
    if (reply.kind !== 'reply') return reply
    if (reply.status === 201 || reply.status === 204) {
      created_id ??= idField(reply.json) ?? null
      return { kind: 'written', contact: { id: created_id, json: undefined } }
    }
    if (lists.ids.size === 0 || hasLookedAgain || !LIST.test(messageOf(reply)))
      return refusalOf(reply)
    hasLookedAgain = true
    lists = await findLists(ask, ids, { connection, labels, isAgain: true })
    return write(fields)
  }
  const done = withRefusedFields(completed_calls, found.refused)
  const written = await writeContactFields(found.fields, done, write)
  if (written.kind !== 'written') return written
  const calls = {
    ...written.completed_calls,
    ...(lists.ids.size > 0 && {
      labels: [...given, ...[...lists.ids.values()].map(({ name }) => name)],
    }),
    ...(lists.refused.length > 0 && { refused_labels: [...refused_labels, ...lists.refused] }),
  }
  const { id } = written.contact
  return id === null ? readKnown(at, found.fields, contact, calls) : deliveredWith(id, calls)
}

const deliveredWith = (
  vendor_contact_id: string | null,
  completed_calls: CompletedCalls,
): DeliveryOutcome => ({
  kind: 'delivered',
  vendor_contact_id,
  ...warningOf(completed_calls),
  completed_calls,
})

/**
 * Reads an existing contact to determine the outcome. Brevo reports success even if the contact has unsubscribed or
 * an attribute is missing.
 */
const readKnown = async (
  {
    ask,
    cache,
    connection,
  }: { ask: CallProvider; cache: AttributeCache; connection: OpenConnection },
  fields: readonly OutboundField[],
  { email }: Contact,
  completed_calls: CompletedCalls,
): Promise<DeliveryOutcome> => {
  const { vendor_contact_id, refused_fields = [] } = completed_calls
  if (vendor_contact_id !== undefined) return deliveredWith(vendor_contact_id, completed_calls)
  const reply = await ask({ method: 'GET', path: `/contacts/${encodeURIComponent(email)}` })
  if (reply.kind !== 'reply') return { ...reply, completed_calls }
  const id = idField(reply.json)
  // The contact was just written, so a failed read does not change the success.
  if (reply.status !== 200 || id === undefined) return deliveredWith(null, completed_calls)
  const attributes = fieldOf(reply.json, 'attributes')
  const missing = fields.filter(
    ({ key, name, is_result }) =>
      (is_result || !refused_fields.includes(name)) && fieldOf(attributes, key) === undefined,
  )
  if (missing.length > 0) cache.forget(connection)
  if (missing.some(({ can_recreate, is_result }) => can_recreate || is_result))
    return {
      ...configurationProblem('field_missing'),
      completed_calls: callsToRepeat(completed_calls),
    }
  const done = {
    ...withRefusedFields(
      completed_calls,
      missing.map(({ name }) => name),
    ),
    vendor_contact_id: id,
  }
  if (fieldOf(reply.json, 'emailBlacklisted') === true)
    return { kind: 'suppressed', reason: 'unsubscribed', completed_calls: done }
  return deliveredWith(id, done)
}
