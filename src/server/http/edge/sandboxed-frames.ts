import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { methodRefused } from './errors.ts'

/** Origin that browsers send from a frame whose sandbox lacks `allow-same-origin`. */
const SANDBOXED_ORIGIN = 'null'
const PREFLIGHT_CACHE_SECONDS = 86_400

/** Returns true if a page without an origin sends the request, such as a quiz in a sandboxed frame. */
export const isFromSandboxedFrame = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers.origin === SANDBOXED_ORIGIN

/**
 * Hook of a route that lets a sandboxed frame read the answer. Other sites cannot read it, and no cookie or token is sent,
 * because neither is allowed.
 */
export const allowSandboxedFrame: onRequestHookHandler = (request, reply, done) => {
  if (isFromSandboxedFrame(request))
    reply.headers({
      'access-control-allow-origin': SANDBOXED_ORIGIN,
      'access-control-expose-headers': 'retry-after',
    })
  done()
}

/** Answers the question of browsers whether a sandboxed frame may post JSON to an address. Refuses other origins. */
export const answerPreflights = (app: FastifyInstance, url: string): void => {
  const options = { onRequest: allowSandboxedFrame, config: { access: 'anyone' } } as const
  app.options(url, options, async (request, reply) => {
    if (!isFromSandboxedFrame(request)) throw methodRefused()
    return reply
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': PREFLIGHT_CACHE_SECONDS,
      })
      .code(204)
      .send()
  })
}
