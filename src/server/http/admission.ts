import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LARGEST_BODY } from '#contract/endpoint.ts'
import { unavailable } from './errors.ts'
import type { Family } from './exposition.ts'

/** The most submissions that may be under way at once, by number and by size. */
export type Room = { calls: number; bytes: number }

/** A wait of seconds at most, within the memory of the smallest process. */
const ROOM: Room = { calls: 2_000, bytes: 67_108_864 }

/**
 * A concurrency limiter for submissions: those beyond what this process has room for are refused (503
 * with Retry-After) before their body is read, so that what waits for a slow database never grows
 * without end. Gives its gauge.
 */
export const admitSubmissions = (app: FastifyInstance, room: Room = ROOM): (() => Family[]) => {
  let calls = 0
  let bytes = 0
  let refused = 0
  app.addHook('onRequest', (request, reply, done) => {
    if (!isSubmission(request)) return done()
    const size = sizeOf(request.headers)
    if (calls >= room.calls || bytes + size > room.bytes) {
      refused++
      return done(unavailable())
    }
    calls++
    bytes += size
    reply.raw.once('close', () => {
      calls--
      bytes -= size
    })
    done()
  })
  return () => [
    { name: 'submissions_underway', type: 'gauge', samples: [{ value: calls }] },
    { name: 'submissions_underway_bytes', type: 'gauge', samples: [{ value: bytes }] },
    { name: 'submissions_refused_total', type: 'counter', samples: [{ value: refused }] },
  ]
}

/** Of the product API, or of a page without scripts. */
const isSubmission = ({ method, routeOptions: { config } }: FastifyRequest): boolean =>
  config.limits === 'submit' ||
  config.limits === 'test_submit' ||
  (config.access === 'anyone' && method === 'POST')

/** Streams that last as long as their reader; each kind has its own limit. */
const GOES_ON = /\/(?:live|download|export)$/

/**
 * A concurrency limiter for every other call: those beyond `most` under way are refused at once (503 with
 * Retry-After), so that what waits for a slow database stays short.
 */
export const admitCalls = (app: FastifyInstance, most: number): void => {
  let calls = 0
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions
    if (isSubmission(request) || url === undefined || GOES_ON.test(url)) return done()
    if (calls >= most) return done(unavailable(1))
    calls++
    reply.raw.once('close', () => {
      calls--
    })
    done()
  })
}

/** A body without a length counts as the largest. */
const sizeOf = (headers: IncomingHttpHeaders): number => {
  const length = Number(headers['content-length'] ?? LARGEST_BODY)
  return Math.min(length, LARGEST_BODY)
}
