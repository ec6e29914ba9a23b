import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { type OutboundField, outboundFields } from './contact-fields.ts'
import type { Contact, Failure, OutboundReply } from './provider.ts'
import {
  type CallProvider,
  configurationProblem,
  idField,
  listField,
  permanent,
  textField,
  unknown,
} from './provider-requests.ts'
import { changeContact, findByAddress, makeContact } from './systemio-api.ts'
import { type ContactOutcome, type WriteReply, writeContactFields } from './write-contact.ts'

/** Returns the paths of the refused properties. The messages depend on the language of the account. */
const pathsOf = ({ json }: OutboundReply): string[] =>
  (listField(json, 'violations') ?? []).map(
    (violation) => textField(violation, 'propertyPath') ?? '',
  )

/** Returns the key of the field that a path names by its index or by its slug. */
const keyOf = (fields: readonly OutboundField[], path: string): string | undefined => {
  const [, index] = /^fields\[(\d+)\]/.exec(path) ?? []
  if (index !== undefined) return fields[Number(index)]?.key
  const words: string[] = path.match(/\w+/g) ?? []
  return fields.find(({ key }) => words.includes(key))?.key
}

/** Returns a refusal with the fields that its paths name; all fields are suspects if the paths name none. */
const refusalOf = (fields: readonly OutboundField[], reply: OutboundReply): WriteReply => {
  const { status, json } = reply
  if ((status !== 400 && status !== 422) || !textField(json, 'detail'))
    return unknown(`http_${status}`)
  const paths = pathsOf(reply)
  const keys = paths.flatMap((path) => keyOf(fields, path) ?? [])
  const isAboutFields = paths.some((path) => path.startsWith('fields'))
  const failure: Failure =
    isAboutFields && fields.length > 0
      ? configurationProblem('field_missing')
      : permanent('refused')
  return { kind: 'refused', failure, ...(keys.length > 0 && { keys }) }
}

/** Returns the keys that a contact does not show. Native fields are left out, because they always exist. */
const droppedKeys = (fields: readonly OutboundField[], json: unknown): string[] => {
  const shown = listField(json, 'fields')
  if (!shown) return []
  return fields
    .filter(({ role }) => role === undefined)
    .map(({ key }) => key)
    .filter((key) => !shown.some((field) => textField(field, 'slug') === key))
}

const writtenOf = (fields: readonly OutboundField[], json: unknown): WriteReply => {
  const id = idField(json)
  if (id === undefined) return unknown('no_contact')
  return { kind: 'written', contact: { id, json }, dropped: droppedKeys(fields, json) }
}

const update = async (
  ask: CallProvider,
  id: string,
  fields: readonly OutboundField[],
): Promise<WriteReply> => {
  const path = `/contacts/${id}`
  const reply = await ask(fields.length > 0 ? changeContact(id, fields) : { method: 'GET', path })
  if (reply.kind !== 'reply') return reply
  if (reply.status === 404) return configurationProblem('contact_missing')
  return reply.status === 200 ? writtenOf(fields, reply.json) : refusalOf(fields, reply)
}

/** Creates the contact. A known address is refused, and then the contact is looked up and updated. */
const createOrUpdate = async (
  ask: CallProvider,
  { email, remember }: { email: string; remember: (id: string) => void },
  fields: readonly OutboundField[],
): Promise<WriteReply> => {
  const made = await ask(makeContact(email, fields))
  if (made.kind !== 'reply') return made
  if (made.status === 201) return writtenOf(fields, made.json)
  const paths = made.status === 422 ? pathsOf(made) : []
  const isAbout = (part: string): boolean => paths.some((path) => path.startsWith(part))
  if (isAbout('fields') || !isAbout('email')) return refusalOf(fields, made)
  const found = await findByAddress(ask, email)
  if (found.kind !== 'reply') return found
  const id = idField(found.json)
  // The contact is neither created nor found, so the address itself was refused.
  if (id === undefined) return permanent('invalid_email')
  remember(id)
  return fields.length === 0 ? writtenOf(fields, found.json) : update(ask, id, fields)
}

/** Writes a contact with the accepted fields. */
export const writeSystemioContact = (
  ask: CallProvider,
  contact: Contact,
  done: CompletedCalls,
): Promise<ContactOutcome> => {
  let id = done.written_fields && done.vendor_contact_id
  const remember = (known: string): void => {
    id = known
  }
  const write = async (fields: readonly OutboundField[]): Promise<WriteReply> => {
    if (id) return update(ask, id, fields)
    const reply = await createOrUpdate(ask, { email: contact.email, remember }, fields)
    if (reply.kind === 'written') remember(reply.contact.id)
    return reply
  }
  return writeContactFields(outboundFields('systemio', contact).fields, done, write)
}
