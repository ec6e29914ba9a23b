import type { FastifyInstance } from 'fastify'

const METHODS = 'GET, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'X-Client-IP',
  'X-Client-Info',
  'X-JWT-AUD',
  'x-use-cookie',
  'X-Supabase-Api-Version',
  'apikey',
].join(', ')
const SHOWN_HEADERS = 'X-Total-Count, Link, X-Supabase-Api-Version'
const KEPT_SECONDS = 86_400

/**
 * Lets the pages of the listed origins call the auth service from a browser; without a list, no header is
 * sent. Calls carry a token, never a cookie, so credentials are not allowed.
 */
export const allowOrigins = (app: FastifyInstance, origins: string[]): void => {
  if (origins.length === 0) return
  app.addHook('onRequest', async ({ headers: { origin } }, reply) => {
    reply.header('vary', 'origin')
    if (origin === undefined || !origins.includes(origin)) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': SHOWN_HEADERS,
    })
  })
  app.options('/*', async (_request, reply) =>
    reply
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': KEPT_SECONDS,
      })
      .code(204)
      .send(),
  )
}
