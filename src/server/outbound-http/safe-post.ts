import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import {
  type AddressRefusal,
  type AddressRules,
  checkHost,
  type Resolve,
  readAddress,
  resolveHost,
} from './check-address.ts'

/** Outcome of a POST to an address that a person typed. */
export type PostOutcome =
  | {
      kind: 'answer'
      status: number
      /** Value of the Retry-After header: seconds or a date. */
      retry_after: string | undefined
      /** Beginning of the response body, at most MAX_RESPONSE_BYTES bytes. */
      text: string
    }
  | { kind: 'refused'; reason: AddressRefusal }
  | { kind: 'failed'; code: 'timeout' | 'network' | 'certificate' }

/** Sends a POST to an address that a person typed. Never rejects for network errors. */
export type SafePost = (request: {
  /** Address as its owner typed it. */
  address: string
  headers: Record<string, string>
  body: string
}) => Promise<PostOutcome>

type Options = AddressRules & {
  resolve?: Resolve
  /** Time limit for name resolution, connection and response together. */
  patience_ms?: number
}

const POST_TIMEOUT_MS = 10_000
/** Maximum bytes that are read of a response. */
export const MAX_RESPONSE_BYTES = 65_536

/**
 * Creates the POST that all addresses typed by people go through, safe against server-side request forgery. The host
 * is resolved once, its addresses are checked, and only these are connected to. Redirects are not followed, responses
 * that are late or long are cut, and network errors are returned, not thrown.
 */
export const createSafePost = ({
  allows_loopback,
  resolve = resolveHost,
  patience_ms = POST_TIMEOUT_MS,
}: Options): SafePost => {
  const post = async (
    { address, headers, body }: Parameters<SafePost>[0],
    deadline: AbortSignal,
  ): Promise<PostOutcome> => {
    const url = readAddress(address, { allows_loopback })
    if (typeof url === 'string') return { kind: 'refused', reason: url }
    const checked = await within(checkHost(url, { allows_loopback, resolve }), deadline)
    if (typeof checked === 'string') return { kind: 'refused', reason: checked }
    const response = await within(open(url, { checked, headers, body, deadline }), deadline)
    const retry_after = response.headers['retry-after']
    const status = response.statusCode ?? 0
    return { kind: 'answer', status, retry_after, text: await readBeginning(response) }
  }
  return async (request) => {
    const deadline = AbortSignal.timeout(patience_ms)
    try {
      return await post(request, deadline)
    } catch (error) {
      return { kind: 'failed', code: deadline.aborted ? 'timeout' : codeOf(error) }
    }
  }
}

/** Returns the promise, or rejects with the reason of the deadline once that has passed. */
const within = <T>(promise: Promise<T>, deadline: AbortSignal): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      deadline.addEventListener('abort', () => reject(deadline.reason), { once: true })
    }),
  ])

type RequestContent = {
  checked: readonly string[]
  headers: Record<string, string>
  body: string
  deadline: AbortSignal
}

/** Sends the request to one of the checked addresses and returns the response once its headers have arrived. */
const open = (
  url: URL,
  { checked, headers, body, deadline }: RequestContent,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      lookup: lookupOf(checked),
      // Uses a new connection, because a pooled one was not checked for this request.
      agent: false,
      signal: deadline,
    })
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    // Neither event is emitted if the server switches to another protocol.
    outgoing.on('close', () => reject(new Error('closed')))
    outgoing.end(body)
  })

/** Returns a lookup that gives the checked addresses instead of resolving again. */
const lookupOf = (checked: readonly string[]): LookupFunction => {
  const all = checked.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_hostname, options, answer) => {
    const [first] = all
    if (options.all) answer(null, all)
    else if (first) answer(null, first.address, first.family)
  }
}

/** Reads the beginning of a response, up to the deadline and the maximum length. */
const readBeginning = async (response: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  try {
    // Leaving the loop closes the connection.
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.byteLength
      if (size >= MAX_RESPONSE_BYTES) break
    }
  } catch {
    // The response was cut, but its status and the text so far suffice.
  }
  return Buffer.concat(parts).subarray(0, MAX_RESPONSE_BYTES).toString('utf8')
}

const isOfCertificate = /CERT|SELF_SIGNED|UNABLE_TO|TLS/

const codeOf = (error: unknown): 'network' | 'certificate' => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return isOfCertificate.test(code) ? 'certificate' : 'network'
}
