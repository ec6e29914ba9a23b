import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { createApplyLabel, isPlanRefusal } from './enrolments.ts'
import { eraseAtKit, giveTag, makeTag } from './kit-api.ts'
import { writeKitContact } from './kit-contacts.ts'
import {
  checkResumedEnrolments,
  createKitEnrol,
  isKitGroupReply,
  kitListOf,
  suppressionOf,
} from './kit-enrolments.ts'
import {
  type ApplyLabel,
  applyLabels,
  createLabelIds,
  type FindOrMake,
  type LabelIds,
} from './label-ids.ts'
import type {
  AccountLabels,
  Contact,
  DeliveryOutcome,
  Failure,
  OpenConnection,
  Provider,
  ProvisionedField,
  SendRequest,
} from './provider.ts'
import {
  type CallProvider,
  configurationProblem,
  countCalls,
  credential,
  failureOf,
  fieldOf,
  idField,
  listField,
  namedOf,
  permanent,
  sendOverHttp,
  textField,
  unknown,
} from './provider-requests.ts'
import { mappableFields, provisionFields } from './provision-fields.ts'

const FIRST_WAIT_MS = 5_000
const MAX_PAGES = 20

type Field = { key: string; label: string }

/** Creates the client of Kit v4. Subscribers are created or updated by address, and the result is a custom field. */
export const createKit = ({
  api_url,
  send = sendOverHttp,
}: {
  api_url: string
  send?: SendRequest
}): Provider => {
  const idsFor = createLabelIds()
  /** Returns 400, 404 and 422 as replies, because their meaning depends on the call. */
  const askWith =
    (secret: string): CallProvider =>
    async (request) => {
      const headers = { authorization: `Bearer ${secret}` }
      const reply = await send({ base: api_url, headers, ...request })
      if (reply.kind !== 'reply') return reply
      const { status } = reply
      if ((status >= 200 && status < 300) || [400, 404, 422].includes(status)) return reply
      if (isKitGroupReply(request, status)) return reply
      // A 401 asks for a token refresh, which shows whether the connection still works.
      return status === 401 ? credential('reconnect') : failureOf(reply, FIRST_WAIT_MS)
    }

  return {
    name: 'convertkit',

    check: async (secret) => {
      const reply = await askWith(secret)({ method: 'GET', path: '/account' })
      if (reply.kind !== 'reply') return reply
      const account = fieldOf(reply.json, 'account')
      const id = idField(account)
      if (reply.status !== 200 || id === undefined) return unknown('no_account')
      const vendor_email =
        textField(account, 'primary_email_address') ??
        textField(fieldOf(reply.json, 'user'), 'email') ??
        null
      return { kind: 'valid', vendor_account_id: id, vendor_email }
    },

    provision: (connection, names) =>
      countCalls(
        askWith(connection.secret),
        (ask) =>
          provisionFields(names, {
            list: () => listFields(ask),
            find: findField,
            make: (label) => makeField(ask, label),
          }),
        connection,
      ),

    deliver: (connection, contact, completed_calls) =>
      countCalls(
        askWith(connection.secret),
        (ask) => {
          const ids = idsFor(contact)
          const tag = taggerOf(ask, ids, connection)
          const enrol = createKitEnrol(ask, contact)
          const apply = createApplyLabel(ids, connection, { tag, enrol })
          return writeSubscriber(ask, contact, completed_calls, apply)
        },
        connection,
      ),

    listLabels: (connection, kind) =>
      countCalls(
        askWith(connection.secret),
        async (ask): Promise<AccountLabels | Failure> => {
          const items = await listAll(ask, kitListOf(kind))
          if (!Array.isArray(items)) return items ?? unknown('no_labels')
          const active = items.filter((item) => fieldOf(item, 'archived') !== true)
          return { kind: 'labels', labels: active.flatMap(namedOf) }
        },
        connection,
      ),

    listFields: async ({ secret }) => {
      const fields = await listFields(askWith(secret))
      if (!Array.isArray(fields)) return fields
      // Kit's reference knows no type besides text.
      const all = fields.map(({ key, label }) => ({ key, name: label, type: 'text' as const }))
      return mappableFields('convertkit', all)
    },

    withTransport: (send) => createKit({ api_url, send }),

    erase: ({ secret }, person, kind) =>
      countCalls(askWith(secret), (ask) => eraseAtKit(ask, person, kind)),
  }
}

