import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  type Answer,
  type Endpoint,
  type Group,
  isForCreators,
  keyScopeOf,
  MAX_CALL_BODY_BYTES,
  MAX_CALL_MS,
  successStatus,
  type ValidatedInput,
} from '#contract/kit/endpoint.ts'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { DATABASE_CONNECTIONS, withRetries } from '#server/db/database.ts'
import { createConcurrencyLimit } from '#server/runtime/concurrency-limit.ts'
import { UUID } from '#server/runtime/uuid.ts'
import type { Creator } from './caller.ts'
import { AbandonedCall, notFound, unavailable, unreadable, unsupportedMediaType } from './errors.ts'
import { allowSandboxedFrame, answerPreflights } from './sandboxed-frames.ts'
import { validateInPieces } from './validate-in-pieces.ts'
import { parseShape } from './validation.ts'

/** State of a call under way. The abort controller is created on first use, because most calls need none. */
export type CallState = { response: ServerResponse; abort?: AbortController }

/**
 * Returns the abort controller of a call, which aborts when its connection closes. A complete response also closes, and
 * then `shouldAbort` decides.
 */
const abortOf = (
  call: CallState,
  shouldAbort = () => !call.response.writableFinished,
): AbortController => {
  if (call.abort) return call.abort
  const abort = new AbortController()
  call.abort = abort
  const onClose = (): void => {
    if (shouldAbort()) abort.abort(new AbandonedCall())
  }
  // A request emits 'close' as soon as its body was read, so only the response tells that the connection was lost.
  if (call.response.destroyed) abort.abort(new AbandonedCall())
  else call.response.once('close', onClose)
  return abort
}

const callOf = (request: FastifyRequest): CallState => {
  const call = request.call_state
  if (!call) throw new Error('The call of this request was not begun')
  return call
}

/**
 * Returns the signal that aborts if a call exceeds its time or its connection closes. Long work observes it, so that
 * nothing is computed or stored for a caller who has left.
 */
export const signalOf = (request: FastifyRequest): AbortSignal => abortOf(callOf(request)).signal

/** Returns the response of a call, for handlers that hold something until it is sent. */
export const responseOf = (request: FastifyRequest): ServerResponse => callOf(request).response

/** Returns the signal that aborts when a streamed response was sent or its connection closes. */
export const responseSignalOf = ({ raw }: FastifyReply): AbortSignal =>
  abortOf({ response: raw }, () => true).signal

/**
 * Runs the work of a call. Aborts its signal and throws 503 with Retry-After if it takes longer than `ms`. The
 * database cancels the current statement by its own, shorter time-out.
 */
const runWithTimeout = <T>(
  {
    request,
    reply,
    ms = MAX_CALL_MS,
  }: { request: FastifyRequest; reply: FastifyReply; ms?: number | undefined },
  work: () => Promise<T>,
): Promise<T> => {
  const call: CallState = { response: reply.raw }
  request.call_state = call
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(unavailable())
      abortOf(call).abort(new AbandonedCall())
    }, ms)
    const end = (): void => clearTimeout(timer)
    const working = work()
    working.then(end, end)
    working.then(resolve, reject)
  })
}

/** Response of a handler that chooses its status or headers. A Buffer or a stream is sent as ready JSON. */
export class Reply<T = unknown> {
  readonly status: number
  readonly body: T | Buffer | Readable | undefined
  readonly headers: Record<string, string>

