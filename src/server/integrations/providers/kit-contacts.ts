import { cutText } from '#domain/common/text.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { type OutboundField, outboundFields } from './contact-fields.ts'
import type { Contact, Failure, OutboundReply, ToolRequest } from './provider.ts'
import {
  type CallProvider,
  configurationProblem,
  fieldOf,
  idField,
  listField,
  permanent,
  unknown,
} from './provider-requests.ts'
import { type ContactOutcome, type WriteReply, writeContactFields } from './write-contact.ts'

/** Maximum length of a value. The reference has none, so that a longer value could be refused. */
const MAX_VALUE_LENGTH = 2_000
/** Maximum number of fields in a call. Kit writes more fields later and would not show which ones it dropped. */
const MAX_FIELDS = 10

/** Field of Kit outside the custom fields. */
const isNative = ({ role }: OutboundField): boolean => role !== undefined

/** Returns the fields in groups that Kit writes at once. */
const batchesOf = (fields: readonly OutboundField[]): OutboundField[][] => {
  const own = fields.filter((field) => !isNative(field))
  const count = Math.max(1, Math.ceil(own.length / MAX_FIELDS))
  return Array.from({ length: count }, (_, at) => [
    ...(at === 0 ? fields.filter(isNative) : []),
    ...own.slice(at * MAX_FIELDS, (at + 1) * MAX_FIELDS),
  ])
}

const valuesOf = (fields: readonly OutboundField[]): Record<string, string> =>
  Object.fromEntries(
    fields.map(({ key, value }) => [key, cutText(String(value), MAX_VALUE_LENGTH)]),
  )

const putBatch = (email: string, fields: readonly OutboundField[]): ToolRequest => {
  const own = fields.filter((field) => !isNative(field))
  return {
    method: 'POST',
    path: '/subscribers',
    json: {
      email_address: email,
      ...valuesOf(fields.filter(isNative)),
      ...(own.length > 0 && { fields: valuesOf(own) }),
    },
  }
}

/** Returns the words of a text, with underscores as in keys of fields. */
const wordsOf = (texts: readonly unknown[]): Set<string> =>
  new Set(texts.flat().flatMap((text) => String(text).match(/\w+/g) ?? []))

/** Returns the keys of the fields that a reply does not show or warns of. */
const droppedKeys = (
  fields: readonly OutboundField[],
  { status, json }: OutboundReply,
  subscriber: unknown,
): string[] => {
  const warned = wordsOf(listField(json, 'warnings') ?? [])
  const shown = fieldOf(subscriber, 'fields')
  // A reply with the status 202 cannot show the fields yet.
  const isShown = (key: string): boolean => status === 202 || fieldOf(shown, key) !== undefined
  return fields
    .filter((field) => !isNative(field) && (warned.has(field.key) || !isShown(field.key)))
    .map(({ key }) => key)
}

/** Returns a refusal with the fields whose keys it names. Kit has no codes, and its sentences may change. */
const refusalOf = (
  fields: readonly OutboundField[],
  { status, json }: OutboundReply,
): WriteReply => {
  if (status !== 422) return unknown(`http_${status}`)
  const errors = listField(json, 'errors') ?? []
  const words = wordsOf(errors)
  const named = fields.filter(({ key }) => words.has(key)).map(({ key }) => key)
  const reply_text = errors.flat().join(' ')
  let failure: Failure = permanent('refused')
  if (/field/i.test(reply_text) && fields.length > 0)
    failure = configurationProblem('field_missing')
  else if (/email/i.test(reply_text)) failure = permanent('invalid_email')
  return { kind: 'refused', failure, ...(named.length > 0 && { keys: named }) }
}

/** Writes a subscriber with the accepted fields. */
export const writeKitContact = (
  ask: CallProvider,
  contact: Contact,
  done: CompletedCalls,
): Promise<ContactOutcome> => {
  const { email } = contact
  const writeBatch = async (fields: readonly OutboundField[]): Promise<WriteReply> => {
    const reply = await ask(putBatch(email, fields))
    if (reply.kind !== 'reply') return reply
    if (reply.status >= 300) return refusalOf(fields, reply)
    const subscriber = fieldOf(reply.json, 'subscriber')
    const id = idField(subscriber)
    if (id === undefined) return unknown('no_subscriber')
    const dropped = droppedKeys(fields, reply, subscriber)
    return { kind: 'written', contact: { id, json: reply.json }, dropped }
  }
  const write = async (fields: readonly OutboundField[]): Promise<WriteReply> => {
    const [first = [], ...others] = batchesOf(fields)
    let written = await writeBatch(first)
    for (const batch of others) {
      if (written.kind !== 'written') return written
      const next = await writeBatch(batch)
      if (next.kind !== 'written') return next
      written = { ...next, dropped: [...(written.dropped ?? []), ...(next.dropped ?? [])] }
    }
    return written
  }
  return writeContactFields(outboundFields('convertkit', contact).fields, done, write)
}
