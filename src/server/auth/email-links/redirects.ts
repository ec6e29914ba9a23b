import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { AuthError } from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/auth-json.ts'
import type { Config } from '#server/config/config.ts'

const OAUTH_ERRORS: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** Returns an address with fields in its fragment. An empty field `sb` marks redirects of the auth service. */
export const withFragment = (target: string, fields: Record<string, string>): string => {
  const url = new URL(target)
  const sorted = Object.entries({ ...fields, sb: '' }).sort(([left], [right]) =>
    left < right ? -1 : 1,
  )
  url.hash = new URLSearchParams(sorted).toString()
  return url.href
}

/** Returns an address with fields in its query. */
export const withQuery = (target: string, fields: Record<string, string>): string => {
  const url = new URL(target)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

/** Returns the address fields of an error. */
export const errorFields = ({ status, code, message }: AuthError): Record<string, string> => {
  const word = OAUTH_ERRORS[status]
  return {
    ...(word && { error: word }),
    error_code: code,
    error_description: message,
  }
}

/** Returns the address fields of a session. */
export const sessionFields = (session: SessionJson): Record<string, string> => ({
  access_token: session.access_token,
  expires_at: String(session.expires_at),
  expires_in: String(session.expires_in),
  refresh_token: session.refresh_token,
  token_type: session.token_type,
  ...(session.provider_token && { provider_token: session.provider_token }),
  ...(session.provider_refresh_token && {
    provider_refresh_token: session.provider_refresh_token,
  }),
})

const withoutQuery = ({ protocol, host, pathname }: URL): string =>
  `${protocol}//${host}${pathname}`

const isLoopback = (hostname: string): boolean =>
  hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

const isIpAddress = (hostname: string): boolean =>
  isIP(hostname) === 4 || hostname.startsWith('[') || /^\d+$/.test(hostname)

/** Returns the normalised address if redirects to it are allowed, otherwise undefined. */
const readAllowed = (text: string, { public_url, auth }: RedirectConfig): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username || url.password) return undefined
  if (url.origin === new URL(public_url).origin) return url.href
  // IP addresses are refused even if listed, because another machine may get them later.
  if (isIpAddress(url.hostname) && !isLoopback(url.hostname)) return undefined
  const isListed = auth.redirect_urls.some(
    (listed) => withoutQuery(new URL(listed)) === withoutQuery(url),
  )
  return isListed ? url.href : undefined
}

/** Returns true if redirects to the address are allowed. */
export const isAllowedTarget = (text: string, config: RedirectConfig): boolean =>
  readAllowed(text, config) !== undefined

type RedirectConfig = Pick<Config, 'public_url'> & { auth: Pick<Config['auth'], 'redirect_urls'> }

/**
 * Returns the first allowed address, or our own origin if none is allowed. Allowed are our origin and the listed
 * addresses with any query and fragment. Never throws.
 */
export const redirectTarget = (texts: unknown[], config: RedirectConfig): string => {
  for (const text of texts) {
    const allowed = typeof text === 'string' ? readAllowed(text, config) : undefined
    if (allowed) return allowed
  }
  return new URL(config.public_url).href
}

/** Returns the redirect target of a request: the first allowed one of query, header, body and Referer. */
export const redirectOf = (request: FastifyRequest, config: RedirectConfig): string => {
  const { redirect_to } = request.query as Record<string, unknown>
  const body = request.body as Record<string, unknown> | null | undefined
  const { headers } = request
  return redirectTarget(
    [redirect_to, headers.redirect_to, body?.redirect_to, headers.referer],
    config,
  )
}
