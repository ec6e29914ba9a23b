import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'

const LIFETIME_MS = 600_000
const PATIENCE_MS = 5_000
/** However many unknown keys strangers name, the host is asked no more often than this. */
const FLOOR_MS = 30_000

/**
 * The published keys of a hosted auth service: kept for ten minutes, and asked for again when a token
 * names one that is not among them.
 */
export const remoteKeys = (base: string, floor_ms = FLOOR_MS): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(`${base}/.well-known/jwks.json`), {
    cacheMaxAge: LIFETIME_MS,
    cooldownDuration: floor_ms,
    timeoutDuration: PATIENCE_MS,
  })

const OF_THE_TOKEN = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
]

/** True when it is the token that is wrong, and not the host that is away. */
export const isOfToken = (error: unknown): boolean =>
  OF_THE_TOKEN.some((kind) => error instanceof kind)
