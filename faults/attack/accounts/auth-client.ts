import { randomUUID } from 'node:crypto'
import { type AttackContext, assertPrecondition } from '../attack.ts'

type Json = Record<string, unknown>
type JsonResponse = { status: number; headers: Headers; json: Json }

type CallOptions = {
  method?: string
  body?: object
  access_token?: string
  /** IP address from which the call seems to come (`X-Forwarded-For`). */
  from?: string | undefined
  headers?: Record<string, string>
}

const MAX_DURATION_MS = 20_000

/** Makes one HTTP call without following redirects. */
export const call = async (
  url: string,
  { method, body, access_token, from, headers = {} }: CallOptions = {},
): Promise<JsonResponse> => {
  const response = await fetch(url, {
    method: method ?? (body ? 'POST' : 'GET'),
    redirect: 'manual',
    signal: AbortSignal.timeout(MAX_DURATION_MS),
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(access_token && { authorization: `Bearer ${access_token}` }),
      ...(from && { 'x-forwarded-for': from }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const { status, headers: response_headers } = response
  return { status, headers: response_headers, json: isJson ? (JSON.parse(text) as Json) : {} }
}

/** Returns the error code of an authentication response. */
export const codeOf = ({ json }: JsonResponse): string => String(json.error_code ?? json.code ?? '')

/** Tokens of a session. */
export type Tokens = { access_token: string; refresh_token: string }
/** Account with a session. */
export type Person = Tokens & { email: string; password: string }

/** Returns the tokens of a sign-in response; empty texts if the response has none. */
export const tokensOf = ({ json }: { json: Json }): Tokens => ({
  access_token: String(json.access_token ?? ''),
  refresh_token: String(json.refresh_token ?? ''),
})

/** Returns an unused email address. */
export const createAddress = (): string => `${randomUUID()}@exemple.fr`

let nb_networks = 0
/** Returns the address of an unused network. */
export const createNetwork = (): string => {
  nb_networks += 1
  return `10.${Math.floor(nb_networks / 250)}.${nb_networks % 250}.7`
}

/** Returns functions for the authentication calls of a site. */
export const createAuthClient = (origin: string) => {
  const base = `${origin}/auth/v1`
  const post = (path: string, body: object, options: CallOptions = {}) =>
    call(`${base}${path}`, { ...options, body })
  return {
    post,
    signUp: (email: string, password: string, from?: string) =>
      post('/signup', { email, password }, { from }),
    signIn: (email: string, password: string, from?: string) =>
      post('/token?grant_type=password', { email, password }, { from }),
    refresh: (refresh_token: string, from?: string) =>
      post('/token?grant_type=refresh_token', { refresh_token }, { from }),
    user: (access_token: string, from?: string) => call(`${base}/user`, { access_token, from }),
  }
}

/** Returns the Cookie header that a browser sends after these response headers. */
export const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

/** Opens a link and returns the session of its redirect; empty texts if there is none. */
export const followLink = async (link: string, options: CallOptions = {}): Promise<Tokens> => {
  const { headers } = await call(link, options)
  const location = new URL(headers.get('location') ?? 'about:blank')
  return tokensOf({ json: Object.fromEntries(new URLSearchParams(location.hash.slice(1))) })
}

/** Creates an account and opens the link in its mail, which signs in. */
export const createPerson = async (
  { mailTo }: Pick<AttackContext, 'mailTo'>,
  origin: string,
  from?: string,
): Promise<Person> => {
  const email = createAddress()
  const password = 'le mot de passe de sa propriétaire'
  const { status, headers } = await createAuthClient(origin).signUp(email, password, from)
  const mail = await mailTo(email)
  assertPrecondition(status === 200 && mail !== undefined, `a sign-up was answered ${status}`)
  const cookie = cookiesOf(headers)
  const session = await followLink(mail?.link ?? '', { from, headers: { cookie } })
  assertPrecondition(session.access_token !== '', 'the confirmation link does not sign in')
  return { email, password, ...session }
}

/** Makes `count` calls, at most `concurrency` at the same time, and returns their results in order. */
export const callInParallel = async <T>(
  count: number,
  makeCall: (index: number) => Promise<T>,
  concurrency = 10,
): Promise<T[]> => {
  const results: T[] = []
  let next = 0
  const runWorker = async (): Promise<void> => {
    while (next < count) {
      const index = next
      next += 1
      results[index] = await makeCall(index)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runWorker))
  return results
}
