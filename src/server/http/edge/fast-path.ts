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

/**
 * Returns the path of a request as it was sent, without its query and before escapes are decoded. Routes of cached
 * files compare it with their own address, because caches would keep a file once for each spelling.
 */
export const pathOf = ({ url }: { url: string }): string => url.split('?', 1)[0] ?? ''

/** A complete GET answer: bytes in memory, and the header lines that go with them. */
export type CachedResponse = {
  /** The route as metrics name it. */
  route: string
  etag: string
  bytes: Buffer
  /** As `writeHead` takes them: name, value, name, value… */
  headers: string[]
  /** The same with the length, for an answer that is sent whole. */
  whole_headers: string[]
}

/** A call that was answered, as metrics, the request log and traces record it. */
type AnsweredCall = {
  request: IncomingMessage
  request_id: string
  method: string
  route: string
  status: number
  ms: number
}
type Recorder = (call: AnsweredCall) => void

export type FastPath = {
  /** Calls `recorder` for each answered call, from memory or from a route. */
  onAnswered: (recorder: Recorder) => void
  /** Records what the routes answer. */
  recordRoutes: (app: FastifyInstance) => void
  /** `find` gives what a GET is answered with at once; undefined leaves it to the routes. */
  open: (find: (request: IncomingMessage) => CachedResponse | undefined) => void
  /** From now on everything goes through the routes, which end connections. */
  close: () => void
  createServer: (
    routes: RequestListener,
    options: ServerOptions & {
      /** Comes before every answer: true where it has answered. */
      refuse?: (request: IncomingMessage, response: ServerResponse) => boolean
    },
  ) => Server
}

/**
 * A GET whose answer is ready in memory is answered on the raw HTTP path, before the
 * framework and in half its time, with the same bytes; every other call goes through the routes. Both
 * are recorded in the same way.
 */
export const createFastPath = (requestId: (request: IncomingMessage) => string): FastPath => {
  const recorders: Recorder[] = []
  let find: ((request: IncomingMessage) => CachedResponse | undefined) | undefined
  const record = (call: AnsweredCall): void => {
    for (const recorder of recorders) recorder(call)
  }

  return {
    open: (opened) => {
      find = opened
    },
    close: () => {
      find = undefined
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
        const ready = request.method === 'GET' ? find?.(request) : undefined
        const known = request.headers['if-none-match']
        const isKnown = known === ready?.etag
        // Another validator, or a list of them, is for the routes to read.
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

/** Makes an answer ready, its headers written once. */
export const makeCachedResponse = (
  headers: Record<string, string>,
  { route, etag, bytes }: Pick<CachedResponse, 'route' | 'etag' | 'bytes'>,
): CachedResponse => {
  const lines = Object.entries({ ...headers, etag }).flat()
  const length = ['content-length', String(bytes.length)]
  return { route, etag, bytes, headers: lines, whole_headers: [...lines, ...length] }
}

const READABLE = /^[\w-]{8,64}$/

/** A call's own id: the one that a trusted proxy gave it, else a new one. */
export const requestId =
  (is_behind_proxy: boolean) =>
  ({ headers }: IncomingMessage): string => {
    const given = is_behind_proxy ? headers['x-request-id'] : undefined
    return typeof given === 'string' && READABLE.test(given) ? given : randomUUID()
  }

/** Each answer but those that a CDN may keep says its call's id, which every line of the log about it has as `request_id`. */
export const sendRequestIds = (app: FastifyInstance): void => {
  app.addHook('onSend', ({ id }, reply, _payload, done) => {
    // What a CDN may keep is the answer to many calls.
    if (reply.getHeader('cdn-cache-control') === undefined) reply.header('x-request-id', id)
    done()
  })
}

/** Each call has a line: its route, never its address, which may hold a link's secret. */
export const logRequests = (fast_path: FastPath, log: FastifyBaseLogger): void =>
  fast_path.onAnswered(({ request_id, method, route, status, ms }) =>
    log.info({ request_id, method, route, status, ms: Math.round(ms) }, 'answered'),
  )
