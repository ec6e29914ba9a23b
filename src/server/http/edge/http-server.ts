import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config/config.ts'
import { ApiError, methodRefused, toErrorBody, tooSlow, unreadable } from './errors.ts'
import type { FastPath } from './fast-path.ts'
import { networkKey } from './rate-limits.ts'
import { maxRequestMs } from './request-body.ts'
import { securityHeaders } from './security-headers.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

const headersTooLarge = (): ApiError =>
  new ApiError(431, 'headers_too_large', 'Les en-têtes de la requête sont trop volumineux')
const expectationRefused = (): ApiError =>
  new ApiError(417, 'expectation_refused', 'L’en-tête Expect n’est pas accepté')

const refusalOf = (error: Error & { code?: string }): ApiError => {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow()
  return error.code === 'HPE_HEADER_OVERFLOW' ? headersTooLarge() : unreadable()
}

/** Compared by its length first: every header of every request is looked at. */
const isHost = (name = ''): boolean => name.length === 4 && name.toLowerCase() === 'host'

/**
 * Answers what never reaches a route: bytes that are no HTTP or are ambiguous (400, also several hosts),
 * headers that do not end (408) or are too many (431), CONNECT (405), and Expect (417). The body and the
 * headers are those of every other refusal; the connection is closed.
 */
export const createBadRequestHandlers = (public_url: string) => {
  const headers = { ...securityHeaders(public_url), 'content-type': JSON_TYPE, connection: 'close' }
  const answer = (socket: Duplex, refusal: ApiError): void => {
    const body = JSON.stringify(toErrorBody(refusal))
    const length = { 'content-length': Buffer.byteLength(body) }
    const lines = Object.entries({ ...headers, ...refusal.headers, ...length })
    const head = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  }
  const send = (response: ServerResponse, refusal: ApiError): void => {
    const body = JSON.stringify(toErrorBody(refusal))
    const length = { 'content-length': Buffer.byteLength(body) }
    response.writeHead(refusal.status, { ...headers, ...length }).end(body)
  }
  return {
    /** Refuses a request that names several hosts, and gives true: a proxy in front may have read another one. */
    refuseSeveralHosts: ({ rawHeaders }: IncomingMessage, response: ServerResponse): boolean => {
      let nb_hosts = 0
      for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at])) nb_hosts++
      if (nb_hosts <= 1) return false
      send(response, unreadable())
      return true
    },
    /** As Fastify's clientErrorHandler. */
    onClientError: (error: Error & { code?: string }, socket: Duplex): void => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
      else answer(socket, refusalOf(error))
    },
    /** Answers in the middle of a request, and closes the connection. */
    cutOff: (socket: Duplex, refusal: ApiError): void => {
      if (socket.writable) answer(socket, refusal)
      else socket.destroy()
    },
    listen: (server: Server): void => {
      server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
        answer(socket, methodRefused())
      })
      server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
        send(response, expectationRefused())
      })
    },
  }
}

/** A proxy keeps its connections for its next visitors; a browser that comes back opens another. */
const PROXY_KEEP_MS = 65_000
const BROWSER_KEEP_MS = 5_000
const LARGEST_HEADERS = 16_384
/** Slow requests are looked for several times within their time-out. */
const LOOKS = 2
const LONGEST_LOOK_MS = 5_000

/** Options of node:http: slow clients are cut off, ambiguous requests are refused. */
export const serverOptions = ({
  http: { headers_ms, request_ms },
  trust_proxy,
  trusted_proxies,
}: Pick<Config, 'http' | 'trust_proxy' | 'trusted_proxies'>) => {
  const is_behind_proxy = trust_proxy > 0 || trusted_proxies.length > 0
  return {
    is_behind_proxy,
    headersTimeout: headers_ms,
    requestTimeout: maxRequestMs(request_ms),
    connectionsCheckingInterval: Math.min(LONGEST_LOOK_MS, headers_ms / LOOKS),
    keepAliveTimeout: is_behind_proxy ? PROXY_KEEP_MS : BROWSER_KEEP_MS,
    maxHeaderSize: LARGEST_HEADERS,
    // Refuses what a proxy in front could read in another way than this server.
    insecureHTTPParser: false,
    requireHostHeader: true,
  }
}

/** Most connections, in all and from one network: an IPv4 address or the /48 of an IPv6 one. */
type ConnectionLimits = { connections: number; connections_per_address: number }

/**
 * Closes new connections beyond the limits, so that one network cannot take every connection. Behind a
 * proxy every connection comes from the proxy, so only the total is limited.
 */
const limitConnections = (
  server: Server,
  { connections, connections_per_address }: ConnectionLimits,
  is_behind_proxy: boolean,
): void => {
  server.maxConnections = connections
  if (is_behind_proxy) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = networkKey(socket.remoteAddress ?? '')
    const count = open.get(address) ?? 0
    if (count >= connections_per_address) {
      socket.destroy()
      return
    }
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}

