import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { createClientBucket, type Limit } from '#server/http/edge/rate-limits.ts'
import { tooManyRequests } from './auth-error.ts'

/**
 * Calls of one address, or IPv6 network. Refreshing is generous and apart: a client that is refused there while its access
 * token has expired drops its session.
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
export type RateLimits = (name: (request: FastifyRequest) => Name) => onRequestAsyncHookHandler

/** Makes hooks that refuse (429) an address that calls too often; they let all pass when limits are off. */
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
