import { normalizeText } from '#domain/common/normalize-text.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { createApplyLabel } from './enrolments.ts'
import { type ApplyLabel, applyLabels, createLabelIds } from './label-ids.ts'
import type {
  Contact,
  DeliveryOutcome,
  Failure,
  Provider,
  ProvisionedField,
  SendRequest,
} from './provider.ts'
import {
  type CallProvider,
  countCalls,
  credential,
  failureOf,
  fieldOf,
  idField,
  listField,
  sendOverHttp,
  textField,
  unknown,
} from './provider-requests.ts'
import { mappableFields, provisionFields } from './provision-fields.ts'
import { eraseAtSystemio } from './systemio-api.ts'
import { writeSystemioContact } from './systemio-contacts.ts'
import {
  createSystemioEnrol,
  isSystemioGroupReply,
  listSystemioGroups,
} from './systemio-enrolments.ts'
import { listTags, taggerOf } from './systemio-tags.ts'

const MAX_SLUG_LENGTH = 60

/** Returns the slug of a name: letters without accents, digits and underscores. */
export const slugOf = (name: string): string =>
  normalizeText(name, 'NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('_')
    .slice(0, MAX_SLUG_LENGTH) || 'resultat_quiz'

/** Creates the client of Systeme.io. A known address is refused and then looked up and updated. */
export const createSystemio = ({
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
      const type = request.method === 'PATCH' && { 'content-type': 'application/merge-patch+json' }
      const headers = { 'x-api-key': secret, ...type }
      const reply = await send({ base: `${api_url}/api`, headers, ...request })
      if (reply.kind !== 'reply') return reply
      const { status } = reply
      if ((status >= 200 && status < 300) || [400, 404, 422].includes(status)) return reply
      if (isSystemioGroupReply(request.path, status)) return reply
      const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN)
      // A missing header would also cause a 401, but every request has one.
      if (status === 401) return credential('invalid_key')
      return failureOf(reply, Number.isFinite(seconds) ? seconds * 1000 : undefined)
    }

  return {
    name: 'systemio',

    check: async (secret) => {
      const reply = await askWith(secret)({ method: 'GET', path: '/tags?limit=10' })
      if (reply.kind !== 'reply') return reply
      if (reply.status !== 200 || !listField(reply.json, 'items')) return unknown('no_tags')
      return { kind: 'valid', vendor_account_id: null, vendor_email: null }
    },

    provision: (connection, names) =>
      countCalls(
        askWith(connection.secret),
        (ask) =>
          provisionFields(names, {
            list: () => listNames(ask),
            find: findField,
            make: (name) => makeField(ask, name),
          }),
        connection,
      ),

    deliver: (connection, contact, completed_calls) =>
      countCalls(
        askWith(connection.secret),
        (ask) => {
          const ids = idsFor(contact)
          const tag = taggerOf(ask, ids, connection)
          const apply = createApplyLabel(ids, connection, { tag, enrol: createSystemioEnrol(ask) })
          return writeContact(ask, contact, completed_calls, apply)
        },
        connection,
      ),

    listLabels: (connection, kind) =>
      countCalls(
        askWith(connection.secret),
        (ask) => (kind === null ? listTags(ask) : listSystemioGroups(ask, kind)),
        connection,
      ),

    listFields: async ({ secret }) => {
      const names = await listNames(askWith(secret))
      if (!(names instanceof Map)) return names
      // The reference of Systeme.io knows no type besides text.
      const all = [...names].map(([key, name]) => ({ key, name, type: 'text' as const }))
      return mappableFields('systemio', all)
    },

    withTransport: (send) => createSystemio({ api_url, send }),

    erase: ({ secret }, person, kind) =>
      countCalls(askWith(secret), (ask) => eraseAtSystemio(ask, person, kind)),
  }
}

const provisioned = (field_key: string): ProvisionedField => ({ kind: 'provisioned', field_key })

/** Finds a field by its slug, by the slug of a name, or by its name. */
const findField = (
  names: ReadonlyMap<string, string>,
  field_name: string,
): ProvisionedField | undefined => {
  const slug = [field_name, slugOf(field_name)].find((name) => names.has(name))
  if (slug !== undefined) return provisioned(slug)
  const named = [...names].find(([, name]) => name.toLowerCase() === field_name.toLowerCase())
  return named && provisioned(named[0])
}

const makeField = async (
  ask: CallProvider,
  fieldName: string,
): Promise<ProvisionedField | Failure | 'refused'> => {
  const slug = slugOf(fieldName)
  const made = await ask({ method: 'POST', path: '/contact_fields', json: { fieldName, slug } })
  if (made.kind !== 'reply') return made
  return made.status === 201 ? provisioned(slug) : 'refused'
}

/** Maximum number of pages of fields, because each page takes a call from the small limit of an account. */
const MAX_FIELD_PAGES = 5

/** Returns the names of the account's fields by slug. The reference documents no pages for fields. */
const listNames = async (ask: CallProvider): Promise<Map<string, string> | Failure> => {
  const names = new Map<string, string>()
  let after = ''
  for (let page = 0; page < MAX_FIELD_PAGES; page += 1) {
    const reply = await ask({ method: 'GET', path: `/contact_fields${after}` })
    if (reply.kind !== 'reply') return reply
    const items = listField(reply.json, 'items')
    if (reply.status !== 200 || !items) return unknown('no_fields')
    for (const item of items) {
      const slug = textField(item, 'slug') ?? ''
      names.set(slug, textField(item, 'fieldName') ?? slug)
    }
    const last = idField(items.at(-1)) ?? textField(items.at(-1), 'slug')
    if (fieldOf(reply.json, 'hasMore') !== true || last === undefined) break
    after = `?limit=100&startingAfter=${encodeURIComponent(last)}`
  }
  return names
}

/** Writes the contact with its values, then gives the labels. */
const writeContact = async (
  ask: CallProvider,
  contact: Contact,
  done: CompletedCalls,
  apply: ApplyLabel,
): Promise<DeliveryOutcome> => {
  const { vendor_contact_id } = done
  if (done.has_contact && vendor_contact_id)
    return applyLabels(contact.labels, { ...done, vendor_contact_id }, apply)
  const written = await writeSystemioContact(ask, contact, done)
  if (written.kind !== 'written') return written
  const { id, json } = written.contact
  const completed_calls = { ...written.completed_calls, vendor_contact_id: id }
  for (const reason of ['unsubscribed', 'bounced'] as const)
    if (fieldOf(json, reason) === true) return { kind: 'suppressed', reason, completed_calls }
  return applyLabels(contact.labels, completed_calls, apply)
}
