import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tooMany } from './errors.ts'
import { callerKey, createBucket, type Limit } from './throttle.ts'

/** How many submissions a minute: the two that an operator may need to change (docs/limits.md). */
export type SubmitLimits = { per_address: number; per_quiz: number }

/** An address that sends to this many quizzes as fast as it may to each is no classroom. */
const QUIZZES_PER_ADDRESS = 5
const SNAPSHOT: Limit = { calls: 300, per_seconds: 60, burst: 300 }
/** What a class turns of pages without scripts. */
const PAGE: Limit = { calls: 300, per_seconds: 60, burst: 300 }
/** What the pages of a class say as they are left. */
const VISIT: Limit = { calls: 600, per_seconds: 60, burst: 600 }
/** Polls and autosaves of three tabs are about 60 a minute. */
const CREATOR: Limit = { calls: 600, per_seconds: 60, burst: 120 }

/** All of a minute's calls may come at once, as those of a classroom do. */
const eachMinute = (calls: number): Limit => ({ calls, per_seconds: 60, burst: calls })

type Rule = { bucket: ReturnType<typeof createBucket>; keyOf: (request: FastifyRequest) => string }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const addressOf = (request: FastifyRequest): string => callerKey(request.ip)
/** One spelling for each quiz, and one for everything that names none. */
const quizOf = ({ params }: FastifyRequest): string => {
  const id = ((params as { id?: string }).id ?? '').toLowerCase()
  return UUID.test(id) ? id : ''
}
/** The token tells callers apart before it is verified, so that a flood costs no query. */
const callerOf = (request: FastifyRequest): string =>
  request.headers.authorization ?? addressOf(request)

/**
 * Refuses (429 with Retry-After) who calls the product API too often. The counts are this process's
 * own; each limit's memory is bounded. What is answered without a route asks `snapshotWait` itself.
 */
export const limitRates = (
  app: FastifyInstance,
  { per_address, per_quiz }: SubmitLimits,
): { snapshotWait: (address: string) => number } => {
  const submit: Rule[] = [
    { bucket: createBucket(eachMinute(per_address * QUIZZES_PER_ADDRESS)), keyOf: addressOf },
    {
      bucket: createBucket(eachMinute(per_address)),
      keyOf: (request) => `${addressOf(request)} ${quizOf(request)}`,
    },
    { bucket: createBucket(eachMinute(per_quiz)), keyOf: quizOf },
  ]
  const page: Rule[] = [{ bucket: createBucket(PAGE), keyOf: addressOf }]
  const visit: Rule[] = [{ bucket: createBucket(VISIT), keyOf: addressOf }]
  const named = { submit, page, visit }
  const snapshotBucket = createBucket(SNAPSHOT)
  const snapshot: Rule[] = [{ bucket: snapshotBucket, keyOf: addressOf }]
  const creator: Rule[] = [{ bucket: createBucket(CREATOR), keyOf: callerOf }]
  const rulesOf = ({ method, routeOptions }: FastifyRequest): Rule[] => {
    const { access, limits } = routeOptions.config
    if (limits) return named[limits]
    if (!access) return []
    if (access === 'creator') return creator
    return method === 'POST' ? submit : snapshot
  }

  app.addHook('onRequest', (request, _reply, done) => {
    for (const { bucket, keyOf } of rulesOf(request)) {
      const seconds = bucket(keyOf(request))
      if (seconds > 0) return done(tooMany(seconds))
    }
    done()
  })
  return { snapshotWait: (address) => snapshotBucket(callerKey(address)) }
}
