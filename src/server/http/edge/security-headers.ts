import type { FastifyInstance } from 'fastify'

/**
 * The styles that the drag-and-drop library inserts while something is dragged, as Chromium names them
 * when it refuses one: they change with its version (docs/decisions/011).
 */
const DRAGGING_STYLES = [
  "'sha256-E7zJXfkufcgTIQG1Th6iYnoGis+rTfZd044bgiM1kr4='",
  "'sha256-YYLJe/bgx7gKdFc8dp3EM3/S8hpKeZs7JyhfBoZYPuk='",
].join(' ')

const CHECKED = "require-trusted-types-for 'script'"

/** No script of ours writes HTML, so the browser may refuse any that tries (Trusted Types). */
export const NO_HTML_FROM_TEXT = [CHECKED, "trusted-types 'none'"]

/** The same, but for the address of one worker, which that policy gives (web/odds/use-odds.ts). */
const NO_HTML_AND_ONE_WORKER = [CHECKED, 'trusted-types odds-worker']

/** The creator's application: its own files alone, and no HTML made from text (reliability of what strangers type). */
export const APP_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${DRAGGING_STYLES}`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  ...NO_HTML_AND_ONE_WORKER,
].join('; ')

/** The same where the browser calls a hosted auth service. */
export const appPolicy = (auth_origin: string | undefined): string =>
  auth_origin
    ? APP_POLICY.replace("connect-src 'self'", `connect-src 'self' ${auth_origin}`)
    : APP_POLICY

const API_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

const HEADERS = {
  'content-security-policy': API_POLICY,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}
const HSTS = 'max-age=31536000; includeSubDomains'

/** The strictest headers, which every answer begins with. */
export const securityHeaders = (public_url: string): Record<string, string> =>
  public_url.startsWith('https:') ? { ...HEADERS, 'strict-transport-security': HSTS } : HEADERS

/** Sets the strictest headers on every answer; routes that send pages loosen what they need. */
export const setSecurityHeaders = (app: FastifyInstance, public_url: string): void => {
  const headers = securityHeaders(public_url)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
