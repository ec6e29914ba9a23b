import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { isForCreators } from '#contract/kit/endpoint.ts'
import { isFilledFormRequest } from '#domain/prefilled-links/link-parameters.ts'
import { isTrialRequest } from '#domain/run/trial-runs.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { ipv6Groups, unwrapMapped } from '#server/runtime/networks.ts'
import { LOWER_UUID } from '#server/runtime/uuid.ts'
import { tooMany } from './errors.ts'

/** Rate limit: `burst` calls at once and `calls` more in each `per_seconds`. */
export type Limit = { calls: number; per_seconds: number; burst: number }

/** Maximum number of keys (callers, quizzes) that one limit tracks. */
export const MAX_TRACKED_KEYS = 50_000

/** Maximum length of a key that is stored as it is; a longer one is stored as a digest. */
const MAX_KEY_LENGTH = 100
const shortKey = (key: string): string =>
  key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('base64')

type Bucket = (key: string, now?: number, nb_tokens?: number) => number

/**
 * Creates token buckets by key, in the memory of this process. A call takes `nb_tokens` tokens (at most the burst) and
 * returns 0, or returns the whole seconds until there are enough. With `nb_tokens` 0 no token is taken.
 */
export const createTokenBucket = ({ calls, per_seconds, burst }: Limit): Bucket => {
  const buckets = createLruCache<{ tokens: number; at: number }>(MAX_TRACKED_KEYS)
  const per_ms = calls / (per_seconds * 1000)
  return (full_key, now = Date.now(), nb_tokens = 1) => {
    const key = shortKey(full_key)
    const known = buckets.get(key)
    const bucket = known ?? { tokens: burst, at: now }
    if (!known) buckets.set(key, bucket)
    // A clock that was set back must not take tokens away.
    const elapsed_ms = Math.max(0, now - bucket.at)
    const tokens = Math.min(burst, bucket.tokens + elapsed_ms * per_ms)
    const needed = Math.min(burst, Math.max(1, nb_tokens))
    const isEmpty = tokens < needed
    bucket.tokens = isEmpty ? tokens : tokens - Math.min(burst, nb_tokens)
    bucket.at = now
    return isEmpty ? Math.ceil((needed - tokens) / per_ms / 1000) : 0
  }
}

/** Returns the network that a client is counted by: its IPv4 address or its IPv6 /64. */
export const clientKey = (ip: string): string => {
  const address = unwrapMapped(ip)
  return isIPv6(address) ? ipv6Groups(address, 4).join(':') : address
}

/** Returns the network of one customer of a provider: an IPv4 address or an IPv6 /48. */
export const networkKey = (ip: string): string => clientKey(ip).split(':').slice(0, 3).join(':')

/** Returns the larger IPv6 networks of a client, each with its multiple of one client's allowance. */
const aggregatesOf = (ip: string): { network: string; share: number }[] =>
  isIPv6(unwrapMapped(ip))
    ? AGGREGATES.map(({ groups, share }) => ({ network: ipv6Groups(ip, groups).join(':'), share }))
    : []

/** A provider typically has a /32 and gives a /48 to one customer. */
const AGGREGATES = [
  { groups: 3, share: 8 },
  { groups: 2, share: 256 },
]

/**
 * Creates token buckets by client address. An IPv6 client also needs a token of its /48 and /32, so that a /48 does
 * not count as 65,536 clients. A named `resource` has buckets of its own.
 */
export const createClientBucket = ({
  calls,
  per_seconds,
  burst,
}: Limit): ((ip: string, now?: number, resource?: string, nb_tokens?: number) => number) => {
  const ofCaller = createTokenBucket({ calls, per_seconds, burst })
  const ofAggregate = new Map(
    AGGREGATES.map(({ share }) => [
      share,
      createTokenBucket({ calls: calls * share, per_seconds, burst: burst * share }),
    ]),
  )
  return (ip, now = Date.now(), resource = '', nb_tokens = 1) => {
    const wait = ofCaller(`${clientKey(ip)} ${resource}`, now, nb_tokens)
    if (wait > 0) return wait
    const waits = aggregatesOf(ip).map(
      ({ network, share }) =>
        ofAggregate.get(share)?.(`${network} ${resource}`, now, nb_tokens) ?? 0,
    )
    return Math.max(0, ...waits)
  }
}

