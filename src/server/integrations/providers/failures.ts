import type { OutboundReply } from './outbound.ts'
import type {
  ConfigurationProblem,
  CredentialCode,
  CredentialProblem,
  ErasureOutcome,
  Failure,
  Permanent,
  Transient,
  Unknown,
} from './provider.ts'

const LONGEST_WAIT_MS = 3_600_000

type Erased = Extract<ErasureOutcome, { kind: 'erased' }>

/** A wait that a tool named, within what is believable. */
const clampWait = (ms: number): number => Math.min(Math.max(ms, 1000), LONGEST_WAIT_MS)

export const transient = (code: string): Transient => ({
  kind: 'transient',
  code,
  pauses_connection: false,
})
export const rateLimited = (wait_ms: number): Transient => ({
  kind: 'transient',
  code: 'too_many_requests',
  wait_ms: clampWait(wait_ms),
  pauses_connection: true,
})
/** Only another key or consent helps against those two; the others may pass by themselves. */
export const credential = (code: CredentialCode): CredentialProblem => ({
  kind: 'credential',
  code,
  needs_reconnect: code === 'invalid_key' || code === 'reconnect',
})
export const permanent = (code: string): Permanent => ({ kind: 'permanent', code })
export const unknown = (code: string): Unknown => ({ kind: 'unknown', code })
export const missing = (code: ConfigurationProblem['code']): ConfigurationProblem => ({
  kind: 'configuration',
  code,
})

/** What is done of an erasure, and of one whose person the tool does not know. */
export const erased = (code: Erased['code']): Erased => ({ kind: 'erased', code })

/** What a status means at every tool; `wait_ms` is what this one said of its limits. */
export const failureOf = (
  { status }: Pick<OutboundReply, 'status'>,
  wait_ms: number | undefined,
): Failure => {
  if (status === 429) return rateLimited(wait_ms ?? 5_000)
  if (status === 401) return credential('invalid_key')
  if (status === 402) return credential('payment_required')
  if (status === 403) return credential('forbidden')
  if (status === 408 || status === 413 || status === 425 || status >= 500)
    return transient(`http_${status}`)
  return unknown(`http_${status}`)
}

/** A field of a JSON object, when it is one. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined

export const textField = (value: unknown, name: string): string | undefined => {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : undefined
}

/** A list in a JSON object; undefined when the answer is no such thing. */
export const listField = (value: unknown, name: string): unknown[] | undefined => {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : undefined
}

/** An id, which tools write as a number. */
export const idField = (value: unknown): string | undefined => {
  const id = fieldOf(value, 'id')
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}

/** A tag or a list as tools list them: nothing when it is no such thing. */
export const namedOf = (value: unknown): { vendor_id: string; name: string }[] => {
  const vendor_id = idField(value)
  const name = textField(value, 'name')
  return vendor_id === undefined || name === undefined ? [] : [{ vendor_id, name }]
}
