import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import { parseAccountEmail } from '#domain/accounts/account-email.ts'
import { AuthError } from '#server/auth/auth-error.ts'
import { readBearer } from '#server/auth/identify-caller.ts'
import { AUTHENTICATED } from '#server/auth/sessions/tokens.ts'
import type { Config } from '#server/config/config.ts'
import type { Creator } from '#server/http/edge/caller.ts'
import { ApiError, unauthorized, unavailable } from '#server/http/edge/errors.ts'

const KEYS_MAX_AGE_MS = 600_000
const TIMEOUT_MS = 5_000
/** Minimum interval between key requests, so that tokens with invented key ids cannot cause many requests. */
const MIN_RELOAD_INTERVAL_MS = 30_000

/** Returns the public keys of a hosted auth service, cached for ten minutes and reloaded for an unknown key id. */
export const remoteKeys = (
  base: string,
  min_reload_interval_ms = MIN_RELOAD_INTERVAL_MS,
): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(`${base}/.well-known/jwks.json`), {
    cacheMaxAge: KEYS_MAX_AGE_MS,
    cooldownDuration: min_reload_interval_ms,
    timeoutDuration: TIMEOUT_MS,
  })

const TOKEN_ERRORS = [
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

/** Returns true if an error is caused by the token and not by an unavailable host. */
const isTokenError = (error: unknown): boolean => TOKEN_ERRORS.some((kind) => error instanceof kind)

/** Allowed algorithms. HS256 is excluded, because its verification key also signs. */
const ALGORITHMS = ['ES256', 'RS256']
/** Allowed clock difference in seconds. */
const SKEW_SECONDS = 5

const claims = z.object({
  sub: z.guid().toLowerCase(),
  role: z.literal(AUTHENTICATED),
  exp: z.int(),
  session_id: z.guid().optional(),
  is_anonymous: z.boolean().optional(),
  email: z.string().optional(),
  aal: z.string().optional(),
})

/**
 * Returns true if a token belongs to an administrator of the installation. A second factor is required, because a token does
 * not tell whether its account has one (docs/decisions/078).
 */
const isAdministrator = (
  { admin_emails }: Pick<Config, 'admin_emails'>,
  { email, aal, is_anonymous }: z.output<typeof claims>,
): boolean =>
  email !== undefined &&
  aal === 'aal2' &&
  is_anonymous !== true &&
  admin_emails.includes(parseAccountEmail(email) ?? '')

const bearerOf = ({ headers }: FastifyRequest): string => {
  try {
    return readBearer(headers)
  } catch (error) {
    throw error instanceof AuthError ? unauthorized() : error
  }
}

/**
 * Creates authentication with a hosted auth service (SUPABASE_URL). Callers are identified by access tokens, which are
 * verified with the published keys of the host. Throws 401 for an invalid token, 503 if the keys are unavailable.
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
      if (isTokenError(error)) throw unauthorized()
      log.error({ err: error }, 'the keys of the hosted auth service cannot be read')
      throw unavailable()
    })
    const { success, data } = claims.safeParse(verified.payload)
    if (!success || (data.is_anonymous && !config.auth.can_be_anonymous)) throw unauthorized()
    const creator = { id: data.sub, session_id: data.session_id }
    return isAdministrator(config, data) ? { ...creator, is_administrator: true } : creator
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
      log.info({ base }, 'a hosted auth service manages the accounts')
    },
    accounts: undefined,
    replyCodes: undefined,
    identify,
    /** API keys are unavailable, because the host does not report closed accounts. */
    keyOf: () => undefined,
    /** Returns the session of a valid token, or its account if the token has no session. */
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
