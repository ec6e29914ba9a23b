import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { notFound, unavailable } from './errors.ts'
import type { FastLane } from './fast-lane.ts'
import { createMetrics } from './metrics.ts'

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/** From this machine, and not passed on by a proxy that runs on it. */
const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') &&
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** /healthz: the process is up; /readyz: the database answers; /metrics: for loopback, or with METRICS_TOKEN. */
export const serveOperations = (
  app: FastifyInstance,
  {
    database,
    metrics_token,
    lane,
  }: { database: Database; metrics_token: string | undefined; lane?: FastLane },
): void => {
  const metrics = createMetrics(app, { pool: database.pool, lane })
  const mayRead = (request: FastifyRequest): boolean =>
    isLocal(request) ||
    (metrics_token !== undefined &&
      isSame(request.headers.authorization ?? '', `Bearer ${metrics_token}`))

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    if (!(await database.isReady())) throw unavailable()
    return { status: 'ready' }
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request)) throw notFound('Page introuvable')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics())
  })
}
