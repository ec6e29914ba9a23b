/** HTTP requests of attackers, and the networks from which they seem to come. */

/** Request of an attacker. */
export type AttackRequest = {
  /** HTTP method; POST if there is a body, otherwise GET. */
  method?: string | undefined
  /** Bytes, forms and streams are sent unchanged; texts are sent as JSON; other values are converted to JSON. */
  body?: unknown
  /** Access token or API key. */
  token?: string | undefined
  /** IP address from which the request seems to come (`X-Forwarded-For`). */
  network?: string | undefined
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  timeout_ms?: number
  /** True to follow redirects, as a browser does. */
  follows_redirects?: boolean
}

/** Answer of the product, read completely. */
export type Answer = {
  status: number
  headers: Headers
  /** Time until the last byte. */
  ms: number
  bytes: Buffer
  text: string
  /** Parsed body; an empty object if the body is not JSON. */
  json: Record<string, unknown>
}

const MAX_ANSWER_MS = 20_000
/** Timeout of requests that may wait in a queue or carry the largest bodies. */
export const MAX_QUEUED_ANSWER_MS = 240_000

const encodeBody = (body: unknown): { init: RequestInit; isJson: boolean } => {
  if (body === undefined) return { init: {}, isJson: false }
  if (body instanceof ReadableStream)
    return { init: { body, duplex: 'half' } as RequestInit, isJson: true }
  if (body instanceof Uint8Array || body instanceof URLSearchParams)
    return { init: { body: body as BodyInit }, isJson: false }
  return { init: { body: typeof body === 'string' ? body : JSON.stringify(body) }, isJson: true }
}

/** Sends a request and reads the answer. Throws if the connection fails or the answer takes too long. */
export const send = async (url: string, request: AttackRequest = {}): Promise<Answer> => {
  const { body, token, network, timeout_ms = MAX_ANSWER_MS } = request
  const { init, isJson } = encodeBody(body)
  const began = performance.now()
  const response = await fetch(url, {
    ...init,
    method: request.method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: request.follows_redirects ? 'follow' : 'manual',
    signal: request.signal ?? AbortSignal.timeout(timeout_ms),
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(network && { 'x-forwarded-for': network }),
      ...request.headers,
    },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const { status, headers } = response
  return {
    status,
    headers,
    ms: performance.now() - began,
    bytes,
    get text() {
      return bytes.toString()
    },
    get json() {
      return headers.get('content-type')?.includes('json') ? JSON.parse(bytes.toString()) : {}
    },
  }
}

/** Submits a page of a quiz as a browser without scripts does, and asks for the page with the index `page`. */
export const postForm = (
  origin: string,
  quiz_id: string,
  fields: Record<string, string>,
  page = 1,
): Promise<Answer> =>
  send(`${origin}/q/${quiz_id}?page=${page}&version=1&step=0`, {
    body: new URLSearchParams(fields),
    network: '203.0.113.9',
    timeout_ms: MAX_QUEUED_ANSWER_MS,
  })

/** Submits replies to a quiz as a visitor. `body` has the replies in `answers`. */
export const submit = (
  origin: string,
  quiz_id: string,
  body: object,
  network?: string,
): Promise<Answer> =>
  send(`${origin}/api/v1/quizzes/${quiz_id}/submit`, {
    body,
    network,
    timeout_ms: MAX_QUEUED_ANSWER_MS,
  })

let nb_networks = 0
/** Returns an IPv4 address in a /24 network that no other request uses. */
export const createNetwork = (): string => {
  const nr = nb_networks++
  return `${10 + (nr >> 16)}.${(nr >> 8) & 255}.${nr & 255}.7`
}

/** Makes `count` calls, at most `concurrency` at the same time, and returns their results in order. */
export const callInParallel = async <T>(
  count: number,
  makeCall: (index: number) => Promise<T>,
  concurrency = 10,
): Promise<T[]> => {
  const results: T[] = []
  let next = 0
  const runWorker = async (): Promise<void> => {
    while (next < count) {
      const index = next
      next += 1
      results[index] = await makeCall(index)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runWorker))
  return results
}
