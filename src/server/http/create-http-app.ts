import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from '#server/config/config.ts'
import { isOwnMachine } from '#server/config/values.ts'
import type { Database } from '#server/db/database.ts'
import type { MetricSource } from '#server/runtime/metric-source.ts'
import { recordAccess } from './edge/access.ts'
import { admissionLimits, admitCalls, shedLoad } from './edge/admission.ts'
import {
  type CallerIdentification,
  createProxyTrust,
  readForwardedAddresses,
} from './edge/caller.ts'
import { guardDisk, watchFreeDisk } from './edge/disk-guard.ts'
import { isServerError, toApiError, toErrorBody, unknownPath } from './edge/errors.ts'
import {
  createFastPath,
  type FastPath,
  logRequests,
  requestId,
  sendRequestIds,
  setSecurityHeaders,
} from './edge/fast-path.ts'
import {
  createBadRequestHandlers,
  createServerFactory,
  enableDraining,
  serverOptions,
} from './edge/http-server.ts'
import { warnOfProxy } from './edge/proxy-warning.ts'
import { limitRates, type SnapshotWait } from './edge/rate-limits.ts'
import { enforceUploadTimeout, readJsonBodies } from './edge/request-body.ts'
import { securityHeaders } from './edge/security-headers.ts'
import { serveOperations } from './observability/operations.routes.ts'
import type { Tracing } from './observability/tracing.ts'
import {
  cleanAddresses,
  isVisitorAddress,
  redirectDamagedAddress,
} from './pages/redirect-damaged-addresses.ts'
import { isAuthCall, isNavigation } from './pages/serve-dashboard.ts'

type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => void

type Dependencies = {
  config: Config
  database: Database
  log: FastifyBaseLogger
  /** False if the server serves its API alone. */
  has_pages: boolean
  /** Answers an unknown address below /auth/v1 in the form of that service's errors. */
  answerUnknownAuthRoute: AnswerUnknown
  /** Answers an unknown address of visitors with a page for them. */
  answerUnknownVisitor: AnswerUnknown
}

/** The Fastify application, and what features need of its HTTP layer. */
export type HttpApp = {
  app: FastifyInstance
  fast_path: FastPath
  /** Undefined unless tracing is configured. */
  tracing: Tracing | undefined
  /** Adds metrics of another module to /metrics. */
  addMetrics: (metrics: readonly MetricSource[]) => void
  /**
   * Installs rate limits, overload protection and admission, identifies callers, and serves the routes of operators.
   * Returns the rate limit of snapshots, which the fast path applies too.
   */
  limitCalls: (callers: CallerIdentification) => SnapshotWait
}

/**
 * Creates the Fastify application on a node:http server that refuses ambiguous and slow requests. Its hooks run in the
 * order of this file: upload time-out, addresses of proxies, request ids and records, security headers, JSON bodies.
 */
export const createHttpApp = async ({
  config,
  database,
  log,
  has_pages,
  answerUnknownAuthRoute,
  answerUnknownVisitor,
}: Dependencies): Promise<HttpApp> => {
  const options = serverOptions(config)
  const genReqId = requestId(options.is_behind_proxy)
  const fast_path = createFastPath(genReqId)
  const bad_requests = createBadRequestHandlers(config.public_url)
  const trust = createProxyTrust(config)
  const disk = watchFreeDisk(config.database_url ? undefined : config.data_dir)
  const answerUnknown = createAnswerUnknown({
    has_pages,
    answerUnknownAuthRoute,
    answerUnknownVisitor,
  })
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    // Addresses before the rightmost one that belongs to no proxy are whatever a client wrote.
    trustProxy: options.is_behind_proxy && trust,
    genReqId,
    clientErrorHandler: bad_requests.onClientError,
    routerOptions: { maxParamLength: 200 },
    // Hooks do not run for an address that cannot be decoded, so the headers that hooks set are set here.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      reply.headers(securityHeaders(config.public_url))
      if (!redirectDamagedAddress(request, reply)) answerUnknown(request, reply)
    },
    requestTimeout: options.requestTimeout,
    keepAliveTimeout: options.keepAliveTimeout,
    // A call that arrives on an open connection during the shutdown is answered, then the connection is closed.
    return503OnClosing: false,
    serverFactory: createServerFactory(config, options, { fast_path, bad_requests }),
  })
  recordAccess(app)
  enforceUploadTimeout(app, { request_ms: config.http.request_ms, cutOff: bad_requests.cutOff })
  warnOfProxy(app, log, {
    is_behind_proxy: options.is_behind_proxy,
    is_local: isOwnMachine(config.public_url),
  })
  if (options.is_behind_proxy) readForwardedAddresses(app)
  app.addHook('preClose', async () => fast_path.close())
  sendRequestIds(app)
  fast_path.recordRoutes(app)
  if (config.logs_requests) logRequests(fast_path, log)
  const tracing =
    config.tracing &&
    (await import('./observability/tracing.ts')).startTracing(config.tracing, {
      pool: database.pool,
      log,
    })
  if (tracing) {
    tracing.traceCalls(app, fast_path)
    app.addHook('onClose', tracing.close)
  }
  app.setErrorHandler((error, request, reply) => {
    const refusal = toApiError(error)
    if (isServerError(error)) request.log.error({ err: error }, 'request failed')
    reply.code(refusal.status).headers(refusal.headers).send(toErrorBody(refusal, request.id))
  })
  app.setNotFoundHandler(answerUnknown)
  setSecurityHeaders(app, config.public_url)
  cleanAddresses(app)
  readJsonBodies(app)

  const metrics: MetricSource[] = []
  return {
    app,
    fast_path,
    tracing,
    addMetrics: (added) => {
      metrics.push(...added)
    },
    limitCalls: (callers) => {
      if (!config.rate_limits) log.warn('RATE_LIMITS=off: calls are not rate limited')
      const snapshotWait = config.rate_limits
        ? limitRates(app, config.submit_limits, callers)
        : () => 0
      shedLoad(app, log, config.http.loop_delay_ms)
      guardDisk(app, disk)
      fast_path.pauseWhile(() => disk.state() !== 'enough')
      const admission = admitCalls(app, {
        limits: admissionLimits(config.http.calls, config.rate_limits),
        identify: callers.identify,
        cutOff: bad_requests.cutOff,
      })
      metrics.push(...admission, {
        name: 'database_disk_free_bytes',
        type: 'gauge',
        help: 'Free bytes of the disk of the embedded database; 0 for a database elsewhere',
        read: () => [{ value: disk.free_bytes() ?? 0 }],
      })
      const isDraining = enableDraining(app, fast_path)
      serveOperations(app, { database, config, fast_path, metrics, isDraining })
      return snapshotWait
    },
  }
}

/**
 * Creates the answer to unknown addresses: browsers are led to the sign-in screen (product 7.1), visitors read that
 * there is no such page, and programs get 404.
 */
const createAnswerUnknown =
  ({
    has_pages,
    answerUnknownAuthRoute,
    answerUnknownVisitor,
  }: Pick<
    Dependencies,
    'has_pages' | 'answerUnknownAuthRoute' | 'answerUnknownVisitor'
  >): AnswerUnknown =>
  (request, reply) => {
    if (has_pages && isNavigation(request)) {
      if (isVisitorAddress(request.url)) {
        answerUnknownVisitor(request, reply)
        return
      }
      reply.redirect('/login', 302)
      return
    }
    if (isAuthCall(request)) {
      answerUnknownAuthRoute(request, reply)
      return
    }
    const refusal = unknownPath()
    reply.code(refusal.status).send(toErrorBody(refusal))
  }
