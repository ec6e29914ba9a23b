import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isForCreators } from '#contract/kit/endpoint.ts'
import { createTally } from '#server/runtime/concurrency-limit.ts'
import type { MetricSource } from '#server/runtime/metric-source.ts'
import { runEvery } from '#server/runtime/run-every.ts'
import type { Creator, IdentifyCreator } from './caller.ts'
import { ApiError, unauthorized, unavailable, unknownPath } from './errors.ts'
import { networkKey } from './rate-limits.ts'
import { hasBody, isBodyComplete, type RefuseOnSocket } from './request-body.ts'

const RESOLUTION_MS = 10
const SAMPLE_MS = 1_000

/** Measures the mean delay of the event loop in the last second, in ms; 0 if nothing was measured. */
const watchLoop = (): { delayOf: () => number; stop: () => void } => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  let delay_ms = 0
  const stopSampling = runEvery(SAMPLE_MS, () => {
    delay_ms = Math.max(0, histogram.mean / 1e6 - RESOLUTION_MS) || 0
    histogram.reset()
  })
  return {
    delayOf: () => delay_ms,
    stop: () => {
      stopSampling()
      histogram.disable()
    },
  }
}

/**
 * Refuses calls (503 with Retry-After) while the event loop is later than `max_delay_ms`, so that it recovers; operators
 * are still answered. Logs the number of refused calls once a second. Uses no files, sockets or caches, because an overloaded
 * system may have none left.
 */
export const shedLoad = (
  app: FastifyInstance,
  log: Pick<FastifyBaseLogger, 'warn'>,
  max_delay_ms: number,
  { delayOf, stop } = watchLoop(),
): void => {
  const isOverloaded = (): boolean => delayOf() > max_delay_ms
  let nb_refused = 0
  const stopLogging = runEvery(SAMPLE_MS, () => {
    if (nb_refused > 0)
      log.warn({ nb_refused }, 'calls were refused because the event loop is late')
    nb_refused = 0
  })
  app.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    const isRefused = !routeOptions.config.is_for_operators && isOverloaded()
    if (isRefused) nb_refused++
    done(isRefused ? unavailable() : undefined)
  })
  app.addHook('onClose', async () => {
    stop()
    await stopLogging()
  })
}

/**
 * Returns the administrator who calls. Throws the 404 of an unknown path for every other caller, also for a refused token,
 * so that no one learns that the path exists.
 */
const requireAdministrator = async (
  identify: IdentifyCreator,
  request: FastifyRequest,
): Promise<Creator> => {
  const creator = await identify(request).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) return null
    throw error
  })
  if (!creator?.is_administrator) throw unknownPath()
  return creator
}

/**
 * Identifies the caller of each route for creators and of 'optional' routes, once and before the body is read.
 * Handlers find the result in `request.creator`. A route for creators without a caller is refused (401).
 */
export const identifyCallers = (app: FastifyInstance, identify: IdentifyCreator): void => {
  app.decorateRequest('creator', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { access } = request.routeOptions.config
    const is_for_creators = isForCreators(access)
    if (!is_for_creators && access !== 'optional') return done()
    const identified =
      access === 'administrator' ? requireAdministrator(identify, request) : identify(request)
    identified.then((creator) => {
      request.creator = creator
      done(is_for_creators && !creator ? unauthorized() : undefined)
    }, done)
  })
}

/** Maximum numbers of calls that a process works on at once: in total, of one network, of one creator. */
type Slots = { in_all: number; per_network: number; per_creator: number }
/** Maximum bytes of request bodies in memory, complete or partly received. */
type BodyBytes = { in_all: number; per_network: number }
/** Limits of a process: submissions and other calls at once, and bytes of their bodies. */
export type AdmissionLimits = { submissions: Slots; calls: Slots; body_bytes: BodyBytes }

/**
 * Maximum number of submissions in this process: the database stores them within seconds and the smallest server has
 * memory for them.
 */
const MAX_SUBMISSIONS = 2_000
const MAX_BODY_BYTES = 67_108_864

/**
 * Returns the limits of a process. One network gets half of each kind of slot and a quarter of the bytes, one creator
 * a third of the slots. Without shares only the totals apply.
 */
export const admissionLimits = (max_calls: number, has_shares: boolean): AdmissionLimits => {
  const slots = (in_all: number): Slots => ({
    in_all,
    per_network: has_shares ? Math.ceil(in_all / 2) : in_all,
    per_creator: has_shares ? Math.ceil(in_all / 3) : in_all,
  })
  const per_network = has_shares ? MAX_BODY_BYTES / 4 : MAX_BODY_BYTES
  return {
    submissions: slots(MAX_SUBMISSIONS),
    calls: slots(max_calls),
    body_bytes: { in_all: MAX_BODY_BYTES, per_network },
  }
}

/** Creates a counter of the calls that hold a slot, by network and by creator. */
const createSlots = ({ in_all, per_network, per_creator }: Slots) => {
  const by_network = createTally()
  const by_creator = createTally()
  return {
    count: by_network.total,
    /** True if one more call of this network and creator may take a slot. */
    hasRoom: (network: string, creator?: string): boolean =>
      by_network.total() < in_all &&
      by_network.of(network) < per_network &&
      by_creator.of(creator) < per_creator,
    add: (count: 1 | -1, network: string, creator?: string): void => {
      by_network.add(network, count)
      by_creator.add(creator, count)
    },
  }
}

