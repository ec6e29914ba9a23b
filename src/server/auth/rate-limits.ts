import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { createClientBucket, type Limit } from '#server/http/edge/rate-limits.ts'
import { tooManyRequests } from './auth-error.ts'

/**
 * Rate limits per IPv4 address or IPv6 network. The limit of `refresh` is high, because a client whose refresh is refused
 * signs out.
 */
const LIMITS = {
  sign_up: { calls: 30, per_seconds: 300, burst: 30 },
  sign_in: { calls: 150, per_seconds: 300, burst: 30 },
  web3: { calls: 30, per_seconds: 300, burst: 30 },
  refresh: { calls: 1500, per_seconds: 300, burst: 300 },
  update_user: { calls: 30, per_seconds: 300, burst: 30 },
  sign_up_anonymously: { calls: 30, per_seconds: 3600, burst: 30 },
  otp: { calls: 30, per_seconds: 300, burst: 30 },
  recover: { calls: 30, per_seconds: 300, burst: 30 },
  resend: { calls: 30, per_seconds: 300, burst: 30 },
  verify: { calls: 30, per_seconds: 300, burst: 30 },
  reauthenticate: { calls: 30, per_seconds: 300, burst: 30 },
  factor: { calls: 15, per_seconds: 60, burst: 30 },
  external: { calls: 150, per_seconds: 300, burst: 60 },
  sso: { calls: 30, per_seconds: 300, burst: 30 },
} satisfies Record<string, Limit>

type Name = keyof typeof LIMITS
/** Returns a hook that limits the calls of an IP address. */
export type RateLimits = (name: (request: FastifyRequest) => Name) => onRequestAsyncHookHandler

/** Creates hooks that throw 429 if an IP address calls too often. If `isOn` is false, the hooks do nothing. */
export const createRateLimits = (isOn: boolean): RateLimits => {
  const buckets = new Map(
    Object.entries(LIMITS).map(([name, limit]) => [name, createClientBucket(limit)]),
  )
  return (name) => async (request) => {
    if (!isOn) return
    const seconds = buckets.get(name(request))?.(request.ip) ?? 0
    if (seconds > 0) throw tooManyRequests(seconds)
  }
}