/** Least speed in bytes a second at which a client has to take an answer. */
const MIN_READ_BYTES_S = 32_768
const MAX_CHECK_MS = 5_000

/** State of an answer that its client has not taken yet. */
type PendingAnswer = {
  /** Bytes whose write has ended. */
  nb_written: number
  /** Bytes of the write under way that the system has not taken. */
  queue_bytes: number
  moved_at: number
  ends_at: number
}

/** Bytes that the system has not taken of the write under way; node:net decides by them whether a socket is idle. */
const queueBytes = (socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number =>
  socket._handle?.writeQueueSize ?? socket.writableLength

/**
 * Closes connections whose client does not take its answer: after `max_stall_ms` without any progress, or when a write
 * is slower than 32 KiB a second. Reading so slowly would hold the answer in memory for ever.
 */
export const closeStalledReaders = (server: Server, max_stall_ms: number): void => {
  const open = new Map<Socket, PendingAnswer | undefined>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  const check = (socket: Socket, known: PendingAnswer | undefined, now: number): void => {
    const { writableLength } = socket
    if (writableLength === 0) {
      if (known) open.set(socket, undefined)
      return
    }
    const nb_written = socket.bytesWritten - writableLength
    const queue_bytes = queueBytes(socket)
    if (!known || nb_written > known.nb_written) {
      const ends_at = now + max_stall_ms + (writableLength / MIN_READ_BYTES_S) * 1_000
      open.set(socket, { nb_written, queue_bytes, moved_at: now, ends_at })
      return
    }
    if (queue_bytes < known.queue_bytes) known.moved_at = now
    known.queue_bytes = queue_bytes
    if (now - known.moved_at > max_stall_ms || now > known.ends_at) socket.destroy()
  }
  const timer = setInterval(
    () => {
      const now = performance.now()
      for (const [socket, known] of open) check(socket, known, now)
    },
    Math.min(MAX_CHECK_MS, max_stall_ms / 2),
  ).unref()
  server.once('close', () => clearInterval(timer))
}

/** Most answers of one connection that wait for an earlier one; browsers and proxies send one request at a time. */
const MAX_PIPELINED = 4

/**
 * Closes a connection at once. node:http makes an error for each request that waits on it; without stack traces a
 * thousand of them cost a twentieth.
 */
const closeCheaply = (socket: Socket): void => {
  if (socket.destroyed) return
  let { stackTraceLimit } = Error
  // node:http creates its errors between the first and the last listener.
  socket.prependOnceListener('close', () => {
    stackTraceLimit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
  })
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit
  })
  socket.destroy()
}

/**
 * Makes a check of each request before its answer: closes a connection, and returns true, when too many pipelined
 * requests wait on it. Without the limit one packet could start a thousand unread answers.
 */
export const createPipelineLimit = () => {
  const waiting = new WeakMap<Socket, number>()
  return ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
    // An answer has its socket at once unless an earlier one is still being sent.
    if (response.socket) {
      if (waiting.has(socket)) waiting.delete(socket)
      return false
    }
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > MAX_PIPELINED) closeCheaply(socket)
    return count > MAX_PIPELINED
  }
}

/**
 * Adds `app.drain`, from which on each response closes its connection, so that clients reach another process. Returns a
 * function that returns true while draining.
 */
export const enableDraining = (app: FastifyInstance, fast_path: FastPath): (() => boolean) => {
  let isDraining = false
  app.decorate('drain', async (seconds: number) => {
    isDraining = true
    fast_path.close()
    await pause(seconds * 1_000)
  })
  app.addHook('onRequest', (_request, reply, done) => {
    if (isDraining) reply.header('connection', 'close')
    done()
  })
  return () => isDraining
}

/** Creates the function with which Fastify creates its server: with limits of connections and answers from memory. */
export const createServerFactory =
  (
    { http }: Pick<Config, 'http'>,
    options: ReturnType<typeof serverOptions>,
    on: { fast_path: FastPath; bad_requests: ReturnType<typeof createBadRequestHandlers> },
  ) =>
  (routes: RequestListener): Server => {
    const isTooDeep = createPipelineLimit()
    const refuse: typeof isTooDeep = (request, response) =>
      isTooDeep(request, response) || on.bad_requests.refuseSeveralHosts(request, response)
    const server = on.fast_path.createServer(routes, { ...options, refuse })
    server.maxRequestsPerSocket = http.requests_per_connection
    limitConnections(server, http, options.is_behind_proxy)
    closeStalledReaders(server, http.request_ms)
    on.bad_requests.listen(server)
    return server
  }
