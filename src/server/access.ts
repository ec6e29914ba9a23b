import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Endpoint, Group } from '#contract/kit/endpoint.ts'
import { routeUrl } from './http/edge/mount.ts'

/**
 * Callers that a route admits. An API key may act for a creator if it has the scope of the call (`keyScopeOf`). A route that
 * names an object answers 404 to everybody but its owner.
 */
export type AllowedCaller =
  /** Everybody, without a token. */
  | 'anyone'
  /** The holder of the signed address or the one-time secret that the route requires. */
  | 'link'
  /** This machine, or the holder of the metrics token. */
  | 'operator'
  /** A signed-in user of the auth service, about themselves. */
  | 'account'
  /** A signed-in user who owns the second factor in the address. */
  | 'factor'
  /** A signed-in user who owns the identity in the address. */
  | 'identity'
  /** The holder of a service token. */
  | 'service'
  /** A signed-in creator, about their own content. */
  | 'creator'
  /** The creator whose quiz the address names. */
  | 'quiz'
  /** The creator whose question the address names. */
  | 'question'
  /** The creator whose result the address names. */
  | 'result'
  /** The creator whose API key the address names. */
  | 'key'
  /** The creator whose folder the address names. */
  | 'folder'

/** Owner that the first noun of a call's path stands for. */
const OWNER_BY_NOUN: Record<string, AllowedCaller> = {
  '/quizzes': 'quiz',
  '/quiz': 'quiz',
  '/questions': 'question',
  '/results': 'result',
  '/account/keys': 'key',
  '/folders': 'folder',
}

/** Returns who may call an endpoint, from the first id of its path. */
const allowedCallerOf = ({ access, path }: Endpoint): AllowedCaller => {
  // 'optional' calls serve published quizzes to anyone and drafts to their creator.
  if (access !== 'creator') return 'anyone'
  const [noun = '', id] = path.split('/{')
  if (id === undefined) return 'creator'
  const who = OWNER_BY_NOUN[noun]
  if (!who) throw new Error(`src/server/access.ts does not say whose ${path} is`)
  return who
}

const CONTRACT = Object.fromEntries(
  Object.values<Group>(api)
    .flatMap((group) => Object.values(group))
    .map((endpoint) => [`${endpoint.method} ${routeUrl(endpoint)}`, allowedCallerOf(endpoint)]),
)

const QUIZ = '/api/v1/quizzes/:id'
const TOOLS = '/api/v1/integrations'
const AUTH = '/auth/v1'

/**
 * Admitted callers of each route: the calls of the contract, then all others. HEAD is covered by GET, and a final *
 * matches any suffix.
 */