  constructor(status: number, body?: T | Buffer | Readable, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

type Caller<E extends Endpoint> = E['access'] extends 'anyone' | 'link'
  ? null
  : E['access'] extends 'optional'
    ? Creator | null
    : Creator

type Handler<E extends Endpoint> = (
  input: ValidatedInput<E>,
  creator: Caller<E>,
  request: FastifyRequest,
) => Promise<Answer<E> | Reply<Answer<E>>>

/** Handlers of a contract group, one for each key; a missing or misspelt key does not compile. */
export type Handlers<G extends Group> = { [K in keyof G]: Handler<G[K]> }

type AnyHandler = (
  input: Record<string, unknown>,
  creator: Creator | null,
  request: FastifyRequest,
) => Promise<unknown>

/** Returns the route of a call, with ids in the router's syntax. */
export const routeUrl = ({ path }: Pick<Endpoint, 'path'>): string =>
  BASE_PATH + path.replaceAll(/\{(\w+)\}/g, ':$1')

/**
 * Mounts a group of the contract: validates requests, passes the identified caller to the handlers, and sends JSON.
 */
export const mount = <G extends Group>(
  app: FastifyInstance,
  group: G,
  handlers: Handlers<G>,
): void => {
  for (const [name, endpoint] of Object.entries(group)) {
    // `Handlers` has already tied each name of the group to the types of its endpoint.
    const handle = handlers[name] as unknown as AnyHandler
    const status = successStatus(endpoint)
    if (endpoint.allows_sandboxed_frames) answerPreflights(app, routeUrl(endpoint))
    app.route({
      method: endpoint.method,
      url: routeUrl(endpoint),
      ...(endpoint.allows_sandboxed_frames && { onRequest: allowSandboxedFrame }),
      bodyLimit: endpoint.max_body_bytes ?? MAX_CALL_BODY_BYTES,
      config: {
        access: endpoint.access,
        takes_time: endpoint.body_types !== undefined,
        ...(endpoint.limits && { limits: endpoint.limits }),
        key_scope: keyScopeOf(endpoint),
        grows: isGrowing(endpoint),
      },
      handler: async (request, reply) => {
        const input = await readInput(endpoint, request)
        const { creator } = request
        const callHandler = () => withRetries(() => handle(input, creator, request))
        const work = (): Promise<unknown> =>
          creator && !hasOwnLimit(endpoint)
            ? limitCalls({ key: creator.id, signal: signalOf(request) }, callHandler)
            : callHandler()
        const answer = await runWithTimeout({ request, reply, ms: endpoint.timeout_ms }, work)
        return send(reply, status, answer)
      },
    })
  }
}

/**
 * Limits of calls that run at once. One creator gets half of the database connections, so that calls that wait for
 * that creator's locks never delay another creator.
 */
const CALL_LIMIT = {
  max_concurrent: 200,
  max_concurrent_per_key: DATABASE_CONNECTIONS / 2,
  max_queued: 400,
  max_queued_per_key: 120,
  refusal: () => unavailable(1),
}
const limitCalls = createConcurrencyLimit(CALL_LIMIT)

/**
 * Returns true for calls that a full disk refuses before their caller is identified. Calls of administrators do not count,
 * because that refusal would tell others that they exist.
 */
const isGrowing = ({ access, creates }: Endpoint): boolean =>
  isForCreators(access) && access !== 'administrator' && creates === true

/** Returns true for uploads and long calls, which have limits of their own. */
const hasOwnLimit = ({ body_types, timeout_ms }: Endpoint): boolean =>
  body_types !== undefined || timeout_ms !== undefined

const readInput = async (
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Record<string, unknown>> => {
  const shapes: Record<string, unknown> = endpoint.params?.shape ?? {}
  const ids = Object.entries(request.params as Record<string, string>).map(([name, part]) => {
    const shape = shapes[name]
    if (shape) return [name, parsePart(shape as z.ZodType, part)]
    if (!UUID.test(part)) throw notFound()
    return [name, part.toLowerCase()]
  })
  const query = endpoint.query ? parseShape(endpoint.query, request.query) : {}
  if (!endpoint.body) return { ...Object.fromEntries(ids), ...(query as object) }
  if (request.body === undefined) {
    const type = request.headers['content-type']
    throw type && !type.startsWith('application/json') ? unsupportedMediaType() : unreadable()
  }
  const body = await validateInPieces(endpoint.body, request.body)
  return { ...Object.fromEntries(ids), ...(query as object), body }
}

/** Returns a path parameter that is not an id. Throws 404, with the schema's message, if it does not match. */
const parsePart = (shape: z.ZodType, part: string): unknown => {
  const { success, data, error } = shape.safeParse(part)
  if (!success) throw notFound(error.issues[0]?.message)
  return data
}

const send = (reply: FastifyReply, success: number, answer: unknown): FastifyReply => {
  const { status, headers, body } = answer instanceof Reply ? answer : new Reply(success, answer)
  reply.code(status).headers(headers)
  if (body === undefined) return reply.send()
  const isReady = Buffer.isBuffer(body) || body instanceof Readable
  return isReady ? reply.type(JSON_TYPE).send(body) : reply.send(body)
}

const JSON_TYPE = 'application/json; charset=utf-8'
