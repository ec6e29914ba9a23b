import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { api } from '#contract/api.ts'
import type { Config } from '#server/config.ts'
import type { Doorkeeper } from '#server/http/admission.ts'
import { parseBody } from '#server/http/body.ts'
import { clientAddress, createTrust } from '#server/http/client-address.ts'
import { ApiError, errorBodyOf, toApiError, tooMany, unavailable } from '#server/http/errors.ts'
import { parseShape } from '#server/http/mount.ts'
import { requestId } from '#server/http/request-log.ts'
import { securityHeaders } from '#server/http/security-headers.ts'
import { serverOptions } from '#server/http/server-options.ts'
import { readPlainSubmission } from './plain-submission.ts'
import type { Snapshots } from './snapshots.ts'
import type { Submissions } from './submissions.ts'
import { answerSubmission } from './taking.routes.ts'

type Dependencies = {
  snapshots: Snapshots
  submissions: Submissions
  door: Doorkeeper
  isDrowning: () => boolean
  /** Seconds that an address has to wait before it may submit to a quiz again. */
  submitWait: (address: string, quiz_id: string) => number
  config: Pick<Config, 'public_url' | 'trust_proxy' | 'trusted_proxies' | 'http'>
  log: FastifyBaseLogger
}

const ADDRESS = /^\/api\/v1\/quizzes\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/submit$/
const ROUTE = '/api/v1/quizzes/:id/submit'
const JSON_TYPE = 'application/json; charset=utf-8'
/** As browsers, and the player, say what they send. */
const JSON_TYPES = new Set(['application/json', 'application/json; charset=utf-8', JSON_TYPE])
/** What is longer is read by the routes. */
const LARGEST = 65_536

/** The length of a body that is plain JSON and says how long it is; undefined of any other. */
const plainLength = (headers: IncomingHttpHeaders): number | undefined => {
  if (!JSON_TYPES.has(headers['content-type'] ?? '')) return undefined
  if (headers['content-encoding'] !== undefined) return undefined
  const length = Number(headers['content-length'])
  return length > 0 && length <= LARGEST ? length : undefined
}

const readBytes = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks)))
  })

/** A submission that has arrived, and what answers it. */
type Call = { request: IncomingMessage; response: ServerResponse; quiz_id: string; size: number }
/** Its headers as `writeHead` takes them. */
type Answered = { status: number; answer: object; headers: string[] }

/**
 * Answers submissions as the players send them by what answers them on the route, behind the same limits
 * in the same order. Anything out of the ordinary is left to the route.
 */
export const createSubmissionLane = ({
  snapshots,
  submissions,
  door,
  isDrowning,
  submitWait,
  config,
  log,
}: Dependencies) => {
  const strict = { ...securityHeaders(config.public_url), 'content-type': JSON_TYPE }
  const lines = Object.entries(strict).flat()
  const on = { snapshots, submissions }
  const trust = createTrust(config)
  const idOf = requestId(serverOptions(config).is_behind_proxy)

  /** Throws where it may not come in; it is counted until its connection is done with it. */
  const admit = ({ request, response, quiz_id, size }: Call): void => {
    const forwarded = request.headers['x-forwarded-for']?.toString()
    const address = clientAddress(trust, request.socket.remoteAddress ?? '', forwarded)
    const seconds = submitWait(address, quiz_id)
    if (seconds > 0) throw tooMany(seconds)
    if (!door.enter(size)) throw unavailable()
    response.once('close', () => door.leave(size))
    if (isDrowning()) throw unavailable()
  }
  const answerTo = async (call: Call): Promise<Answered> => {
    admit(call)
    const bytes = await readBytes(call.request)
    const body = readPlainSubmission(bytes) ?? parseShape(api.taking.submit.body, parseBody(bytes))
    return { ...(await answerSubmission(on, call.quiz_id, body)), headers: [] }
  }
  const refuse = (error: unknown, request_id: string): Answered => {
    const refusal = toApiError(error)
    const isFailure = refusal.status >= 500 && !(error instanceof ApiError)
    if (isFailure) log.error({ err: error, request_id }, 'request failed')
    const { status, headers } = refusal
    return {
      status,
      answer: errorBodyOf(refusal, request_id),
      headers: Object.entries(headers).flat(),
    }
  }
  const serve = async (call: Call): Promise<{ route: string; status: number }> => {
    const request_id = idOf(call.request)
    const answered = await answerTo(call).catch((error: unknown) => refuse(error, request_id))
    const { status, answer, headers } = answered
    const text = JSON.stringify(answer)
    const own = ['x-request-id', request_id, 'content-length', String(Buffer.byteLength(text))]
    call.response.writeHead(status, [...lines, ...own, ...headers]).end(text)
    return { route: ROUTE, status }
  }

  return (request: IncomingMessage, response: ServerResponse) => {
    const quiz_id = ADDRESS.exec(request.url ?? '')?.[1]
    const size = quiz_id ? plainLength(request.headers) : undefined
    if (!quiz_id || size === undefined) return undefined
    return serve({ request, response, quiz_id, size })
  }
}