export const ACCESS: Readonly<Record<string, AllowedCaller>> = {
  ...CONTRACT,
  'GET /api/v1/shared-statistics/:token': 'link',
  [`POST ${QUIZ}/test/:token/submit`]: 'link',
  [`OPTIONS ${QUIZ}/submit`]: 'anyone',
  'GET /healthz': 'anyone',
  'GET /readyz': 'anyone',
  'GET /metrics': 'operator',

  [`GET ${QUIZ}/responses/live`]: 'quiz',
  [`GET ${QUIZ}/download`]: 'link',
  [`GET ${QUIZ}/documents`]: 'link',

  [`GET ${TOOLS}/convertkit/callback`]: 'link',
  [`GET ${TOOLS}/convertkit/install`]: 'anyone',

  [`OPTIONS ${AUTH}/*`]: 'anyone',
  [`GET ${AUTH}/*`]: 'anyone',
  [`GET ${AUTH}/health`]: 'anyone',
  [`GET ${AUTH}/settings`]: 'anyone',
  [`GET ${AUTH}/.well-known/jwks.json`]: 'anyone',
  [`GET ${AUTH}/.well-known/openid-configuration`]: 'anyone',
  [`POST ${AUTH}/signup`]: 'anyone',
  [`POST ${AUTH}/token`]: 'link',
  [`POST ${AUTH}/logout`]: 'account',
  [`GET ${AUTH}/user`]: 'account',
  [`PUT ${AUTH}/user`]: 'account',
  [`POST ${AUTH}/otp`]: 'anyone',
  [`POST ${AUTH}/recover`]: 'anyone',
  [`POST ${AUTH}/resend`]: 'anyone',
  [`GET ${AUTH}/reauthenticate`]: 'account',
  [`POST ${AUTH}/verify`]: 'link',
  [`GET ${AUTH}/verify`]: 'link',
  [`POST ${AUTH}/sso`]: 'anyone',
  [`GET ${AUTH}/authorize`]: 'anyone',
  [`GET ${AUTH}/callback`]: 'link',
  [`POST ${AUTH}/callback`]: 'link',
  [`GET ${AUTH}/user/identities/authorize`]: 'account',
  [`DELETE ${AUTH}/user/identities/:id`]: 'identity',
  [`POST ${AUTH}/factors`]: 'account',
  [`DELETE ${AUTH}/factors/:id`]: 'factor',
  [`POST ${AUTH}/factors/:id/challenge`]: 'factor',
  [`POST ${AUTH}/factors/:id/verify`]: 'factor',
  [`GET ${AUTH}/factors/recovery-codes`]: 'account',
  [`POST ${AUTH}/factors/recovery-codes`]: 'account',
  [`DELETE ${AUTH}/factors/recovery-codes`]: 'account',
  [`POST ${AUTH}/factors/recovery-codes/regenerate`]: 'account',
  [`POST ${AUTH}/factors/recovery-codes/verify`]: 'account',
  [`GET ${AUTH}/admin/users`]: 'service',
  [`POST ${AUTH}/admin/users`]: 'service',
  [`GET ${AUTH}/admin/users/:id`]: 'service',
  [`PUT ${AUTH}/admin/users/:id`]: 'service',
  [`DELETE ${AUTH}/admin/users/:id`]: 'service',
  [`GET ${AUTH}/admin/users/:id/factors`]: 'service',
  [`DELETE ${AUTH}/admin/users/:id/factors/:factor`]: 'service',
  [`POST ${AUTH}/admin/generate_link`]: 'service',
  [`POST ${AUTH}/invite`]: 'service',

  'POST /q/:id/visite/:version/:from/:to': 'anyone',
  'GET /q/:id': 'anyone',
  'POST /q/:id': 'anyone',
  'GET /oembed': 'anyone',
  'GET /q/:id/resultat': 'anyone',
  'POST /q/:id/resultat': 'anyone',
  'GET /q/:id/rapport/:token': 'link',
  'GET /q/:id/attestation/:token': 'link',
  'GET /q/:id/ma-page/:token': 'link',
  'POST /q/:id/ma-page/:token': 'link',
  'GET /attestation': 'anyone',
  'GET /attestation/:number': 'link',
  'GET /q/:id/test/:token': 'anyone',
  'POST /q/:id/test/:token': 'link',
  'GET /q/:id/test/:token/resultat': 'link',
  'POST /q/:id/test/:token/resultat': 'link',
  'GET /q/:id/image-:version(^[1-9]\\d{0,8}).png': 'anyone',
  'GET /images/:id/:file': 'anyone',
  'GET /desinscription/:token': 'link',
  'POST /desinscription/:token': 'link',
  'GET /q/:id/image-:version(^[1-9]\\d{0,8})-r:rank(^[1-9]\\d{0,2}).png': 'anyone',
  'GET /docs*': 'anyone',
  // The creator's application: its built files, and its page for every address of a screen.
  'GET /*': 'anyone',
}

const PREFIXES = Object.keys(ACCESS)
  .filter((route) => route.endsWith('*'))
  .map((route) => route.slice(0, -1))
  .sort((a, b) => b.length - a.length)

/** Prefixes below which no wildcard applies, so that each route must be listed. */
const PROTECTED_PATH = /^\w+ \/(?:api|auth|q)(?:\/|$)/

/** Returns the line of the table that covers a route; undefined if there is none. */
export const accessLine = (method: string, url: string): string | undefined => {
  const route = `${method === 'HEAD' ? 'GET' : method} ${url}`
  if (Object.hasOwn(ACCESS, route)) return route
  if (PROTECTED_PATH.test(route)) return undefined
  const prefix = PREFIXES.find((candidate) => route.startsWith(candidate))
  return prefix && `${prefix}*`
}

/** Refuses to start if the table does not tell who may call a route. */
export const requireAccess = (app: FastifyInstance): void => {
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat())
      if (!accessLine(each, url))
        throw new Error(`src/server/access.ts does not name ${each} ${url}`)
  })
}
