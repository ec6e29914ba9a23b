import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Identifier of a browser: 32 random bytes in base64url. */
const IDENTIFIER = /^[\w-]{43}$/

/**
 * Creates a cookie that ties a redirect from another site to the browser that started it. The cookie identifies the
 * browser, so that several tabs can be redirected at once, and gives no access. SameSite=Lax makes other sites send it
 * with a GET navigation only.
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
  /** Returns the browser's identifier; empty if the request has no such cookie. */
  const read = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
    (headers.cookie ?? '')
      .split(';')
      .map((cookie) => cookie.trim())
      .filter((cookie) => cookie.startsWith(`${name}=`))
      .map((cookie) => cookie.slice(name.length + 1))
      .find((value) => IDENTIFIER.test(value)) ?? ''
  return {
    read,
    /** Returns the browser's identifier, a new one if the request has none, and the header that sets the cookie. */
    begin: (request: Pick<FastifyRequest, 'headers'>, public_url: string) => {
      const browser = read(request) || randomBytes(32).toString('base64url')
      const secure = public_url.startsWith('https:') ? '; Secure' : ''
      const header = `${name}=${browser}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
      return { browser, headers: { 'set-cookie': header } }
    },
  }
}
