import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import type { OutboundField } from './contact-fields.ts'
import type { ConfigurationProblem, Failure } from './provider.ts'
import { configurationProblem } from './provider-requests.ts'

/** Contact as the tool shows it after a call. The id is null if the reply has none. */
type WrittenContact<Id extends string | null> = { id: Id; json: unknown }

type WriteSuccess<Id extends string | null> = {
  kind: 'written'
  contact: WrittenContact<Id>
  /** Keys whose values the tool dropped without an error. */
  dropped?: readonly string[]
}
type FieldRefusal = {
  kind: 'refused'
  /** Keys of the refused fields; undefined if the tool does not tell. */
  keys?: readonly string[] | undefined
  /** Failure of the delivery, if the refusal is about no field that can be left out. */
  failure: Failure
}
/** Reply of a tool to a call that writes some fields of a contact. */
export type WriteReply<Id extends string | null = string> =
  | WriteSuccess<Id>
  | FieldRefusal
  | Failure

/** Creates or updates the contact with these fields. The call is idempotent. */
export type WriteFields<Id extends string | null = string> = (
  fields: readonly OutboundField[],
) => Promise<WriteReply<Id>>

/** Outcome of writing a contact. The completed calls name the fields that the tool refused. */
export type ContactOutcome<Id extends string | null = string> = (
  | Failure
  | { kind: 'written'; contact: WrittenContact<Id> }
) & { completed_calls: CompletedCalls }

/** Adds names to the refused fields of a delivery. */
export const withRefusedFields = (
  completed_calls: CompletedCalls,
  names: readonly string[],
): CompletedCalls => {
  if (names.length === 0) return completed_calls
  const { refused_fields = [] } = completed_calls
  return { ...completed_calls, refused_fields: [...new Set([...refused_fields, ...names])] }
}

/** Returns what remains of the completed calls if the contact has to be written again. */
export const callsToRepeat = ({ refused_fields }: CompletedCalls): CompletedCalls =>
  refused_fields ? { refused_fields } : {}

/** Returns true if a field is left out when it is missing. A missing field of ours is created again instead. */
const isLeftOut = ({ can_recreate, is_result }: OutboundField): boolean =>
  !can_recreate && !is_result

/** Writes fields and keeps account of the written and refused ones. */
type Writer<Id extends string | null> = {
  attempt: WriteFields<Id>
  refuse: (fields: readonly OutboundField[]) => void
  /** Records that the fields are written, for an attempt that continues later. */
  record: (fields: readonly OutboundField[]) => void
  isDecided: (field: OutboundField) => boolean
  finish: () => Promise<ContactOutcome<Id>>
  fail: (failure: Failure) => ContactOutcome<Id>
}

const createWriter = <Id extends string | null>(
  done: CompletedCalls,
  write: WriteFields<Id>,
): Writer<Id> => {
  let calls = done
  let contact: WrittenContact<Id> | undefined
  const refuse: Writer<Id>['refuse'] = (fields) => {
    calls = withRefusedFields(
      calls,
      fields.map(({ name }) => name),
    )
  }
  const attempt: WriteFields<Id> = async (fields) => {
    const reply = await write(fields)
    if (reply.kind !== 'written') return reply
    contact = reply.contact
    if (contact.id !== null) calls = { ...calls, vendor_contact_id: contact.id }
    const dropped = fields.filter(({ key }) => reply.dropped?.includes(key))
    refuse(dropped.filter(isLeftOut))
    return dropped.every(isLeftOut) ? reply : configurationProblem('field_missing')
  }
  const fail: Writer<Id>['fail'] = (failure) => ({
    ...failure,
    completed_calls: failure.kind === 'configuration' ? callsToRepeat(calls) : calls,
  })
  return {
    attempt,
    refuse,
    fail,
    record: (fields) => {
      const keys = fields.map(({ key }) => key)
      calls = { ...calls, written_fields: [...(calls.written_fields ?? []), ...keys] }
    },
    isDecided: (field) =>
      (calls.written_fields?.includes(field.key) ?? false) ||
      (!field.is_result && (calls.refused_fields?.includes(field.name) ?? false)),
    finish: async () => {
      if (contact === undefined) {
        // A continued attempt without undecided fields needs the state of the contact.
        const reply = await attempt([])
        if (reply.kind === 'refused') return fail(reply.failure)
        if (reply.kind !== 'written') return fail(reply)
        contact = reply.contact
      }
      const { written_fields: _, ...rest } = calls
      return { kind: 'written', contact, completed_calls: { ...rest, has_contact: true } }
    },
  }
}

