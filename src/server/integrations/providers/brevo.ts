import type { ErasureKind } from '#domain/deliveries/erasures.ts'
import { listGroups } from './brevo-api.ts'
import {
  type AttributeCache,
  createAttributeCache,
  fieldsOf,
  findWritableAttribute,
  listAttributes,
  makeAttribute,
} from './brevo-attributes.ts'
import { messageOf, writeContact } from './brevo-contacts.ts'
import { createLabelIds } from './label-ids.ts'
import type {
  AccountLabels,
  ErasureOutcome,
  Failure,
  KnownPerson,
  OutboundReply,
  Provider,
  SendRequest,
} from './provider.ts'
import {
  type CallProvider,
  countCalls,
  credential,
  erased,
  failureOf,
  permanent,
  sendOverHttp,
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
export const createBrevo = ({
  api_url,
  send = sendOverHttp,
  cache = createAttributeCache(),
}: {
  api_url: string
  send?: SendRequest
  cache?: AttributeCache
}): Provider => {
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
            list: () => cache.list(ask, connection),
            find: findWritableAttribute,
            make: async (name) => {
              await beforeMaking?.(name)
              cache.forget(connection)
              return makeAttribute(ask, name.toUpperCase())
            },
          }),
        connection,
      ),

    deliver: (connection, contact, completed_calls) =>
      countCalls(
        askWith(connection.secret),
        (ask) =>
          writeContact(
            ask,
            { ids: idsFor(contact), cache },
            { connection, contact, completed_calls },
          ),
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

    listFields: async (connection) => {
      const attributes = await cache.list(askWith(connection.secret), connection)
      return attributes instanceof Map ? fieldsOf(attributes) : attributes
    },

    withTransport: (send) => createBrevo({ api_url, send, cache: cache.offline() }),

    erase: ({ secret }, person, kind) =>
      countCalls(askWith(secret), (ask) => eraseAtBrevo(ask, person, kind)),
  }
}
