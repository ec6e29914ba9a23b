import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const READABLE = /^[\w-]{8,64}$/

/** A call's own id: the one that a trusted proxy gave it, else a new one. */
export const requestId =
  (is_behind_proxy: boolean) =>
  ({ headers }: IncomingMessage): string => {
    const given = is_behind_proxy ? headers['x-request-id'] : undefined
    return typeof given === 'string' && READABLE.test(given) ? given : randomUUID()
  }

/**
 * Each answer but those that a CDN may keep says its call's id, which every line of the log about it has as `request_id`. With
 * `is_logged` each call has a line: its route, never its address, which may hold a link's secret.
 */
export const logRequests = (app: FastifyInstance, is_logged: boolean): void => {
  app.addHook('onSend', ({ id }, reply, _payload, done) => {
    // What a CDN may keep is the answer to many calls.
    if (reply.getHeader('cdn-cache-control') === undefined) reply.header('x-request-id', id)
    done()
  })
  if (!is_logged) return
  app.addHook('onResponse', ({ method, routeOptions, log }, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    log.info({ method, route: routeOptions.url, status, ms: Math.round(elapsedTime) }, 'answered')
    done()
  })
}
