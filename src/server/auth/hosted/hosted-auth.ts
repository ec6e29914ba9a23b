import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import { AuthError } from '#server/auth/auth-error.ts'
import { readBearer } from '#server/auth/sessions/authenticate.ts'
import { AUTHENTICATED } from '#server/auth/sessions/tokens.ts'
import type { Config } from '#server/config/config.ts'
import type { Creator } from '#server/http/edge/caller.ts'
import { ApiError, unauthorized, unavailable } from '#server/http/edge/errors.ts'

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
const isOfToken = (error: unknown): boolean => OF_THE_TOKEN.some((kind) => error instanceof kind)

/** Never HS256: a key that verifies such tokens also makes them. */
const ALGORITHMS = ['ES256', 'RS256']
/** Two clocks may be so far apart. */
const SKEW_SECONDS = 5

const claims = z.object({
  sub: z.guid().toLowerCase(),
  role: z.literal(AUTHENTICATED),
  exp: z.int(),
  session_id: z.guid().optional(),
  is_anonymous: z.boolean().optional(),
})

const bearerOf = ({ headers }: FastifyRequest): string => {
  try {
    return readBearer(headers)
  } catch (error) {
    throw error instanceof AuthError ? unauthorized() : error
  }
}

/**
 * Accounts of a hosted auth service (SUPABASE_URL): no call of ours under /auth/v1; who calls the product
 * API is read from the host's access tokens by its published keys. 401 for a bad token, 503 while the host
 * cannot be asked for its keys.
 */
export const createHostedAuth = ({
  base,
  config,
  log,
  keys = remoteKeys(base),
}: {
  base: string
  config: Config
  log: FastifyBaseLogger
  keys?: JWTVerifyGetKey
}) => {
  const read = async (request: FastifyRequest): Promise<Creator> => {
    const token = bearerOf(request)
    const verified = await jwtVerify(token, keys, {
      issuer: base,
      audience: AUTHENTICATED,
      algorithms: ALGORITHMS,
      clockTolerance: SKEW_SECONDS,
    }).catch((error: unknown) => {
      if (isOfToken(error)) throw unauthorized()
      log.error({ err: error }, 'the keys of the hosted auth service cannot be read')
      throw unavailable()
    })
    const { success, data } = claims.safeParse(verified.payload)
    if (!success || (data.is_anonymous && !config.auth.can_be_anonymous)) throw unauthorized()
    return { id: data.sub, session_id: data.session_id }
  }
  /** Verified callers by request, because the rate limiter needs the caller before the call is identified. */
  const verified = new WeakMap<FastifyRequest, Promise<Creator>>()
  const identify = async (request: FastifyRequest): Promise<Creator | null> => {
    if (request.headers.authorization === undefined) return null
    const known = verified.get(request) ?? read(request)
    verified.set(request, known)
    return known
  }
  return {
    register: (_app: FastifyInstance): void => {
      log.info({ base }, 'accounts are those of a hosted auth service')
    },
    identify,
    /** Nobody says here when an account of the host is closed: it has no API keys. */
    keyOf: () => undefined,
    /** The session of a genuine token; its account where the host's tokens name none. */
    sessionOf: async (request: FastifyRequest): Promise<string | undefined> => {
      try {
        const creator = await identify(request)
        return creator?.session_id ?? creator?.id
      } catch (error) {
        if (error instanceof ApiError) return undefined
        throw error
      }
    },
  }
}
