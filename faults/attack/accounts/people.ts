import { randomUUID } from 'node:crypto'
import { type AttackContext, assertPrecondition } from '../attack.ts'

type Json = Record<string, unknown>
type JsonResponse = { status: number; headers: Headers; json: Json }

type Asked = {
  method?: string
  body?: object
  access_token?: string
  /** Network of the call, as given by the proxy. */
  from?: string | undefined
  headers?: Record<string, string>
}

const MAX_DURATION_MS = 20_000

/** Makes one call without following redirects. */
export const call = async (
  url: string,
  { method, body, access_token, from, headers = {} }: Asked = {},
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
  const { status, headers: answered } = response
  return { status, headers: answered, json: isJson ? (JSON.parse(text) as Json) : {} }
}

/** Returns the code of an auth error. */
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
export const newAddress = (): string => `${randomUUID()}@exemple.fr`

let nb_networks = 0
/** Returns the address of an unused network. */
export const newNetwork = (): string => {
  nb_networks += 1
  return `10.${Math.floor(nb_networks / 250)}.${nb_networks % 250}.7`
}

/** Returns the auth calls that several attacks share. */
export const authOf = (origin: string) => {
  const base = `${origin}/auth/v1`
  const post = (path: string, body: object, asked: Asked = {}) =>
    call(`${base}${path}`, { ...asked, body })
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

/** Follows a link as a browser does. Returns the resulting session; empty if there is none. */
export const follow = async (link: string, asked: Asked = {}): Promise<Tokens> => {
  const { headers } = await call(link, asked)
  const location = new URL(headers.get('location') ?? 'about:blank')
  return tokensOf({ json: Object.fromEntries(new URLSearchParams(location.hash.slice(1))) })
}

/** Creates an account, confirms it through its mail and signs in. */
export const newPerson = async (
  { mailTo }: Pick<AttackContext, 'mailTo'>,
  origin: string,
  from?: string,
): Promise<Person> => {
  const email = newAddress()
  const password = 'le mot de passe de sa propriétaire'
  const { status, headers } = await authOf(origin).signUp(email, password, from)
  const mail = await mailTo(email)
  assertPrecondition(status === 200 && mail !== undefined, `a sign-up was answered ${status}`)
  const cookie = cookiesOf(headers)
  const keys = await follow(mail?.link ?? '', { from, headers: { cookie } })
  assertPrecondition(keys.access_token !== '', 'the link of a confirmation opens nothing')
  return { email, password, ...keys }
}

/** Makes `count` calls, a few at once, and returns their results. */
export const many = async <T>(
  count: number,
  make: (index: number) => Promise<T>,
  at_once = 10,
): Promise<T[]> => {
  const made: T[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next
      next += 1
      made[index] = await make(index)
    }
  }
  await Promise.all(Array.from({ length: at_once }, work))
  return made
}
