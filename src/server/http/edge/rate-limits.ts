import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isTrialRequest } from '#domain/run/trial-runs.ts'
import { createLruCache } from '#server/runtime/lru-cache.ts'
import { isLowerUuid } from '#server/runtime/uuid.ts'
import { tooMany } from './errors.ts'

/** So many calls at once, and so many more in each `per_seconds`. */
export type Limit = { calls: number; per_seconds: number; burst: number }

/** The most keys (callers, quizzes) that one limit remembers. */
export const MAX_TRACKED_KEYS = 50_000

/** Keys that are kept as they are; longer ones, which a caller may have made up, by their digest. */
const LONGEST_KEY = 100
const shortKey = (key: string): string =>
  key.length <= LONGEST_KEY ? key : createHash('sha256').update(key).digest('base64')

type Bucket = (key: string, now?: number, taken?: 0 | 1) => number

/**
 * A token bucket for each key, in this process's memory. Calling it takes one token and gives 0, or
 * gives the whole seconds until there is one; with 0 as `taken` it only looks.
 */
export const createTokenBucket = ({ calls, per_seconds, burst }: Limit): Bucket => {
  const buckets = createLruCache<{ tokens: number; at: number }>(MAX_TRACKED_KEYS)
  const per_ms = calls / (per_seconds * 1000)
  return (given, now = Date.now(), taken = 1) => {
    const key = shortKey(given)
    const known = buckets.get(key)
    const bucket = known ?? { tokens: burst, at: now }
    if (!known) buckets.set(key, bucket)
    const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * per_ms)
    const isEmpty = tokens < 1
    bucket.tokens = isEmpty ? tokens : tokens - taken
    bucket.at = now
    return isEmpty ? Math.ceil((1 - tokens) / per_ms / 1000) : 0
  }
}

/** The groups of an IPv6 address, the zeros that it leaves out included. */
const groupsOf = (ip: string): string[] => {
  const [head = '', tail = ''] = ip.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after]
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** What a caller is counted by: its IPv4 address, or the /64 network of its IPv6 one. */
export const clientKey = (ip: string): string => {
  const mapped = MAPPED.exec(ip)?.[1]
  if (mapped) return mapped
  return isIPv6(ip) ? groupsOf(ip).slice(0, 4).join(':') : ip
}

/** What a customer of a provider is counted by: an IPv4 address, or the /48 that holds the IPv6 one. */
export const networkKey = (ip: string): string => clientKey(ip).split(':').slice(0, 3).join(':')

/** The larger IPv6 networks that a caller belongs to, with how many times one caller's allowance each has. */
const aggregatesOf = (ip: string): { network: string; share: number }[] =>
  isIPv6(ip) && !MAPPED.test(ip)
    ? AGGREGATES.map(({ groups, share }) => ({
        network: groupsOf(ip).slice(0, groups).join(':'),
        share,
      }))
    : []

/** A /48 is what one customer is given, a /32 what one provider has. */
const AGGREGATES = [
  { groups: 3, share: 8 },
  { groups: 2, share: 256 },
]

/**
 * A token bucket for each caller, by address. An IPv6 caller is let in while its /64 has a token, and the
 * /48 and /32 around it have one of their larger buckets: a /48 is not 65,536 callers. What a caller asks
 * for (`what`) is counted apart when it is named.
 */
export const createClientBucket = ({
  calls,
  per_seconds,
  burst,
}: Limit): ((ip: string, now?: number, what?: string) => number) => {
  const ofCaller = createTokenBucket({ calls, per_seconds, burst })
  const ofAggregate = new Map(
    AGGREGATES.map(({ share }) => [
      share,
      createTokenBucket({ calls: calls * share, per_seconds, burst: burst * share }),
    ]),
  )
  return (ip, now = Date.now(), what = '') => {
    const wait = ofCaller(`${clientKey(ip)} ${what}`, now)
    if (wait > 0) return wait
    const waits = aggregatesOf(ip).map(
      ({ network, share }) => ofAggregate.get(share)?.(`${network} ${what}`, now) ?? 0,
    )
    return Math.max(0, ...waits)
  }
}

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
  const ofAddress = createClientBucket(eachMinute(per_address * QUIZZES_PER_ADDRESS))
  const ofBoth = createClientBucket(eachMinute(per_address))
  const ofQuiz = createTokenBucket(eachMinute(per_quiz))
  const ofEachAddress = (limit: Limit): Wait => {
    const bucket = createClientBucket(limit)
    return ({ ip }) => bucket(ip)
  }
  const snapshotBucket = createClientBucket(SNAPSHOT)
  const page = ofEachAddress(PAGE)
  const named = {
    submit: (request: FastifyRequest) => {
      const quiz_id = quizOf(request)
      return ofAddress(request.ip) || ofBoth(request.ip, Date.now(), quiz_id) || ofQuiz(quiz_id)
    },
    page,
    // The public page is ready for all; that of a test is written for each.
    test_page: (request: FastifyRequest) => (isTrialRequest(request.query) ? page(request) : 0),
    test_submit: ofEachAddress(TEST_SUBMIT),
    visit: ofEachAddress(VISIT),
    shared_statistics: ofEachAddress(SHARED_STATISTICS),
  }
  const snapshot: Wait = (request) => snapshotBucket(request.ip)
  const creatorBucket = createTokenBucket(CREATOR)
  const signedOutBucket = createClientBucket(CREATOR)
  const keyBucket = createTokenBucket(KEY)
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
