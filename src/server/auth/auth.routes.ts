import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findSignUpMode } from './accounts/sign-up-mode.store.ts'
import { updateUser } from './accounts/update-user.ts'
import { adminRoutes } from './admin/admin.routes.ts'
import {
  AuthError,
  announceVersion,
  answerError,
  answerUnknownRoute,
  web3Disabled,
} from './auth-error.ts'
import { accountJson, healthJson, settingsJson } from './auth-json.ts'
import { emailLinksRoutes } from './email-links/email-links.routes.ts'
import { exchangeCode } from './email-links/exchange-code.ts'
import { redirectOf } from './email-links/redirects.ts'
import { externalRoutes } from './external/external.routes.ts'
import { signInByIdToken } from './external/id-token.ts'
import { factorsRoutes } from './factors/factors.routes.ts'
import { callerOf, identifyAccount } from './identify-caller.ts'
import { signIn } from './password/sign-in.ts'
import { signUp } from './password/sign-up.ts'
import type { RateLimits } from './rate-limits.ts'
import {
  idTokenBody,
  passwordBody,
  pkceBody,
  readBody,
  refreshBody,
  signUpBody,
  userBody,
} from './request-bodies.ts'
import { type Services, servicesForCall, signUpCookie } from './services.ts'
import { refresh, signOut } from './sessions/sessions.ts'

const METHODS = 'GET, POST, PUT, PATCH, DELETE'
const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'X-Client-IP',
  'X-Client-Info',
  'X-JWT-AUD',
  'x-use-cookie',
  'X-Supabase-Api-Version',
  'apikey',
].join(', ')
const EXPOSED_HEADERS = 'X-Total-Count, Link, X-Supabase-Api-Version'
const PREFLIGHT_CACHE_SECONDS = 86_400

/**
 * Sets CORS headers, so that pages of the listed origins can call the auth service. Cookies are not allowed, because
 * these calls send a token.
 */
const allowOrigins = (app: FastifyInstance, origins: string[]): void => {
  if (origins.length === 0) return
  app.addHook('onRequest', async ({ headers: { origin } }, reply) => {
    reply.header('vary', 'origin')
    if (origin === undefined || !origins.includes(origin)) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED_HEADERS,
    })
  })
  app.options('/*', ANYONE, async (_request, reply) =>
    reply
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': PREFLIGHT_CACHE_SECONDS,
      })
      .code(204)
      .send(),
  )
}

const MAX_BODY_BYTES = 16_384
/** Maximum body of a token request, because a wallet message may have 20 KiB. */
const MAX_GRANT_BYTES = 32_768
const KEYS_CACHE_SECONDS = 600

const ANYONE = { config: { access: 'anyone' } } as const

type Query = Record<string, unknown>
const queryOf = (request: FastifyRequest): Query => request.query as Query

/** Routes of the auth service under /auth/v1. */
export const authRoutes =
  (services: Services, limited: RateLimits) =>
  async (app: FastifyInstance): Promise<void> => {
    const bodyLimit = MAX_BODY_BYTES
    app.setErrorHandler(answerError)
    app.setNotFoundHandler(answerUnknownRoute)
    // Answers unknown GET paths with an error of the protocol instead of a page of the application.
    app.get('/*', ANYONE, async (_request, reply) => reply.callNotFound())
    app.addHook('onRequest', announceVersion)
    allowOrigins(app, services.auth.cors_origins)
    // Loads the keys, so that a wrong SECRET_KEY prevents the start.
    app.addHook('onReady', async () => {
      await services.tokens.publicKeys()
    })

    const forCall = (request: FastifyRequest) => servicesForCall(services, request)
    const identify = identifyAccount(services)

    app.get('/health', ANYONE, async () => healthJson)
    app.get('/settings', ANYONE, async () =>
      settingsJson(services.auth, await findSignUpMode(services)),
    )
    app.get('/.well-known/jwks.json', ANYONE, async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${KEYS_CACHE_SECONDS}`)
      return services.tokens.publicKeys()
    })

    app.get('/.well-known/openid-configuration', ANYONE, async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${KEYS_CACHE_SECONDS}`)
      return services.tokens.discovery()
    })

    app.post(
      '/signup',
      { bodyLimit, config: { access: 'anyone', grows: true }, onRequest: limited(() => 'sign_up') },
      async (request, reply) => {
        const { browser, headers } = signUpCookie.begin(request, services.public_url)
        const caller = { ...forCall(request), browser }
        const body = readBody(signUpBody, request.body)
        const signedUp = await signUp(caller, body, redirectOf(request, services))
        // Only a pending confirmation sets the browser cookie.
        if (!('access_token' in signedUp)) reply.headers(headers)
        return signedUp
      },
    )

    const isRefresh = (request: FastifyRequest) => queryOf(request).grant_type === 'refresh_token'
    const limitOf = (request: FastifyRequest) => {
      if (isRefresh(request)) return 'refresh'
      return queryOf(request).grant_type === 'web3' ? 'web3' : 'sign_in'
    }
    app.post(
      '/token',
      { bodyLimit: MAX_GRANT_BYTES, config: { access: 'link' }, onRequest: limited(limitOf) },
      async (request) => {
        if (isRefresh(request))
          return refresh(forCall(request), readBody(refreshBody, request.body).refresh_token)
        if (queryOf(request).grant_type === 'password')
          return signIn(forCall(request), readBody(passwordBody, request.body), request.ip)
        if (queryOf(request).grant_type === 'pkce')
          return exchangeCode(forCall(request), readBody(pkceBody, request.body))
        if (queryOf(request).grant_type === 'id_token') {
          const body = readBody(idTokenBody, request.body)
          return signInByIdToken(forCall(request), body, request.headers)
        }
        if (queryOf(request).grant_type === 'web3') {
          const { signInByWallet } = services.plugins
          if (!signInByWallet) throw web3Disabled()
          return signInByWallet(forCall(request), request.body)
        }
        throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type')
      },
    )

    const config = { access: 'account' } as const
    app.post('/logout', { bodyLimit, config, onRequest: identify }, async (request, reply) => {
      const { bearer } = callerOf(request)
      await signOut(services, bearer, queryOf(request).scope)
      return reply.code(204).send()
    })

    app.get('/user', { config, onRequest: identify }, async (request) =>
      accountJson(services.db, callerOf(request).user),
    )

    app.put(
      '/user',
      { bodyLimit, config, onRequest: [limited(() => 'update_user'), identify] },
      async (request) => {
        const redirect_to = redirectOf(request, services)
        return updateUser(forCall(request), callerOf(request), {
          changes: readBody(userBody, request.body),
          redirect_to,
        })
      },
    )

    app.register(emailLinksRoutes(services, limited, bodyLimit))
    app.register(externalRoutes(services, limited, bodyLimit))
    app.register(factorsRoutes(services, limited, bodyLimit))
    app.register(adminRoutes(services, bodyLimit))
  }
