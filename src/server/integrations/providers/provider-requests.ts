import type {
  ConfigurationProblem,
  CredentialCode,
  CredentialProblem,
  ErasureOutcome,
  Failure,
  OpenConnection,
  Permanent,
  ToolRequest,
  Transient,
  Unknown,
} from './provider.ts'

/** The longest that a call to a tool takes. */
export const PROVIDER_TIMEOUT_MS = 10_000
/** More than the longest list of fields that a tool gives; what is longer is no answer of theirs. */
const LARGEST_REPLY = 1_048_576

/** An answer of a tool: its text first, since it need not be JSON. */
export type OutboundReply = {
  kind: 'reply'
  status: number
  headers: Headers
  text: string
  /** The text as JSON; undefined when it is none. */
  json: unknown
}

export type OutboundRequest = ToolRequest & {
  /** An address of the configuration; nothing that a person wrote is part of its host. */
  base: string
  headers: Record<string, string>
  form?: Record<string, string>
  patience_ms?: number
}

/**
 * The one way out to other services: no redirect is followed, nothing is awaited for long, and no reply is
 * read beyond its bound. What the network does is in the answer, never thrown.
 */
export const send = async ({
  base,
  method,
  path,
  headers,
  json,
  form,
  patience_ms = PROVIDER_TIMEOUT_MS,
}: OutboundRequest): Promise<OutboundReply | Transient | Unknown> => {
  const body = form ? new URLSearchParams(form) : json !== undefined && JSON.stringify(json)
  const type = json !== undefined && { 'content-type': 'application/json' }
  try {
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(patience_ms),
      headers: { accept: 'application/json', ...type, ...headers },
      ...(body && { body }),
    })
    const text = await readText(response)
    if (text === undefined) return { kind: 'unknown', code: 'reply_too_large' }
    const { status } = response
    return { kind: 'reply', status, headers: response.headers, text, json: parsed(text) }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return { kind: 'transient', code: isLate ? 'timeout' : 'network', pauses_connection: false }
  }
}

const readText = async ({ body }: Response): Promise<string | undefined> => {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the rest of the reply.
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > LARGEST_REPLY) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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

/** Calls a tool with the secret of one account. Replies whose meaning depends on the call are no failures. */
export type CallProvider = (request: ToolRequest) => Promise<OutboundReply | Failure>

/**
 * Does a piece of work at a tool, which begins no call once its time is up, and says how many it took beyond its first,
 * which the limit of the account is charged with.
 */
export const countCalls = async <T extends { kind: string }>(
  ask: CallProvider,
  work: (counted: CallProvider) => Promise<T>,
  { isLate }: Pick<OpenConnection, 'isLate'> = {},
): Promise<T & { extra_calls?: number }> => {
  let calls = 0
  const outcome = await work(async (request) => {
    if (isLate?.()) return transient('timeout')
    calls += 1
    return ask(request)
  })
  return calls > 1 ? { ...outcome, extra_calls: calls - 1 } : outcome
}

/** Stands in a path or a body for what an answer of the tool gives. */
export const CONTACT_ID = 'CONTACT_ID'
export const TAG_ID = 'TAG_ID'
