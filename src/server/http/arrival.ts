import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LARGEST_FILE } from '#domain/images.ts'
import { LARGEST_QUIZ_FILE } from '#domain/quiz-file-format.ts'

/** The least that a picture or a file may come at, in bytes a second: the largest picture takes five minutes and a half. */
const SLOWEST_UPLOAD = 32_768
const LARGEST_UPLOAD = Math.max(LARGEST_FILE, LARGEST_QUIZ_FILE)

/** What node:http may allow any request in ms, so that the slowest upload has its time. */
export const longestArrival = (request_ms: number): number =>
  request_ms + (LARGEST_UPLOAD / SLOWEST_UPLOAD) * 1_000

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether the body is there. Where a call is made in this process, nothing is said of it: it is there at once. */
const isComplete = ({ raw }: FastifyRequest): boolean => raw.complete !== false

/**
 * Cuts off requests whose body does not come: it has `request_ms`, and an upload the same again each time that
 * enough of it came meanwhile. node:http has one limit for a whole request, whatever it brings.
 */
export const limitArrival = (
  app: FastifyInstance,
  { request_ms, cutOff }: { request_ms: number; cutOff: (socket: Duplex) => void },
): void => {
  app.decorateRequest('arrival_timer')
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasBody(request)) return done()
    const { raw, routeOptions } = request
    const { socket } = raw
    const least = routeOptions.config.takes_time ? (SLOWEST_UPLOAD * request_ms) / 1_000 : Infinity
    let seen = socket.bytesRead
    const look = (): void => {
      if (isComplete(request) || socket.destroyed) return
      const came = socket.bytesRead - seen
      seen += came
      if (came < least) cutOff(socket)
      else request.arrival_timer = setTimeout(look, request_ms).unref()
    }
    request.arrival_timer = setTimeout(look, request_ms).unref()
    done()
  })
  // Listening to each body for its end would cost more than this hook; a call may be answered before that.
  app.addHook('onResponse', (request, _reply, done) => {
    if (isComplete(request)) clearTimeout(request.arrival_timer)
    done()
  })
}
