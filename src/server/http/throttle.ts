import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { boundedCache } from '#server/runtime/bounded-cache.ts'

/** So many calls at once, and so many more in each `per_seconds`. */
export type Limit = { calls: number; per_seconds: number; burst: number }

/** The most keys (callers, quizzes) that one limit remembers. */
export const MOST_COUNTED = 50_000

/** Keys that are kept as they are; longer ones, which a caller may have made up, by their digest. */
const LONGEST_KEY = 100
const shortKey = (key: string): string =>
  key.length <= LONGEST_KEY ? key : createHash('sha256').update(key).digest('base64')

type Bucket = (key: string, now?: number, taken?: 0 | 1) => number

/**
 * A token bucket for each key, in this process's memory. Calling it takes one token and gives 0, or
 * gives the whole seconds until there is one; with 0 as `taken` it only looks.
 */
export const createBucket = ({ calls, per_seconds, burst }: Limit): Bucket => {
  const buckets = boundedCache<{ tokens: number; at: number }>(MOST_COUNTED)
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
export const callerKey = (ip: string): string => {
  const mapped = MAPPED.exec(ip)?.[1]
  if (mapped) return mapped
  return isIPv6(ip) ? groupsOf(ip).slice(0, 4).join(':') : ip
}

/** What a customer of a provider is counted by: an IPv4 address, or the /48 that holds the IPv6 one. */
export const customerKey = (ip: string): string => callerKey(ip).split(':').slice(0, 3).join(':')

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
export const createCallerBucket = ({
  calls,
  per_seconds,
  burst,
}: Limit): ((ip: string, now?: number, what?: string) => number) => {
  const ofCaller = createBucket({ calls, per_seconds, burst })
  const ofAggregate = new Map(
    AGGREGATES.map(({ share }) => [
      share,
      createBucket({ calls: calls * share, per_seconds, burst: burst * share }),
    ]),
  )
  return (ip, now = Date.now(), what = '') => {
    const wait = ofCaller(`${callerKey(ip)} ${what}`, now)
    if (wait > 0) return wait
    const waits = aggregatesOf(ip).map(
      ({ network, share }) => ofAggregate.get(share)?.(`${network} ${what}`, now) ?? 0,
    )
    return Math.max(0, ...waits)
  }
}
