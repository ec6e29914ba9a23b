import type { ErasureKind } from '#domain/deliveries/erasures.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { brevoRequestsOf, findLists, listGroups, putContact } from './brevo-api.ts'
import { fieldsOf, listAttributes, makeAttribute, usable } from './brevo-attributes.ts'
import { createLabelIds, type LabelIds } from './label-ids.ts'
import type {
  AccountLabels,
  Contact,
  DeliveryOutcome,
  ErasureOutcome,
  Failure,
  KnownPerson,
  OpenConnection,
  Provider,
} from './provider.ts'
import {
  type CallProvider,
  configurationProblem,
  countCalls,
  credential,
  erased,
  failureOf,
  fieldOf,
  idField,
  listField,
  type OutboundReply,
  permanent,
  send,
  textField,
  unknown,
} from './provider-requests.ts'
import { provisionFields } from './provision-fields.ts'

/** Deletes a person at Brevo or excludes them from all campaigns, by address. */
const eraseAtBrevo = async (
  ask: CallProvider,
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

/** Pattern of error messages about lists, whose wording is not documented. */
const LIST = /list/i
const IP_BLOCK = /ip address|authorised_ips/i
const IP = /\b(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7})\b/i

/** Converts an error reply of Brevo to a failure. */
const brevoFailure = (reply: OutboundReply): Failure => {
  const message = messageOf(reply)
  if (reply.status === 401 && IP_BLOCK.test(message)) {
    const [ip] = IP.exec(message) ?? []
    return { ...credential('ip_blocked'), ...(ip !== undefined && { ip }) }
  }
  const seconds = Number(reply.headers.get('x-sib-ratelimit-reset') ?? Number.NaN)
  return failureOf(reply, Number.isFinite(seconds) ? seconds * 1000 : undefined)
}

/** Creates the client of Brevo v3. Contacts are created or updated by address, and the result is a text attribute. */
export const createBrevo = ({ api_url }: { api_url: string }): Provider => {
  const idsFor = createLabelIds()
  /** Returns 400 and 404 as replies, because their meaning depends on the call. */
  const askWith =
    (secret: string): CallProvider =>
    async (request) => {
      const reply = await send({ base: api_url, headers: { 'api-key': secret }, ...request })
      if (reply.kind !== 'reply' || reply.status === 400 || reply.status === 404) return reply
      return reply.status >= 200 && reply.status < 300 ? reply : brevoFailure(reply)
    }

  return {
    name: 'brevo',

    check: async (secret) => {
      const ask = askWith(secret)
      const account = await ask({ method: 'GET', path: '/account' })
      if (account.kind !== 'reply') return account
      const vendor_email = textField(account.json, 'email')
      if (account.status !== 200 || !vendor_email) return unknown('no_account')
      const attributes = await listAttributes(ask)
      if (!(attributes instanceof Map)) return attributes
      return { kind: 'valid', vendor_account_id: vendor_email, vendor_email }
    },

    provision: (connection, names, beforeMaking) =>
      countCalls(
        askWith(connection.secret),
        (ask) =>
          provisionFields(names, {
            list: () => listAttributes(ask),
            find: usable,
            make: async (name) => {
              await beforeMaking?.(name)
              return makeAttribute(ask, name.toUpperCase())
            },
          }),
        connection,
      ),

    deliver: (connection, contact, completed_calls) =>
      countCalls(
        askWith(connection.secret),
        (ask) => writeContact(ask, idsFor(contact), { connection, contact, completed_calls }),
        connection,
      ),

    // Brevo offers no kind of labels but lists.
    listLabels: (connection) =>
      countCalls(
        askWith(connection.secret),
        async (ask): Promise<AccountLabels | Failure> => {
          const lists = await listGroups(ask, 'lists')
          return Array.isArray(lists) ? { kind: 'labels', labels: lists } : lists
        },
        connection,
      ),

    listFields: async ({ secret }) => {
      const attributes = await listAttributes(askWith(secret))
      return attributes instanceof Map ? fieldsOf(attributes) : attributes
    },

    requestsOf: brevoRequestsOf,

    erase: ({ secret }, person, kind) =>
      countCalls(askWith(secret), (ask) => eraseAtBrevo(ask, person, kind)),
  }
}