/** Submissions per minute; operators can change both numbers (docs/limits.md). */
export type SubmitLimits = { per_address: number; per_quiz: number }

/** Number of quizzes in which one address may reach its limit at once; a classroom never needs more. */
const QUIZZES_PER_ADDRESS = 5
/** Bytes of a submission: those of a mean one, by which allowances grow, and those that each of a burst may have. */
const SUBMISSION_BYTES = { mean: 8_192, burst: 32_768 }
const SNAPSHOT: Limit = { calls: 300, per_seconds: 60, burst: 300 }
/** Pages that a class turns without scripts. */
const PAGE: Limit = { calls: 300, per_seconds: 60, burst: 300 }
/** Documents and checks of certificates for a class behind one address. */
const REPORT: Limit = { calls: 60, per_seconds: 60, burst: 60 }
/** Calls of participants' pages from one IP address, which a whole class may share. */
const PARTICIPANT_PAGE: Limit = { calls: 60, per_seconds: 60, burst: 60 }
/** oEmbed calls from the server of one site. */
const OEMBED: Limit = { calls: 120, per_seconds: 60, burst: 120 }
/** Visit reports that a class sends as it leaves pages. */
const VISIT: Limit = { calls: 600, per_seconds: 60, burst: 600 }
/** Shared statistics on the screens of a room behind one address; each page refreshes twice a minute. */
const SHARED_STATISTICS: Limit = { calls: 120, per_seconds: 60, burst: 120 }
/** Trial runs of a few people who try a quiz together. */
const TEST_SUBMIT: Limit = { calls: 20, per_seconds: 60, burst: 20 }
/** Three tabs poll and autosave about 60 times a minute. */
const CREATOR: Limit = { calls: 600, per_seconds: 60, burst: 120 }

/** Crash reports of one session; the browser sends at most five for each page. */
const CRASH_REPORT: Limit = { calls: 10, per_seconds: 60, burst: 10 }
/** Files, pages and calls without a limit of their own: sixty creators behind one address who open the dashboard. */
const FILE: Limit = { calls: 6_000, per_seconds: 60, burst: 6_000 }

/** Calls of one API key; a program that reads page by page waits for each answer. */
const KEY: Limit = { calls: 300, per_seconds: 60, burst: 60 }

/** Returns a limit whose calls of a minute may all come at once, as those of a classroom do. */
const eachMinute = (calls: number): Limit => ({ calls, per_seconds: 60, burst: calls })

/** Returns a limit in bytes for submissions: `calls` mean ones a minute, and `burst` larger ones at once. */
const bytesOfSubmissions = (calls: number, burst: number): Limit => ({
  calls: calls * SUBMISSION_BYTES.mean,
  per_seconds: 60,
  burst: burst * SUBMISSION_BYTES.burst,
})

/** Returns the bytes of a body before it arrives; the largest possible number if the client does not announce it. */
const announcedBytes = ({ headers, routeOptions: { bodyLimit = 0 } }: FastifyRequest): number => {
  const announced = Number(headers['content-length'])
  return headers['content-length'] !== undefined && announced >= 0 ? announced : bodyLimit
}

/** Returns the seconds that a call must wait; 0 admits it. */
type Wait = (request: FastifyRequest) => number | Promise<number>

/** Returns the normalised id of the quiz in the path; empty if the path names none. */
const quizOf = ({ params }: FastifyRequest): string => {
  const id = ((params as { id?: string }).id ?? '').toLowerCase()
  return LOWER_UUID.test(id) ? id : ''
}
/** Returns the session of a call's valid token, or undefined. Makes no query, so that a flood of calls costs none. */
export type SessionOf = (request: FastifyRequest) => Promise<string | undefined>

/** Returns the API key of a call if this process has accepted it before, without a query; otherwise undefined. */
export type KeyOf = (request: FastifyRequest) => string | undefined

/** Rate limit of a route; `none` only for operators, who are answered under overload too. */
export type LimitClass = NonNullable<FastifyContextConfig['limits']> | 'file' | 'creator' | 'none'

