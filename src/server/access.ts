import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { Endpoint, Group } from '#contract/kit/endpoint.ts'
import { routeUrl } from './http/edge/mount.ts'

/**
 * Who may call a route:
 * - anyone: no token is needed;
 * - link: the holder of the signed address or the one-time secret that it asks for;
 * - operator: this machine, or the metrics token;
 * - account: a signed-in person, about themselves, on the auth wire;
 * - factor, identity: the same, who has the second factor or the way in that the address names;
 * - service: holders of a service token;
 * - creator: a signed-in creator, about what is theirs;
 * - quiz, question, result, key: the creator whose quiz, question, result or API key the address names; to
 *   everybody else it is not there (404).
 *
 * Where a creator may call, an API key may that has the scope which the contract says (`keyScopeOf`), or none may.
 */
export type Who =
  | 'anyone'
  | 'link'
  | 'operator'
  | 'account'
  | 'factor'
  | 'identity'
  | 'service'
  | 'creator'
  | 'quiz'
  | 'question'
  | 'result'
  | 'key'

/** Whose a thing is that the path of a call names first, by what is before its id. */
const OWNED: Record<string, Who> = {
  '/quizzes': 'quiz',
  '/quiz': 'quiz',
  '/questions': 'question',
  '/results': 'result',
  '/account/keys': 'key',
}

/** Who may call an endpoint; what its token opens depends on the first id of its path. */
const whoOf = ({ access, path }: Endpoint): Who => {
  // Optional: of a published quiz to anyone; of a draft to its creator alone.
  if (access !== 'creator') return 'anyone'
  const [noun = '', id] = path.split('/{')
  if (id === undefined) return 'creator'
  const who = OWNED[noun]
  if (!who) throw new Error(`src/server/access.ts does not say whose ${path} is`)
  return who
}

const CONTRACT = Object.fromEntries(
  Object.values<Group>(api)
    .flatMap((group) => Object.values(group))
    .map((endpoint) => [`${endpoint.method} ${routeUrl(endpoint)}`, whoOf(endpoint)]),
)

const QUIZ = '/api/v1/quizzes/:id'
const TOOLS = '/api/v1/integrations'
const AUTH = '/auth/v1'

/**
 * Every route and who may call it: those of the contract as it says, then the others. HEAD goes with GET, and
 * a * at the end takes whatever follows.
 */
export const ACCESS: Readonly<Record<string, Who>> = {
  ...CONTRACT,
  'GET /api/v1/shared-statistics/:token': 'link',
  [`POST ${QUIZ}/test/:token/submit`]: 'link',
  'GET /healthz': 'anyone',
  'GET /readyz': 'anyone',
  'GET /metrics': 'operator',

  [`GET ${QUIZ}/responses/live`]: 'quiz',
  [`GET ${QUIZ}/download`]: 'link',

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
  'GET /q/:id/resultat': 'anyone',
  'POST /q/:id/resultat': 'anyone',
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

/** Nothing below these is let in by a wildcard: each of their routes says who may call it. */
const NAMED = /^\w+ \/(?:api|auth|q)(?:\/|$)/

/** The line of the table that a route falls under; undefined where none does. */
export const accessLine = (method: string, url: string): string | undefined => {
  const route = `${method === 'HEAD' ? 'GET' : method} ${url}`
  if (Object.hasOwn(ACCESS, route)) return route
  if (NAMED.test(route)) return undefined
  const prefix = PREFIXES.find((candidate) => route.startsWith(candidate))
  return prefix && `${prefix}*`
}

/** Refuses to start with a route of which the table does not say who may call it. */
export const requireAccess = (app: FastifyInstance): void => {
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat())
      if (!accessLine(each, url))
        throw new Error(`src/server/access.ts does not name ${each} ${url}`)
  })
}
