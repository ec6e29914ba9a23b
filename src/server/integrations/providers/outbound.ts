import type { ToolRequest, Transient, Unknown } from './provider.ts'

/** The longest that a call to a tool takes. */
export const PATIENCE_MS = 10_000
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
  patience_ms = PATIENCE_MS,
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