/** Returns all items of a list, page by page. Returns undefined if a reply is not a list. */
const listAll = async (
  ask: CallProvider,
  kind: 'custom_fields' | ReturnType<typeof kitListOf>,
): Promise<unknown[] | Failure | undefined> => {
  const items: unknown[] = []
  let after = ''
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const reply = await ask({ method: 'GET', path: `/${kind}?per_page=500${after}` })
    if (reply.kind !== 'reply') return reply
    if (isPlanRefusal(reply)) return permanent('plan')
    const found = listField(reply.json, kind)
    if (reply.status !== 200 || !found) return undefined
    items.push(...found)
    const pagination = fieldOf(reply.json, 'pagination')
    const cursor = textField(pagination, 'end_cursor')
    if (fieldOf(pagination, 'has_next_page') !== true || !cursor) break
    after = `&after=${encodeURIComponent(cursor)}`
  }
  return items
}

const listFields = async (ask: CallProvider): Promise<Field[] | Failure> => {
  const fields = await listAll(ask, 'custom_fields')
  if (!Array.isArray(fields)) return fields ?? unknown('no_fields')
  return fields.map((field) => ({
    key: textField(field, 'key') ?? '',
    label: textField(field, 'label') ?? '',
  }))
}

const makeField = async (
  ask: CallProvider,
  label: string,
): Promise<ProvisionedField | Failure | 'refused'> => {
  const made = await ask({ method: 'POST', path: '/custom_fields', json: { label } })
  if (made.kind !== 'reply') return made
  const key = textField(fieldOf(made.json, 'custom_field'), 'key')
  return made.status < 300 && key ? { kind: 'provisioned', field_key: key } : 'refused'
}

const findField = (fields: readonly Field[], name: string): ProvisionedField | undefined => {
  const field =
    fields.find(({ label }) => label === name) ??
    fields.find(({ label }) => label.toLowerCase() === name.toLowerCase()) ??
    fields.find(({ key }) => key === name)
  return field && field.key !== '' ? { kind: 'provisioned', field_key: field.key } : undefined
}

/** Writes the contact with its values, then gives the labels. */
const writeSubscriber = async (
  ask: CallProvider,
  contact: Contact,
  done: CompletedCalls,
  apply: ApplyLabel,
): Promise<DeliveryOutcome> => {
  const { vendor_contact_id } = done
  if (done.has_contact && vendor_contact_id) {
    const resumed = { ...done, vendor_contact_id }
    const ended = await checkResumedEnrolments(ask, contact, resumed)
    return ended ?? applyLabels(contact.labels, resumed, apply)
  }
  const written = await writeKitContact(ask, contact, done)
  if (written.kind !== 'written') return written
  const { id, json } = written.contact
  const completed_calls = { ...written.completed_calls, vendor_contact_id: id }
  const reason = suppressionOf(json)
  if (reason) return { kind: 'suppressed', reason, completed_calls }
  return applyLabels(contact.labels, completed_calls, apply)
}

/** Returns the function that assigns tags, and that creates a missing tag again. */
const taggerOf = (ask: CallProvider, ids: LabelIds, connection: OpenConnection): ApplyLabel => {
  const findOrMake: FindOrMake = async (name) => {
    const tag = await ask(makeTag(name))
    if (tag.kind !== 'reply') return tag
    if (tag.status === 422) return 'refused'
    return idField(fieldOf(tag.json, 'tag')) ?? unknown('no_tag')
  }
  return async (subscriber_id, label) => {
    for (const find of [ids.find, ids.findWithoutCache]) {
      const id = await find(connection, label, findOrMake)
      if (typeof id !== 'string' || id === 'refused') return id
      const reply = await ask(giveTag(id, subscriber_id))
      if (reply.kind !== 'reply') return reply
      if (reply.status !== 404) return reply.status < 300 ? 'done' : 'refused'
    }
    // The tag exists, so the subscriber is missing.
    return configurationProblem('contact_missing')
  }
}
