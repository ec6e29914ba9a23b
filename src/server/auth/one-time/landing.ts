import type { AuthError } from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/wire.ts'

const WORDS: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** An address with these in its fragment; the empty `sb` tells our redirects from others. */
export const withFragment = (target: string, fields: Record<string, string>): string => {
  const url = new URL(target)
  const sorted = Object.entries({ ...fields, sb: '' }).sort(([left], [right]) =>
    left < right ? -1 : 1,
  )
  url.hash = new URLSearchParams(sorted).toString()
  return url.href
}

/** An address with these in its query. */
export const withQuery = (target: string, fields: Record<string, string>): string => {
  const url = new URL(target)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

/** How an address says what went wrong. */
export const errorFields = ({ status, code, message }: AuthError): Record<string, string> => {
  const word = WORDS[status]
  return {
    ...(word && { error: word }),
    error_code: code,
    error_description: message,
  }
}

/** How an address hands a session over. */
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
