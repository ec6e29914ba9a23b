import { AsyncLocalStorage } from 'node:async_hooks'
import { Stream } from 'node:stream'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify'
import { isForCreators } from '#contract/kit/endpoint.ts'
import type { Database } from '#server/db/database.ts'
import { clientKey, MAX_TRACKED_KEYS } from '#server/http/edge/rate-limits.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import type { AuditEvent, AuditFacts } from './audit-events.ts'
import { type AuditLog, createAuditLog, type Origin } from './audit-log.ts'

/** A call under way: its origin and the events that it has recorded so far. */
type Call = { log: AuditLog; origin: Origin; noted: Promise<void>[] }

const calls = new AsyncLocalStorage<Call>()

/**
 * Records an event of the call under way (product 12.6). The response waits a moment until it is stored. Does nothing
 * outside a call of an audited route.
 */
export const audit = (event: AuditEvent, facts?: AuditFacts): void => {
  const call = calls.getStore()
  if (call) call.noted.push(call.log.note(event, facts, call.origin))
}

/** Maximum time that a response waits for its events, which the log has already. */
const MAX_WAIT_MS = 2_000
/** Minimum interval between two recorded events of the same refusal. */
const REFUSAL_INTERVAL_MS = 60_000

/**
 * Returns true for routes of accounts, creators and connections, and for the rights of participants. Other routes of
 * visitors are not audited.
 */
const isAudited = ({ url, config }: RouteOptions): boolean =>
  isForCreators(config?.access) ||
  url.startsWith('/auth/') ||
  url.startsWith('/api/v1/integrations/') ||
  url.endsWith('/download') ||
  url.endsWith('/ma-page/:token') ||
  url.endsWith('/confirmation/:token')

const refusalOf = (
  { headers }: FastifyRequest,
  { statusCode }: FastifyReply,
): AuditEvent | undefined => {
  if (statusCode === 401 && headers.authorization !== undefined) return 'token_refused'
  if (statusCode === 403) return 'access_refused'
  return statusCode === 429 ? 'rate_limited' : undefined
}

/**
 * Makes routes registered from now on record their events and refusals. Refusals of one kind, network and route are
 * recorded once a minute, so that a flood does not fill the log.
 */
const auditCalls = (app: FastifyInstance, log: AuditLog, applied: readonly string[] = []): void => {
  const known = new WeakMap<FastifyRequest, Call>()
  const refusals = createLruCache<number>(MAX_TRACKED_KEYS)
  const originOf = ({ ip, id }: FastifyRequest): Origin => ({ ip, request_id: id })

  const enter = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    const call = { log, origin: originOf(request), noted: [] }
    known.set(request, call)
    calls.run(call, done)
  }
  const writeNotedEvents = (
    request: FastifyRequest,
    _reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    const noted = known.get(request)?.noted ?? []
    // A stream whose client has left may end before it is sent.
    if (noted.length === 0 || payload instanceof Stream) {
      done(null, payload)
      return
    }
    settleWithin(MAX_WAIT_MS, ...noted).then(() => done(null, payload))
  }
  const noteRefusal = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const event = refusalOf(request, reply)
    if (!event) return
    const route = `${request.method} ${request.routeOptions.url}`
    const key = `${event} ${clientKey(request.ip)} ${route}`
    const now = Date.now()
    if (now - (refusals.get(key) ?? Number.NEGATIVE_INFINITY) < REFUSAL_INTERVAL_MS) return
    refusals.set(key, now)
    const detail = route.slice(0, 100)
    await log.note(event, { outcome: 'refused', detail }, originOf(request))
  }

  app.addHook('onRoute', (route) => {
    if (!isAudited(route)) return
    route.preHandler = [enter, ...[route.preHandler ?? []].flat()]
    route.onSend = [writeNotedEvents, ...[route.onSend ?? []].flat()]
    route.onResponse = [noteRefusal, ...[route.onResponse ?? []].flat()]
  })
  if (applied.length > 0) log.note('schema_migrated', { detail: applied.at(-1) })
  let hasStarted = false
  app.addHook('onListen', async () => {
    hasStarted = true
    log.note('server_started')
  })
  app.addHook('onClose', async () => {
    if (hasStarted) log.note('server_stopped')
    await log.close()
  })
}

type Dependencies = {
  database: Database
  secretKey: string | Uint8Array
  log: FastifyBaseLogger
}

/** Creates the audit log and lets the routes registered from now on write into it. */
export const registerAudit = (
  app: FastifyInstance,
  { database, secretKey, log }: Dependencies,
): AuditLog => {
  const audit_log = createAuditLog(database.pool, { secretKey, log })
  auditCalls(app, audit_log, database.applied)
  return audit_log
}