/** Returns the rate limit of a route. A route that names none is limited as a file, so that no route is unlimited. */
export const limitClassOf = ({
  access,
  limits,
  is_for_operators,
}: FastifyContextConfig): LimitClass => {
  if (limits) return limits
  if (is_for_operators) return 'none'
  // Counted like an unknown path, which these calls look like to everyone else.
  if (access === 'administrator') return 'file'
  return isForCreators(access) ? 'creator' : 'file'
}

/** Returns the seconds that an address must wait before it may read a snapshot again; 0 admits it. */
export type SnapshotWait = (address: string) => number

/**
 * Refuses calls of the product API beyond the limits (429 with Retry-After), which this process counts in bounded
 * memory. Returns the limit of snapshots, which the fast path applies too.
 */
export const limitRates = (
  app: FastifyInstance,
  { per_address, per_quiz }: SubmitLimits,
  { sessionOf, keyOf }: { sessionOf: SessionOf; keyOf: KeyOf },
): SnapshotWait => {
  const ofAddress = createClientBucket(eachMinute(per_address * QUIZZES_PER_ADDRESS))
  const ofBoth = createClientBucket(eachMinute(per_address))
  const ofQuiz = createTokenBucket(eachMinute(per_quiz))
  const bytesOfAddress = createClientBucket(
    bytesOfSubmissions(per_address, per_address * QUIZZES_PER_ADDRESS),
  )
  const bytesOfQuiz = createTokenBucket(bytesOfSubmissions(per_quiz, per_quiz))
  const submitBytes = (request: FastifyRequest, quiz_id: string): number => {
    const [now, bytes] = [Date.now(), announcedBytes(request)]
    return bytesOfAddress(request.ip, now, '', bytes) || bytesOfQuiz(quiz_id, now, bytes)
  }
  const ofEachAddress = (limit: Limit) => {
    const bucket = createClientBucket(limit)
    return ({ ip }: FastifyRequest): number => bucket(ip)
  }
  const snapshotBucket = createClientBucket(SNAPSHOT)
  const crashBucket = createTokenBucket(CRASH_REPORT)
  const signedOutBucket = createClientBucket(CREATOR)
  const page = ofEachAddress(PAGE)
  const file = ofEachAddress(FILE)
  const trial = ofEachAddress(TEST_SUBMIT)
  const named = {
    snapshot: ({ ip }: FastifyRequest) => snapshotBucket(ip),
    submit: (request: FastifyRequest) => {
      const quiz_id = quizOf(request)
      return (
        ofAddress(request.ip) ||
        ofBoth(request.ip, Date.now(), quiz_id) ||
        ofQuiz(quiz_id) ||
        submitBytes(request, quiz_id)
      )
    },
    page,
    report: ofEachAddress(REPORT),
    participant_page: ofEachAddress(PARTICIPANT_PAGE),
    oembed: ofEachAddress(OEMBED),
    // The public page is cached for all visitors, but trial runs and filled forms are built for each.
    test_page: (request: FastifyRequest) =>
      isTrialRequest(request.query) || isFilledFormRequest(request.query)
        ? page(request)
        : file(request),
    test_submit: (request: FastifyRequest) =>
      trial(request) || submitBytes(request, quizOf(request)),
    visit: ofEachAddress(VISIT),
    shared_statistics: ofEachAddress(SHARED_STATISTICS),
    crash_report: async (request: FastifyRequest) => {
      const session = await sessionOf(request)
      return session ? crashBucket(session) : signedOutBucket(request.ip)
    },
  }
  const creatorBucket = createTokenBucket(CREATOR)
  const keyBucket = createTokenBucket(KEY)
  const creator = async (request: FastifyRequest): Promise<number> => {
    const key = keyOf(request)
    if (key) return keyBucket(key)
    const session = await sessionOf(request)
    return session ? creatorBucket(session) : signedOutBucket(request.ip)
  }
  const waits: Record<LimitClass, Wait> = { ...named, file, creator, none: () => 0 }

  app.addHook('onRequest', (request, _reply, done) => {
    const decide = (seconds: number): void => done(seconds > 0 ? tooMany(seconds) : undefined)
    const wait = waits[limitClassOf(request.routeOptions.config)](request)
    if (typeof wait === 'number') decide(wait)
    else wait.then(decide, done)
  })
  return snapshotBucket
}
