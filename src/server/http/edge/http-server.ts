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

/**
 * Returns true for the header name "host". Compares the length first, because it runs for every header of every
 * request.
 */
const isHost = (name = ''): boolean => name.length === 4 && name.toLowerCase() === 'host'

/**
 * Creates handlers for requests that never reach a route: bytes that are not HTTP, several hosts, slow or huge
 * headers, CONNECT and Expect. The handlers answer with the usual body and headers, then close the connection.
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
    /**
     * Refuses a request with several Host headers and returns true, because a proxy in front may have read another
     * one.
     */
    refuseSeveralHosts: ({ rawHeaders }: IncomingMessage, response: ServerResponse): boolean => {
      let nb_hosts = 0
      for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at])) nb_hosts++
      if (nb_hosts <= 1) return false
      send(response, unreadable())
      return true
    },
    /** Handles parse errors and time-outs, as Fastify's `clientErrorHandler`. */
    onClientError: (error: Error & { code?: string }, socket: Duplex): void => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
      else answer(socket, refusalOf(error))
    },
    /** Answers in the middle of a request and closes the connection. */
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

/** Keep-alive time of connections from a proxy, which reuses them for its next visitors. */
const PROXY_KEEP_MS = 65_000
const BROWSER_KEEP_MS = 5_000
const MAX_HEADER_BYTES = 16_384
/** Number of checks for slow requests within their time-out. */
const CHECKS_PER_TIMEOUT = 2
const MAX_TIMEOUT_CHECK_MS = 5_000

/** Returns the options of node:http, which close slow clients and refuse ambiguous requests. */
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
    connectionsCheckingInterval: Math.min(MAX_TIMEOUT_CHECK_MS, headers_ms / CHECKS_PER_TIMEOUT),
    keepAliveTimeout: is_behind_proxy ? PROXY_KEEP_MS : BROWSER_KEEP_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Refuses requests that a proxy in front could parse differently.
    insecureHTTPParser: false,
    requireHostHeader: true,
  }
}

/** Maximum numbers of connections, in total and from one network: an IPv4 address or an IPv6 /48. */
type ConnectionLimits = { connections: number; connections_per_address: number }

/**
 * Closes new connections beyond the limits, so that one network cannot take all of them. Behind a proxy only the
 * total is limited, because every connection comes from the proxy.
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

/** Minimum speed at which a client must read a response, in bytes per second. */
const MIN_READ_BYTES_S = 32_768
const MAX_CHECK_MS = 5_000

/** State of a response that its client has not read completely. */
type PendingAnswer = {
  /** Bytes whose write has completed. */
  nb_written: number
  /** Bytes of the current write that the operating system has not accepted. */
  queue_bytes: number
  moved_at: number
  ends_at: number
}

/**
 * Returns the bytes of the current write that the operating system has not accepted. node:net uses them to tell
 * whether a socket is idle.
 */
const queueBytes = (socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number =>
  socket._handle?.writeQueueSize ?? socket.writableLength

/**
 * Closes connections whose client does not read its response: no progress for `max_stall_ms`, or less than 32 KiB a
 * second. A slower client would hold the response in memory without end.
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

/**
 * Maximum number of responses that wait for an earlier one on the same connection; browsers and proxies send one
 * request at a time.
 */
const MAX_PIPELINED = 4

/**
 * Closes a connection at once. node:http creates an error for each waiting request; without stack traces a thousand
 * of them cost a twentieth.
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
 * Creates a check that runs before each response. The check closes the connection and returns true if too many
 * pipelined requests wait, because one packet could otherwise start a thousand unread responses.
 */
export const createPipelineLimit = () => {
  const waiting = new WeakMap<Socket, number>()
  return ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
    // A response has its socket at once, unless an earlier response is still being sent.
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
 * Adds `app.drain`, which makes every response close its connection, so that clients reach another process. Returns a
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

/**
 * Creates the function with which Fastify creates its server. The server limits connections and answers from memory.
 */
export const createServerFactory =
  (
    { http }: Pick<Config, 'http'>,
    options: ReturnType<typeof serverOptions>,
    deps: { fast_path: FastPath; bad_requests: ReturnType<typeof createBadRequestHandlers> },
  ) =>
  (routes: RequestListener): Server => {
    const isTooDeep = createPipelineLimit()
    const refuse: typeof isTooDeep = (request, response) =>
      isTooDeep(request, response) || deps.bad_requests.refuseSeveralHosts(request, response)
    const server = deps.fast_path.createServer(routes, { ...options, refuse })
    server.maxRequestsPerSocket = http.requests_per_connection
    limitConnections(server, http, options.is_behind_proxy)
    closeStalledReaders(server, http.request_ms)
    deps.bad_requests.listen(server)
    return server
  }