/** Slot and bytes that a call holds until its response is sent or its connection is closed. */
export type AdmittedCall = {
  slots: ReturnType<typeof createSlots>
  network: string
  creator_id: string | undefined
  has_slot: boolean
  body_bytes: number
  is_over: boolean
}

/** Returns true for a submission, through the API or from a page without scripts. */
export const isSubmission = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config.limits === 'submit' || config.limits === 'test_submit'

const needsCaller = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  isForCreators(config.access) || config.access === 'optional'

/** Routes of streams that stay open as long as their client reads; each kind has a limit of its own. */
const STREAM_ROUTES = /\/(?:live|download|export)$/

/** Returns true for routes that need no slot: routes of operators, unknown addresses and long streams. */
const isExempt = ({ routeOptions: { url, config } }: FastifyRequest): boolean =>
  url === undefined || config.is_for_operators === true || STREAM_ROUTES.test(url)

const takeSlot = (call: AdmittedCall): void => {
  call.has_slot = true
  call.slots.add(1, call.network, call.creator_id)
}
const releaseSlot = (call: AdmittedCall): void => {
  if (call.has_slot) call.slots.add(-1, call.network, call.creator_id)
  call.has_slot = false
}

/**
 * Limits the calls and body bytes that a process handles at once, identifies callers, and returns the metrics of
 * both. A call holds a slot while its caller is identified and again once its body is complete, so that slow bodies
 * hold none. Calls without a slot get 503 with Retry-After; a body over the limit of bytes closes its connection.
 */
export const admitCalls = (
  app: FastifyInstance,
  {
    limits,
    identify,
    cutOff,
  }: { limits: AdmissionLimits; identify: IdentifyCreator; cutOff: RefuseOnSocket },
): MetricSource[] => {
  const submissions = createSlots(limits.submissions)
  const calls = createSlots(limits.calls)
  const bytes = createTally()
  let nb_refused = 0
  const refuse = (call: Pick<AdmittedCall, 'slots'>) => {
    if (call.slots !== submissions) return unavailable(1)
    nb_refused++
    return unavailable()
  }
  const leave = (call: AdmittedCall): void => {
    call.is_over = true
    releaseSlot(call)
    bytes.add(call.network, -call.body_bytes)
  }

  app.decorateRequest('admitted_call')
  app.decorateRequest('call_state')
  const enter = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    if (isExempt(request)) return done()
    const slots = isSubmission(request) ? submissions : calls
    const network = networkKey(request.ip)
    // A connection that closed during an earlier hook emits no further 'close', so its slot would never be released.
    if (reply.raw.destroyed || !slots.hasRoom(network)) return done(refuse({ slots }))
    const call: AdmittedCall = {
      slots,
      network,
      creator_id: undefined,
      has_slot: false,
      body_bytes: 0,
      is_over: false,
    }
    request.admitted_call = call
    reply.raw.once('close', () => leave(call))
    if (isBodyComplete(request) || needsCaller(request)) takeSlot(call)
    done()
  }
  app.addHook('onRequest', enter)
  identifyCallers(app, identify)
  app.addHook('onRequest', (request, _reply, done) => {
    const { admitted_call: call, creator } = request
    if (!call?.has_slot || (isBodyComplete(request) && !creator)) return done()
    releaseSlot(call)
    call.creator_id = creator?.id
    if (call.is_over || !call.slots.hasRoom(call.network, call.creator_id))
      return done(refuse(call))
    if (isBodyComplete(request)) takeSlot(call)
    done()
  })
  app.addHook('preParsing', (request, _reply, body, done) => {
    const { admitted_call: call, raw, routeOptions } = request
    if (request.is404 && hasBody(request)) return done(unknownPath())
    // Uploads have their own byte limits (uploads.ts).
    if (!call || !hasBody(request) || routeOptions.config.takes_time) return done(null, body)
    body.on('data', ({ length }: Buffer) => {
      if (call.is_over) return
      call.body_bytes += length
      bytes.add(call.network, length)
      const { in_all, per_network } = limits.body_bytes
      if (bytes.total() > in_all || bytes.of(call.network) > per_network)
        cutOff(raw.socket, refuse(call))
    })
    done(null, body)
  })
  app.addHook('preValidation', ({ admitted_call: call }, _reply, done) => {
    if (!call || call.has_slot) return done()
    if (call.is_over || !call.slots.hasRoom(call.network, call.creator_id))
      return done(refuse(call))
    takeSlot(call)
    done()
  })
  return [
    {
      name: 'calls_underway',
      type: 'gauge',
      help: 'Calls under way, without submissions',
      read: () => [{ value: calls.count() }],
    },
    {
      name: 'submissions_underway',
      type: 'gauge',
      help: 'Submissions under way',
      read: () => [{ value: submissions.count() }],
    },
    {
      name: 'bodies_underway_bytes',
      type: 'gauge',
      help: 'Bytes of request bodies in memory',
      read: () => [{ value: bytes.total() }],
    },
    {
      name: 'submissions_refused_total',
      type: 'counter',
      help: 'Submissions refused because too many were under way',
      read: () => [{ value: nb_refused }],
    },
  ]
}
