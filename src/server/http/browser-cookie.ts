import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/**
 * A cookie that ties the way back from another site to the browser that set out. It names the browser for
 * as long as that may take, so that several tabs can be on their way at once, and opens nothing by itself.
 * SameSite=Lax lets it come along when another site leads back here by GET, and at no other call of theirs.
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
  /** The browser's name, empty when it has none. */
  const read = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
    pattern.exec(headers.cookie ?? '')?.[1] ?? ''
  return {
    read,
    /** The browser's name, a new one if need be, and the header that gives it the cookie. */
    begin: (request: Pick<FastifyRequest, 'headers'>, public_url: string) => {
      const browser = read(request) || randomBytes(32).toString('base64url')
      const secure = public_url.startsWith('https:') ? '; Secure' : ''
      const header = `${name}=${browser}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
      return { browser, headers: { 'set-cookie': header } }
    },
  }
}
