/**
 * Hashes of the styles that the drag-and-drop library inserts while dragging. The hashes change with the version of
 * the library (docs/decisions/011).
 */
const DRAGGING_STYLES = [
  "'sha256-E7zJXfkufcgTIQG1Th6iYnoGis+rTfZd044bgiM1kr4='",
  "'sha256-YYLJe/bgx7gKdFc8dp3EM3/S8hpKeZs7JyhfBoZYPuk='",
].join(' ')

const CHECKED = "require-trusted-types-for 'script'"

/** Policy that lets browsers refuse scripts that write HTML (Trusted Types); our scripts never do. */
export const NO_HTML_FROM_TEXT = [CHECKED, "trusted-types 'none'"]

/** Trusted Types policies that also allow the addresses of two workers (web/odds/use-odds.ts, web/campaigns/read-people.ts). */
const NO_HTML_AND_OWN_WORKERS = [CHECKED, 'trusted-types odds-worker people-worker']

/** Content security policy of the creators' application: its own files alone, and no HTML from text. */
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
  ...NO_HTML_AND_OWN_WORKERS,
].join('; ')

/** Returns the policy of the application, which allows calls to a hosted auth service if there is one. */
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

/** Returns the strictest security headers, which every response starts with. */
export const securityHeaders = (public_url: string): Record<string, string> =>
  public_url.startsWith('https:') ? { ...HEADERS, 'strict-transport-security': HSTS } : HEADERS
