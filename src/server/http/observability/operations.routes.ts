import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config/config.ts'
import { isLoopback } from '#server/config/values.ts'
import type { Database } from '#server/db/database.ts'
import { unavailable, unknownPath } from '#server/http/edge/errors.ts'
import type { FastPath } from '#server/http/edge/fast-path.ts'
import type { MetricSource } from '#server/runtime/metric-source.ts'
import { archiveMetric } from './archive-metric.ts'
import { connectionMetrics, createMetrics, outboxMetrics } from './metrics.ts'

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/** Returns true if the requested host is a name of this machine. */
const isOwnName = (host: string | undefined): boolean =>
  URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`))

/**
 * Returns true for a call from this machine, under its own name and not through a local proxy. A page that reaches
 * 127.0.0.1 by DNS rebinding has the name of its own site.
 */
const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  LOOPBACK.test(socket.remoteAddress ?? '') &&
  isOwnName(headers.host) &&
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

type OperationsDependencies = {
  database: Database
  config: Pick<Config, 'metrics_token' | 'public_url'>
  fast_path: FastPath
  /** Metrics of features. More may be added until the first scrape. */
  metrics: readonly MetricSource[]
  isDraining: () => boolean
}

/**
 * Serves /healthz (the process runs), /readyz (the database answers and the server is not draining) and /metrics,
 * also under overload. /metrics requires METRICS_TOKEN, except from this machine in a local installation. A proxy on
 * this machine cannot be recognised, so a public installation always requires the token.
 */
export const serveOperations = (
  app: FastifyInstance,
  { database, config, fast_path, metrics, isDraining }: OperationsDependencies,
): void => {
  const { metrics_token } = config
  const isPrivate = isLoopback(new URL(config.public_url))
  const writeMetrics = createMetrics({
    sources: () => [
      ...connectionMetrics(database),
      ...outboxMetrics(database),
      archiveMetric(database),
      ...metrics,
    ],
    fast_path,
  })
  const mayRead = (request: FastifyRequest): boolean =>
    (isPrivate && isLocal(request)) ||
    (metrics_token !== undefined &&
      isSame(request.headers.authorization ?? '', `Bearer ${metrics_token}`))

  /** Pending check of the database, which simultaneous calls share. */
  let asking: Promise<boolean> | undefined
  const isReady = (): Promise<boolean> => {
    asking ??= database.isReady().finally(() => {
      asking = undefined
    })
    return asking
  }

  const options = { config: { access: 'anyone', is_for_operators: true } } as const
  app.get('/healthz', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async () => {
    if (isDraining() || !(await isReady())) throw unavailable()
    return { status: 'ready' }
  })
  const metricsOptions = { config: { access: 'operator', is_for_operators: true } } as const
  app.get('/metrics', metricsOptions, async (request, reply) => {
    if (!mayRead(request)) throw unknownPath()
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await writeMetrics())
  })
}
