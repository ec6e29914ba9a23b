import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LARGEST_BODY } from '#contract/endpoint.ts'
import { unavailable } from './errors.ts'
import type { Family } from './exposition.ts'

/** How much of what visitors send may be under way at once. */
export type Room = { calls: number; bytes: number }

/** A wait of seconds at most, and memory for a process of the smallest kind. */
const ROOM: Room = { calls: 2_000, bytes: 67_108_864 }

/** Submissions under way, and how many came in vain. */
export type Doorkeeper = {
  /** Takes one in, of so many bytes at most; false when there is no room. */
  enter: (size: number) => boolean
  leave: (size: number) => void
  gauge: () => Family[]
}

/** Counts what is under way, and lets in no more than there is room for. */
export const createDoorkeeper = (room: Room = ROOM): Doorkeeper => {
  let calls = 0
  let bytes = 0
  let refused = 0
  return {
    enter: (size) => {
      if (calls >= room.calls || bytes + size > room.bytes) {
        refused++
        return false
      }
      calls++
      bytes += size
      return true
    },
    leave: (size) => {
      calls--
      bytes -= size
    },
    gauge: () => [
      { name: 'submissions_underway', type: 'gauge', samples: [{ value: calls }] },
      { name: 'submissions_underway_bytes', type: 'gauge', samples: [{ value: bytes }] },
      { name: 'submissions_refused_total', type: 'counter', samples: [{ value: refused }] },
    ],
  }
}

/**
 * Refuses (503 with Retry-After) submissions beyond what this process has room for, before their body
 * is read: when the database is slow, what waits for it never grows without end.
 */
export const admitSubmissions = (app: FastifyInstance, door: Doorkeeper): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isSubmission(request)) return done()
    const size = sizeOf(request.headers)
    if (!door.enter(size)) return done(unavailable())
    reply.raw.once('close', () => door.leave(size))
    done()
  })
}

/** Of the product API, or of a page without scripts. */
const isSubmission = ({ method, routeOptions: { config } }: FastifyRequest): boolean =>
  config.limits === 'submit' || (config.access === 'anyone' && method === 'POST')

/** Answers that go on for as long as their reader listens; each kind has its own limit. */
const GOES_ON = /\/(?:live|download|export)$/

/**
 * Refuses (503 with Retry-After) calls beyond so many under way, submissions apart: whoever comes while
 * the database is slow is told at once, and what waits for it stays short.
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

/** A body that does not say its length may be as long as any. */
const sizeOf = (headers: IncomingHttpHeaders): number => {
  const length = Number(headers['content-length'] ?? LARGEST_BODY)
  return Math.min(length, LARGEST_BODY)
}
