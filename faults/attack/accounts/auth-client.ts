import { randomUUID } from 'node:crypto'
import { type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { type Answer, type AttackRequest, send } from '../runner/requests.ts'

/** Returns the error code of an authentication response. */
export const errorCodeOf = ({ json }: Answer): string => String(json.error_code ?? json.code ?? '')

/** Tokens of a session. */
export type Tokens = { access_token: string; refresh_token: string }
/** Account with a session. */
export type AccountOwner = Tokens & { email: string; password: string }

/** Returns the tokens of a sign-in response; empty texts if the response has none. */
export const tokensOf = ({ json }: Pick<Answer, 'json'>): Tokens => ({
  access_token: String(json.access_token ?? ''),
  refresh_token: String(json.refresh_token ?? ''),
})

/** Returns an unused email address. */
export const createEmail = (): string => `${randomUUID()}@exemple.fr`

/** Returns functions for the authentication calls of a site. */
export const createAuthClient = (origin: string) => {
  const base = `${origin}/auth/v1`
  const post = (path: string, body: object, request: AttackRequest = {}) =>
    send(`${base}${path}`, { ...request, body })
  return {
    post,
    signUp: (email: string, password: string, network?: string) =>
      post('/signup', { email, password }, { network }),
    signIn: (email: string, password: string, network?: string) =>
      post('/token?grant_type=password', { email, password }, { network }),
    refresh: (refresh_token: string, network?: string) =>
      post('/token?grant_type=refresh_token', { refresh_token }, { network }),
    user: (token: string) => send(`${base}/user`, { token }),
  }
}

/** Returns the Cookie header that a browser sends after these response headers. */
export const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

/** Opens a link and returns the session of its redirect; empty texts if there is none. */
export const followLink = async (link: string, request: AttackRequest = {}): Promise<Tokens> => {
  const { headers } = await send(link, request)
  const location = new URL(headers.get('location') ?? 'about:blank')
  return tokensOf({ json: Object.fromEntries(new URLSearchParams(location.hash.slice(1))) })
}

/** Creates an account and opens the link in its mail, which signs in. */
export const createOwner = async (
  { mailTo }: Pick<AttackContext, 'mailTo'>,
  origin: string,
  network?: string,
): Promise<AccountOwner> => {
  const email = createEmail()
  const password = 'le mot de passe de sa propriétaire'
  const { status, headers } = await createAuthClient(origin).signUp(email, password, network)
  const mail = await mailTo(email)
  assertPrecondition(status === 200 && mail !== undefined, `a sign-up was answered ${status}`)
  const cookie = cookiesOf(headers)
  const session = await followLink(mail?.link ?? '', { network, headers: { cookie } })
  assertPrecondition(session.access_token !== '', 'the confirmation link does not sign in')
  return { email, password, ...session }
}
