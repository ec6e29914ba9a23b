import type {
  ConfigurationProblem,
  CredentialCode,
  CredentialProblem,
  ErasureOutcome,
  Failure,
  OpenConnection,
  OutboundReply,
  Permanent,
  SendRequest,
  ToolRequest,
  Transient,
  UnknownReply,
} from './provider.ts'

/** Timeout of a call to a tool, in milliseconds. */
export const PROVIDER_TIMEOUT_MS = 10_000
/** Maximum size of a reply in bytes, larger than the longest list of fields of any tool. */
const MAX_REPLY = 1_048_576

/** Sends a request over HTTP. Follows no redirect, and limits the time and the size of the reply. */
export const sendOverHttp: SendRequest = async ({
  base,
  method,
  path,
  headers,
  json,
  form,
  patience_ms = PROVIDER_TIMEOUT_MS,
}) => {
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
  // The early return cancels the rest of the reply.
  for await (const part of body ?? []) {
    size += part.byteLength
    if (size > MAX_REPLY) return undefined
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

const MAX_WAIT_MS = 3_600_000

type ErasedOutcome = Extract<ErasureOutcome, { kind: 'erased' }>

/** Limits the wait requested by a tool to a plausible range. */
const clampWait = (ms: number): number => Math.min(Math.max(ms, 1000), MAX_WAIT_MS)

/** Returns a temporary failure of one delivery. */
export const transient = (code: string): Transient => ({
  kind: 'transient',
  code,
  pauses_connection: false,
})
/** Returns a rate limit of the whole account, with the wait in milliseconds. */
export const rateLimited = (wait_ms: number): Transient => ({
  kind: 'transient',
  code: 'too_many_requests',
  wait_ms: clampWait(wait_ms),
  pauses_connection: true,
})
/** Returns a refusal of the account. Only `invalid_key` and `reconnect` need a new key or consent. */
export const credential = (code: CredentialCode): CredentialProblem => ({
  kind: 'credential',
  code,
  needs_reconnect: code === 'invalid_key' || code === 'reconnect',
})
/** Returns a final failure. */
export const permanent = (code: string): Permanent => ({ kind: 'permanent', code })
/** Returns the failure for a reply of unknown form. */
export const unknown = (code: string): UnknownReply => ({ kind: 'unknown', code })
/** Returns the failure for a missing field or contact. */
export const configurationProblem = (code: ConfigurationProblem['code']): ConfigurationProblem => ({
  kind: 'configuration',
  code,
})

/** Returns a successful erasure, also for a person unknown to the tool. */
export const erased = (code: ErasedOutcome['code']): ErasedOutcome => ({ kind: 'erased', code })

/** Converts an HTTP error status to a failure. `wait_ms` is the wait requested by the tool. */
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

/** Returns a field of a JSON object or error; undefined for other values. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined

/** Returns a text field of a JSON object; undefined for other values. */
export const textField = (value: unknown, name: string): string | undefined => {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : undefined
}

/** Returns an array field of a JSON object; undefined if the field is not an array. */
export const listField = (value: unknown, name: string): unknown[] | undefined => {
  const field = fieldOf(value, name)
  return Array.isArray(field) ? field : undefined
}

/** Returns the id of an object as text, because tools use numbers or texts. */
export const idField = (value: unknown): string | undefined => {
  const id = fieldOf(value, 'id')
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}

/** Returns an id as the number that some tools expect. The placeholder of a preview stays a text. */
export const numericId = (id: string): number | string =>
  Number.isNaN(Number(id)) ? id : Number(id)

/** Returns the tag or list in an array; empty if the value has another form. */
export const namedOf = (value: unknown): { vendor_id: string; name: string }[] => {
  const vendor_id = idField(value)
  const name = textField(value, 'name')
  return vendor_id === undefined || name === undefined ? [] : [{ vendor_id, name }]
}

/**
 * Calls a tool with the secret of an account. Returns error statuses as replies if their meaning depends on the call.
 */
export type CallProvider = (request: ToolRequest) => Promise<OutboundReply | Failure>

/**
 * Runs `work` and returns the number of calls after the first, which are charged to the rate limit. Starts no call
 * after the deadline.
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
