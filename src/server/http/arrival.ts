import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LARGEST_BODY } from '#contract/endpoint.ts'
import { LARGEST_FILE } from '#domain/images.ts'
import { LARGEST_QUIZ_FILE } from '#domain/quiz-file-format.ts'
import { type ApiError, tooSlow } from './errors.ts'

/** Least speed of a picture or a file in bytes a second: the largest picture takes five minutes and a half. */
const MIN_UPLOAD_BYTES_S = 32_768
const LARGEST_UPLOAD = Math.max(LARGEST_FILE, LARGEST_QUIZ_FILE)

/** Most bytes of a body that are received and dropped after its request was answered, and the longest time for it. */
type DropLimit = { max_bytes: number; max_ms: number }
const DROPPED_OF_STRANGERS: DropLimit = { max_bytes: LARGEST_BODY, max_ms: 5_000 }
/** Limit that lets a creator read why a file is too large. */
const DROPPED_OF_CREATORS: DropLimit = { max_bytes: 2 * LARGEST_UPLOAD, max_ms: 60_000 }
/** Interval in which dropped bytes are counted, because node:http drops them without an event. */
const DROP_CHECK_MS = 20

/** Returns what node:http may allow any request in ms, so that the slowest upload has its time. */
export const longestArrival = (request_ms: number): number =>
  request_ms + (LARGEST_UPLOAD / MIN_UPLOAD_BYTES_S) * 1_000

/** True for a request that has a body, empty or not yet received. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** True once the whole body was received. A call made in this process says nothing of it and is complete. */
export const isComplete = ({ raw }: FastifyRequest): boolean => raw.complete !== false

/** Answers on a connection in the middle of a request and closes it. */
export type CutOff = (socket: Duplex, refusal: ApiError) => void

/**
 * Closes a connection whose request was answered before its body was received, once a limit of bytes or time is met.
 * Closing at once would reset the connection before some clients have read the answer.
 */
const dropRest = ({ raw, creator }: FastifyRequest): void => {
  const { max_bytes, max_ms } = creator ? DROPPED_OF_CREATORS : DROPPED_OF_STRANGERS
  const { socket } = raw
  const begun = socket.bytesRead
  const ends_at = performance.now() + max_ms
  const look = (): void => {
    if (raw.complete || socket.destroyed) return
    const isOver = socket.bytesRead - begun > max_bytes || performance.now() > ends_at
    if (isOver) socket.destroy()
    else setTimeout(look, DROP_CHECK_MS).unref()
  }
  look()
}

/**
 * Cuts off requests whose body does not arrive (408): after `request_ms`, which an upload gets again each time that
 * enough bytes came meanwhile. node:http has one limit for a whole request at any speed.
 */
export const limitArrival = (
  app: FastifyInstance,
  { request_ms, cutOff }: { request_ms: number; cutOff: CutOff },
): void => {
  app.decorateRequest('arrival_timer')
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasBody(request)) return done()
    const { raw, routeOptions } = request
    const { socket } = raw
    const least = routeOptions.config.takes_time
      ? (MIN_UPLOAD_BYTES_S * request_ms) / 1_000
      : Number.POSITIVE_INFINITY
    let seen = socket.bytesRead
    const look = (): void => {
      if (isComplete(request) || socket.destroyed) return
      const came = socket.bytesRead - seen
      seen += came
      if (came < least) cutOff(socket, tooSlow())
      else request.arrival_timer = setTimeout(look, request_ms).unref()
    }
    request.arrival_timer = setTimeout(look, request_ms).unref()
    done()
  })
  // Listening to each body for its end would cost more than this hook; a call may be answered before that.
  app.addHook('onResponse', (request, _reply, done) => {
    clearTimeout(request.arrival_timer)
    if (!isComplete(request)) dropRest(request)
    done()
  })
}
