import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { RawPath } from './raw-path.ts'

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
export const logRequests = (raw_path: RawPath, log: FastifyBaseLogger): void =>
  raw_path.onAnswered(({ request_id, method, route, status, ms }) =>
    log.info({ request_id, method, route, status, ms: Math.round(ms) }, 'answered'),
  )
