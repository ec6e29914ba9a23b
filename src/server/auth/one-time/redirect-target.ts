import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

const plain = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`

const isLoopback = (hostname: string): boolean =>
  hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

const isAddress = (hostname: string): boolean =>
  isIP(hostname) === 4 || hostname.startsWith('[') || /^\d+$/.test(hostname)

/** The address that a text names when a link may lead there. */
const readAllowed = (text: string, { public_url, auth }: RedirectConfig): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username || url.password) return undefined
  if (url.origin === new URL(public_url).origin) return url.href
  // An IP address may belong to another site tomorrow.
  if (isAddress(url.hostname) && !isLoopback(url.hostname)) return undefined
  const isListed = auth.redirect_urls.some((listed) => plain(new URL(listed)) === plain(url))
  return isListed ? url.href : undefined
}

/** True when a link may lead to the address. */
export const isAllowedTarget = (text: string, config: RedirectConfig): boolean =>
  readAllowed(text, config) !== undefined

type RedirectConfig = Pick<Config, 'public_url'> & { auth: Pick<Config['auth'], 'redirect_urls'> }

/**
 * Where a link leads in the end: the first of these texts that is allowed, else our own origin. Allowed
 * are our origin, and the listed addresses whole; what follows ? or # is not compared. Never an error.
 */
export const redirectTarget = (texts: unknown[], config: RedirectConfig): string => {
  for (const text of texts) {
    const allowed = typeof text === 'string' ? readAllowed(text, config) : undefined
    if (allowed) return allowed
  }
  return new URL(config.public_url).href
}

/** The target that a call asks for: by query, by header, by body, or where it comes from. */
export const redirectOf = (request: FastifyRequest, config: RedirectConfig): string => {
  const { redirect_to } = request.query as Record<string, unknown>
  const body = request.body as Record<string, unknown> | null | undefined
  const { headers } = request
  return redirectTarget(
    [redirect_to, headers.redirect_to, body?.redirect_to, headers.referer],
    config,
  )
}
