import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tooMany } from './errors.ts'
import { callerKey, createBucket, type Limit } from './throttle.ts'

/** A class of thirty behind one address submits within the same minute, twice over. */
const SUBMIT_BY_ADDRESS: Limit = { calls: 60, per_seconds: 60, burst: 60 }
const SUBMIT_BY_QUIZ: Limit = { calls: 3_000, per_seconds: 60, burst: 3_000 }
const SNAPSHOT: Limit = { calls: 300, per_seconds: 60, burst: 300 }
/** What a class turns of pages without scripts. */
const PAGE: Limit = { calls: 300, per_seconds: 60, burst: 300 }
/** Polls and autosaves of three tabs are about 60 a minute. */
const CREATOR: Limit = { calls: 600, per_seconds: 60, burst: 120 }

type Rule = { bucket: ReturnType<typeof createBucket>; keyOf: (request: FastifyRequest) => string }

const addressOf = (request: FastifyRequest): string => callerKey(request.ip)
const quizOf = ({ params }: FastifyRequest): string => (params as { id?: string }).id ?? ''
/** The token tells callers apart before it is verified, so that a flood costs no query. */
const callerOf = (request: FastifyRequest): string =>
  request.headers.authorization ?? addressOf(request)

/**
 * Refuses (429 with Retry-After) who calls the product API too often. The counts are this process's
 * own; each limit's memory is bounded. What is answered without a route asks `snapshotWait` itself.
 */
export const limitRates = (app: FastifyInstance): { snapshotWait: (address: string) => number } => {
  const submit: Rule[] = [
    {
      bucket: createBucket(SUBMIT_BY_ADDRESS),
      keyOf: (request) => `${addressOf(request)} ${quizOf(request)}`,
    },
    { bucket: createBucket(SUBMIT_BY_QUIZ), keyOf: quizOf },
  ]
  const page: Rule[] = [{ bucket: createBucket(PAGE), keyOf: addressOf }]
  const snapshotBucket = createBucket(SNAPSHOT)
  const snapshot: Rule[] = [{ bucket: snapshotBucket, keyOf: addressOf }]
  const creator: Rule[] = [{ bucket: createBucket(CREATOR), keyOf: callerOf }]
  const rulesOf = ({ method, routeOptions }: FastifyRequest): Rule[] => {
    const { access, limits } = routeOptions.config
    if (limits) return limits === 'submit' ? submit : page
    if (!access) return []
    if (access === 'creator') return creator
    return method === 'POST' ? submit : snapshot
  }

  app.addHook('onRequest', async (request) => {
    for (const { bucket, keyOf } of rulesOf(request)) {
      const seconds = bucket(keyOf(request))
      if (seconds > 0) throw tooMany(seconds)
    }
  })
  return { snapshotWait: (address) => snapshotBucket(callerKey(address)) }
}
