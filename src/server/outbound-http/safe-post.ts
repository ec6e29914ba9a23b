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

/** What became of a request to an address that a person wrote. */
export type PostOutcome =
  | {
      kind: 'answer'
      status: number
      /** Seconds or a date, as it was answered. */
      retry_after: string | undefined
      /** The beginning of the answer, at most LARGEST_ANSWER bytes. */
      text: string
    }
  | { kind: 'refused'; reason: AddressRefusal }
  | { kind: 'failed'; code: 'timeout' | 'network' | 'certificate' }

export type SafePost = (request: {
  /** As its owner wrote it. */
  address: string
  headers: Record<string, string>
  body: string
}) => Promise<PostOutcome>

type Options = AddressRules & {
  resolve?: Resolve
  /** For everything: the name, the connection, the answer. */
  patience_ms?: number
}

const PATIENCE_MS = 10_000
export const LARGEST_ANSWER = 65_536

/**
 * The one way out to addresses that people write (others: integrations/providers/provider-requests.ts). The host's addresses are
 * asked for once, checked, and those very ones connected to, so that a name cannot lead elsewhere in between. No
 * redirect is followed, no connection kept, and an answer that is late or long is cut: its status counts if it has come.
 * Nothing is thrown for what the network does.
 */
export const createSafePost = ({
  allows_loopback,
  resolve = resolveHost,
  patience_ms = PATIENCE_MS,
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

/** The same, or the reason of the deadline once that has passed. */
const within = <T>(promise: Promise<T>, deadline: AbortSignal): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      deadline.addEventListener('abort', () => reject(deadline.reason), { once: true })
    }),
  ])

type Opening = {
  checked: readonly string[]
  headers: Record<string, string>
  body: string
  deadline: AbortSignal
}

/** Sends the request to one of the checked addresses, and gives the answer from its head on. */
const open = (url: URL, { checked, headers, body, deadline }: Opening): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      lookup: lookupOf(checked),
      // A connection of its own: what another one was checked for says nothing here.
      agent: false,
      signal: deadline,
    })
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    // Neither of the two comes where the answer leaves HTTP for another protocol.
    outgoing.on('close', () => reject(new Error('closed')))
    outgoing.end(body)
  })

/** Instead of asking again: the addresses that were checked. */
const lookupOf = (checked: readonly string[]): LookupFunction => {
  const all = checked.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_hostname, options, answer) => {
    const [first] = all
    if (options.all) answer(null, all)
    else if (first) answer(null, first.address, first.family)
  }
}

/** The text of an answer as far as it came in time, and not beyond its bound. */
const readBeginning = async (response: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  try {
    // Leaving the loop ends the connection.
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.byteLength
      if (size >= LARGEST_ANSWER) break
    }
  } catch {
    // Cut: the status has come, and what there is of the text is enough.
  }
  return Buffer.concat(parts).subarray(0, LARGEST_ANSWER).toString('utf8')
}

const isOfCertificate = /CERT|SELF_SIGNED|UNABLE_TO|TLS/

const codeOf = (error: unknown): 'network' | 'certificate' => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return isOfCertificate.test(code) ? 'certificate' : 'network'
}