/** Writes the contact with its values and lists in one call, after the ids of the lists are resolved. */
const writeContact = async (
  ask: CallProvider,
  ids: LabelIds,
  {
    connection,
    contact,
    completed_calls,
  }: { connection: OpenConnection; contact: Contact; completed_calls: CompletedCalls },
): Promise<DeliveryOutcome> => {
  if (completed_calls.has_contact) return readKnown(ask, contact, completed_calls)
  const { labels } = contact
  let lists = await findLists(ask, ids, { connection, labels })
  if (lists.kind !== 'lists') return { ...lists, completed_calls }
  let reply = await ask(putContact(contact, [...lists.ids.keys()]))
  if (reply.kind !== 'reply') return { ...reply, completed_calls }
  if (reply.status === 400 && lists.ids.size > 0 && LIST.test(messageOf(reply))) {
    lists = await findLists(ask, ids, { connection, labels, isAgain: true })
    if (lists.kind !== 'lists') return { ...lists, completed_calls }
    reply = await ask(putContact(contact, [...lists.ids.keys()]))
    if (reply.kind !== 'reply') return { ...reply, completed_calls }
  }
  if (reply.status !== 201 && reply.status !== 204) return { ...refusalOf(reply), completed_calls }
  const done = {
    has_contact: true,
    ...(lists.ids.size > 0 && { labels: [...lists.ids.values()].map(({ name }) => name) }),
    ...(lists.refused.length > 0 && { refused_labels: lists.refused }),
  }
  const id = idField(reply.json)
  if (id === undefined) return readKnown(ask, contact, done)
  return deliveredWith(id, { ...done, vendor_contact_id: id })
}

const deliveredWith = (
  vendor_contact_id: string | null,
  completed_calls: CompletedCalls,
): DeliveryOutcome => ({
  kind: 'delivered',
  vendor_contact_id,
  ...(completed_calls.refused_labels && { warning: 'label_refused' }),
  completed_calls,
})

/**
 * Reads an existing contact to determine the outcome. Brevo reports success even if the contact has unsubscribed or
 * the attribute is missing.
 */
const readKnown = async (
  ask: CallProvider,
  { email, fields }: Contact,
  completed_calls: CompletedCalls,
): Promise<DeliveryOutcome> => {
  const { vendor_contact_id } = completed_calls
  if (vendor_contact_id !== undefined) return deliveredWith(vendor_contact_id, completed_calls)
  const reply = await ask({ method: 'GET', path: `/contacts/${encodeURIComponent(email)}` })
  if (reply.kind !== 'reply') return { ...reply, completed_calls }
  const id = idField(reply.json)
  // The contact was just written, so a failed read does not change the success.
  if (reply.status !== 200 || id === undefined) return deliveredWith(null, completed_calls)
  const attributes = fieldOf(reply.json, 'attributes')
  if (fields.some(({ key }) => fieldOf(attributes, key) === undefined))
    return { ...configurationProblem('field_missing'), completed_calls: {} }
  const done = { ...completed_calls, vendor_contact_id: id }
  if (fieldOf(reply.json, 'emailBlacklisted') === true)
    return { kind: 'suppressed', reason: 'unsubscribed', completed_calls: done }
  return deliveredWith(id, done)
}

const messageOf = ({ json }: Pick<OutboundReply, 'json'>): string =>
  textField(json, 'message') ?? ''

/** Returns the reason for a refused contact, which the error code alone does not tell. */
const refusalOf = ({ status, json }: OutboundReply): Failure => {
  if (status >= 200 && status < 300) return unknown(`http_${status}`)
  const message = messageOf({ json })
  if (/primary key/i.test(message)) return configurationProblem('field_missing')
  if (listField(fieldOf(json, 'metadata'), 'duplicate_identifiers')) return permanent('duplicate')
  if (status === 400 && /email/i.test(message)) return permanent('invalid_email')
  return status === 400 && textField(json, 'code')
    ? permanent('refused')
    : unknown(`http_${status}`)
}