/** Returns the failure for a refusal that names only fields to create again, or none. */
const failureOf = (
  { keys, failure }: FieldRefusal,
  fields: readonly OutboundField[],
): Failure | ConfigurationProblem =>
  fields.some(({ key }) => keys?.includes(key)) ? configurationProblem('field_missing') : failure

/** Writes fields until the tool names none that can be left out. Returns its last reply and the last fields. */
const writeWithoutNamed = async <Id extends string | null>(
  { attempt, refuse }: Writer<Id>,
  fields: readonly OutboundField[],
): Promise<{ reply: WriteReply<Id>; rest: readonly OutboundField[] }> => {
  let rest = fields
  for (;;) {
    const reply = await attempt(rest)
    if (reply.kind !== 'refused' || !reply.keys) return { reply, rest }
    const { keys } = reply
    const named = rest.filter((field) => isLeftOut(field) && keys.includes(field.key))
    if (named.length === 0) return { reply: failureOf(reply, rest), rest }
    refuse(named)
    rest = rest.filter((field) => !named.includes(field))
  }
}

const halve = (fields: readonly OutboundField[]): OutboundField[][] => {
  const middle = Math.ceil(fields.length / 2)
  return [fields.slice(0, middle), fields.slice(middle)].filter(({ length }) => length > 0)
}

/** Writes groups of fields, and halves each refused group until the refused fields are found. */
const writeInParts = async <Id extends string | null>(
  { attempt, refuse, record }: Writer<Id>,
  parts: OutboundField[][],
): Promise<Failure | undefined> => {
  const queue = [...parts]
  for (let part = queue.shift(); part; part = queue.shift()) {
    const reply = await attempt(part)
    if (reply.kind === 'written') record(part)
    else if (reply.kind !== 'refused') return reply
    else if (part.length === 1) refuse(part)
    else queue.unshift(...halve(part))
  }
  return undefined
}

/**
 * Finds the refused fields of a tool that does not name them. The phone number is left out first, because it is the
 * most likely one. Otherwise the result is written alone, so that no other field costs it.
 */
const searchRefused = async <Id extends string | null>(
  writer: Writer<Id>,
  fields: readonly OutboundField[],
  refusal: FieldRefusal,
): Promise<Failure | undefined> => {
  const phone = fields.filter(({ role }) => role === 'phone')
  if (phone.length > 0) {
    const reply = await writer.attempt(fields.filter((field) => !phone.includes(field)))
    if (reply.kind === 'written') {
      writer.refuse(phone)
      return undefined
    }
    if (reply.kind !== 'refused') return reply
  }
  const result = fields.filter(({ is_result }) => is_result)
  if (result.length === fields.length) return refusal.failure
  const reply = await writer.attempt(result)
  if (reply.kind === 'refused') return failureOf(reply, result)
  if (reply.kind !== 'written') return reply
  writer.record(result)
  return writeInParts(writer, halve(fields.filter(({ is_result }) => !is_result)))
}

/**
 * Writes a contact without the fields that the tool refuses. If the tool names a field that can be created again, the
 * outcome is a failure of configuration. An attempt that continues a search tries the remaining fields one by one, so
 * that each attempt decides some.
 */
export const writeContactFields = async <Id extends string | null>(
  fields: readonly OutboundField[],
  done: CompletedCalls,
  write: WriteFields<Id>,
): Promise<ContactOutcome<Id>> => {
  const writer = createWriter(done, write)
  const undecided = fields.filter((field) => !writer.isDecided(field))
  let failure: Failure | undefined
  if (done.written_fields) {
    failure = await writeInParts(
      writer,
      undecided.map((field) => [field]),
    )
  } else {
    const { reply, rest } = await writeWithoutNamed(writer, undecided)
    if (reply.kind === 'refused') failure = await searchRefused(writer, rest, reply)
    else if (reply.kind !== 'written') failure = reply
  }
  return failure ? writer.fail(failure) : writer.finish()
}
