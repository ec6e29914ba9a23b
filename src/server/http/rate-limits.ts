import type { FastifyInstance, FastifyRequest } from 'fastify'
import { asksForTest } from '#domain/test-runs.ts'
import { isLowerUuid } from '#server/uuid.ts'
import { tooMany } from './errors.ts'
import { createBucket, createCallerBucket, type Limit } from './throttle.ts'

/** How many submissions a minute: the two that an operator may need to change (docs/limits.md). */
export type SubmitLimits = { per_address: number; per_quiz: number }

/** An address that fills its limit in this many quizzes at once is no classroom. */
const QUIZZES_PER_ADDRESS = 5
const SNAPSHOT: Limit = { calls: 300, per_seconds: 60, burst: 300 }
/** Pages without scripts that a class turns. */
const PAGE: Limit = { calls: 300, per_seconds: 60, burst: 300 }
/** Visit reports of a class, sent as pages are left. */
const VISIT: Limit = { calls: 600, per_seconds: 60, burst: 600 }
/** A room of people behind one address, each page of which reads again twice a minute. */
const SHARED_STATISTICS: Limit = { calls: 120, per_seconds: 60, burst: 120 }
/** Test runs of a few people who try a quiz together. */
const TEST_SUBMIT: Limit = { calls: 20, per_seconds: 60, burst: 20 }
/** Polls and autosaves of three tabs are about 60 a minute. */
const CREATOR: Limit = { calls: 600, per_seconds: 60, burst: 120 }

/** Of an API key: programs that read page by page wait for each answer. */
const KEY: Limit = { calls: 300, per_seconds: 60, burst: 60 }

/** All of a minute's calls may come at once, as those of a classroom do. */
const eachMinute = (calls: number): Limit => ({ calls, per_seconds: 60, burst: calls })

/** The seconds that a call has to wait; 0 lets it in. */
type Wait = (request: FastifyRequest) => number | Promise<number>

/** One spelling for each quiz, and one for everything that names none. */
const quizOf = ({ params }: FastifyRequest): string => {
  const id = ((params as { id?: string }).id ?? '').toLowerCase()
  return isLowerUuid(id) ? id : ''
}
/**
 * The session that a call's genuine token names, without asking the database, so that a flood costs no
 * query; undefined without one.
 */
export type SessionOf = (request: FastifyRequest) => Promise<string | undefined>

/** The API key of a call that this process has accepted before, without a query as well; undefined of any other. */
export type KeyOf = (request: FastifyRequest) => string | undefined

/** The seconds that an address has to wait before it may read a snapshot again; 0 lets it. */
export type SnapshotWait = (address: string) => number

/**
 * Rate limiter of the product API: refuses calls beyond the limits (429 with Retry-After). The counts are
 * this process's own; each limit's memory is bounded. Gives the limiter of the raw HTTP path's snapshots.
 */
export const limitRates = (
  app: FastifyInstance,
  { per_address, per_quiz }: SubmitLimits,
  { sessionOf, keyOf }: { sessionOf: SessionOf; keyOf: KeyOf },
): SnapshotWait => {
  const ofAddress = createCallerBucket(eachMinute(per_address * QUIZZES_PER_ADDRESS))
  const ofBoth = createCallerBucket(eachMinute(per_address))
  const ofQuiz = createBucket(eachMinute(per_quiz))
  const ofEachAddress = (limit: Limit): Wait => {
    const bucket = createCallerBucket(limit)
    return ({ ip }) => bucket(ip)
  }
  const snapshotBucket = createCallerBucket(SNAPSHOT)
  const page = ofEachAddress(PAGE)
  const named = {
    submit: (request: FastifyRequest) => {
      const quiz_id = quizOf(request)
      return ofAddress(request.ip) || ofBoth(request.ip, Date.now(), quiz_id) || ofQuiz(quiz_id)
    },
    page,
    // The public page is ready for all; that of a test is written for each.
    test_page: (request: FastifyRequest) => (asksForTest(request.query) ? page(request) : 0),
    test_submit: ofEachAddress(TEST_SUBMIT),
    visit: ofEachAddress(VISIT),
    shared_statistics: ofEachAddress(SHARED_STATISTICS),
  }
  const snapshot: Wait = (request) => snapshotBucket(request.ip)
  const creatorBucket = createBucket(CREATOR)
  const signedOutBucket = createCallerBucket(CREATOR)
  const keyBucket = createBucket(KEY)
  const creator = async (request: FastifyRequest): Promise<number> => {
    const key = keyOf(request)
    if (key) return keyBucket(key)
    const session = await sessionOf(request)
    return session ? creatorBucket(session) : signedOutBucket(request.ip)
  }
  const waitOf = ({ method, routeOptions }: FastifyRequest): Wait | undefined => {
    const { access, limits } = routeOptions.config
    if (limits) return named[limits]
    if (!access) return undefined
    if (access === 'creator') return creator
    return method === 'POST' ? named.submit : snapshot
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const decide = (seconds: number): void => done(seconds > 0 ? tooMany(seconds) : undefined)
    const wait = waitOf(request)?.(request) ?? 0
    if (typeof wait === 'number') decide(wait)
    else wait.then(decide, done)
  })
  return snapshotBucket
}
