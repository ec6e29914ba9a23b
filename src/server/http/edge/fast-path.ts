import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { securityHeaders } from './security-headers.ts'

/**
 * Returns the path of a request as it was sent, without the query and with escapes not decoded. Routes of cached
 * files compare it with their own address, because caches would keep one copy for each spelling.
 */
export const pathOf = ({ url }: { url: string }): string => url.split('?', 1)[0] ?? ''

/** A complete response to a GET request: its bytes and header lines. */
export type CachedResponse = {
  /** Route name for metrics and logs. */
  route: string
  etag: string
  bytes: Buffer
  /** Alternating names and values, as `writeHead` accepts them. */
  headers: string[]
  /** `headers` and the content length, for a response with a body. */
  whole_headers: string[]
}

/** An answered call, as metrics, the request log and traces record it. */
type AnsweredCall = {
  request: IncomingMessage
  request_id: string
  method: string
  route: string
  status: number
  ms: number
}
type Recorder = (call: AnsweredCall) => void

/** Cached responses to GET requests. Only URLs with the prefix or the suffix are looked up. */
export type ResponseCache = {
  url_prefix: string
  url_suffix: string
  /** Returns the response to a request; undefined leaves the request to the routes. */
  find: (request: IncomingMessage) => CachedResponse | undefined
}

/** The path that answers cached responses before Fastify, and reports all answered calls. */
export type FastPath = {
  /** Calls `recorder` for each answered call, from memory or from a route. */
  onAnswered: (recorder: Recorder) => void
  /** Records the calls that routes answer. */
  recordRoutes: (app: FastifyInstance) => void
  /** Starts to answer GET requests from a cache. */
  open: (cache: ResponseCache) => void
  /** Leaves requests to the routes while `isPaused` returns true. */
  pauseWhile: (isPaused: () => boolean) => void
  /** Stops answering from memory, so that routes can end connections during a shutdown. */
  close: () => void
  createServer: (
    routes: RequestListener,
    options: ServerOptions & {
      /** Runs before every answer. Returns true if it has answered or closed the connection. */
      refuse?: (request: IncomingMessage, response: ServerResponse) => boolean
    },
  ) => Server
}

/**
 * Creates a server that answers GET requests from memory before Fastify sees them, which halves their time. All other
 * requests go to the routes. Cached answers and answers of routes are recorded in the same way.
 */
export const createFastPath = (requestId: (request: IncomingMessage) => string): FastPath => {
  const recorders: Recorder[] = []
  let cache: ResponseCache | undefined
  let isPaused = (): boolean => false
  const record = (call: AnsweredCall): void => {
    for (const recorder of recorders) recorder(call)
  }

  return {
    open: (opened) => {
      cache = opened
    },
    pauseWhile: (condition) => {
      isPaused = condition
    },
    close: () => {
      cache = undefined
    },
    onAnswered: (recorder) => {
      recorders.push(recorder)
    },
    recordRoutes: (app) => {
      app.addHook('onResponse', ({ raw, id, method, routeOptions }, reply, done) => {
        const route = routeOptions.url ?? 'unknown'
        const { statusCode: status, elapsedTime: ms } = reply
        record({ request: raw, request_id: id, method, route, status, ms })
        done()
      })
    },
    createServer: (routes, { refuse, ...options }) =>
      createServer(options, (request, response) => {
        if (refuse?.(request, response)) return
        const started = performance.now()
        const ready =
          cache && mayBeCached(cache, request) && !isPaused() ? cache.find(request) : undefined
        const known = request.headers['if-none-match']
        const isKnown = known === ready?.etag
        // Routes handle any other validator, or a list of them.
        if (!ready || (known !== undefined && !isKnown)) return routes(request, response)
        if (isKnown) response.writeHead(304, ready.headers).end()
        else response.writeHead(200, ready.whole_headers).end(ready.bytes)
        record({
          request,
          request_id: requestId(request),
          method: 'GET',
          route: ready.route,
          status: isKnown ? 304 : 200,
          ms: performance.now() - started,
        })
      }),
  }
}

const mayBeCached = (
  { url_prefix, url_suffix }: ResponseCache,
  { method, url = '' }: IncomingMessage,
): boolean => method === 'GET' && (url.startsWith(url_prefix) || url.endsWith(url_suffix))

/** Creates a cached response and writes its header lines once. */
export const makeCachedResponse = (
  headers: Record<string, string>,
  { route, etag, bytes }: Pick<CachedResponse, 'route' | 'etag' | 'bytes'>,
): CachedResponse => {
  const lines = Object.entries({ ...headers, etag }).flat()
  const length = ['content-length', String(bytes.length)]
  return { route, etag, bytes, headers: lines, whole_headers: [...lines, ...length] }
}

const READABLE = /^[\w-]{8,64}$/

/** Creates a function that returns the id of a call: the one that a trusted proxy sent, or a new one. */
export const requestId =
  (is_behind_proxy: boolean) =>
  ({ headers }: IncomingMessage): string => {
    const client_id = is_behind_proxy ? headers['x-request-id'] : undefined
    return typeof client_id === 'string' && READABLE.test(client_id) ? client_id : randomUUID()
  }

/** Sends the id of the call with each response. The log calls it `request_id`. */
export const sendRequestIds = (app: FastifyInstance): void => {
  app.addHook('onSend', ({ id }, reply, _payload, done) => {
    // A response that a CDN may keep answers many calls.
    if (reply.getHeader('cdn-cache-control') === undefined) reply.header('x-request-id', id)
    done()
  })
}

/** Sets the strictest headers on every response; routes that send pages relax some of them. */
export const setSecurityHeaders = (app: FastifyInstance, public_url: string): void => {
  const headers = securityHeaders(public_url)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** Logs one line for each answered call, with its route but without its address, because links hold secrets. */
export const logRequests = (fast_path: FastPath, log: FastifyBaseLogger): void =>
  fast_path.onAnswered(({ request_id, method, route, status, ms }) =>
    log.info({ request_id, method, route, status, ms: Math.round(ms) }, 'answered'),
  )
