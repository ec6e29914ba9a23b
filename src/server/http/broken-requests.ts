import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, errorBodyOf, methodRefused, tooSlow, unreadable } from './errors.ts'
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
export const createBrokenRequests = (public_url: string) => {
  const headers = { ...securityHeaders(public_url), 'content-type': JSON_TYPE, connection: 'close' }
  const answer = (socket: Duplex, refusal: ApiError): void => {
    const body = JSON.stringify(errorBodyOf(refusal))
    const length = { 'content-length': Buffer.byteLength(body) }
    const lines = Object.entries({ ...headers, ...refusal.headers, ...length })
    const head = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  }
  const send = (response: ServerResponse, refusal: ApiError): void => {
    const body = JSON.stringify(errorBodyOf(refusal))
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
