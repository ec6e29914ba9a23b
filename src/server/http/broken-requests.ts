import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, errorBodyOf, methodRefused, unreadable } from './errors.ts'
import { securityHeaders } from './security-headers.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

const tooSlow = (): ApiError =>
  new ApiError(408, 'too_slow', 'La requête a mis trop de temps à arriver')
const headersTooLarge = (): ApiError =>
  new ApiError(431, 'headers_too_large', 'Les en-têtes de la requête sont trop volumineux')
const expectationRefused = (): ApiError =>
  new ApiError(417, 'expectation_refused', 'L’en-tête Expect n’est pas accepté')

const refusalOf = (error: Error & { code?: string }): ApiError => {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow()
  return error.code === 'HPE_HEADER_OVERFLOW' ? headersTooLarge() : unreadable()
}

/**
 * Answers what never becomes a request that routes could see: bytes that are no HTTP or may be read in two
 * ways (400), headers that do not end (408) or are too many (431), CONNECT (405), and Expect (417). The
 * form and the headers are those of every other refusal; the connection ends.
 */
export const createBrokenRequests = (public_url: string) => {
  const headers = { ...securityHeaders(public_url), 'content-type': JSON_TYPE, connection: 'close' }
  const answer = (socket: Duplex, refusal: ApiError): void => {
    const body = JSON.stringify(errorBodyOf(refusal))
    const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) })
    const head = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  }
  return {
    /** As Fastify's clientErrorHandler. */
    onClientError: (error: Error & { code?: string }, socket: Duplex): void => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
      else answer(socket, refusalOf(error))
    },
    listen: (server: Server): void => {
      server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
        answer(socket, methodRefused())
      })
      server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
        const refusal = expectationRefused()
        const body = JSON.stringify(errorBodyOf(refusal))
        const length = { 'content-length': Buffer.byteLength(body) }
        response.writeHead(refusal.status, { ...headers, ...length }).end(body)
      })
    },
  }
}
