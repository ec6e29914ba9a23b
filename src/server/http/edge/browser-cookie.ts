import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/**
 * A cookie that ties the redirect back from another site to the browser that started it. It identifies the
 * browser, so that several tabs can be redirected at once, and grants nothing by itself. SameSite=Lax sends
 * it with a GET navigation from another site, and with no other cross-site call.
 */
export const createBrowserCookie = ({
  name,
  path,
  seconds,
}: {
  name: string
  path: string
  seconds: number
}) => {
  const pattern = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`)
  /** The browser's identifier; empty when it has none. */
  const read = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
    pattern.exec(headers.cookie ?? '')?.[1] ?? ''
  return {
    read,
    /** The browser's identifier, a new one if it has none, and the header that sets the cookie. */
    begin: (request: Pick<FastifyRequest, 'headers'>, public_url: string) => {
      const browser = read(request) || randomBytes(32).toString('base64url')
      const secure = public_url.startsWith('https:') ? '; Secure' : ''
      const header = `${name}=${browser}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
      return { browser, headers: { 'set-cookie': header } }
    },
  }
}
