/** How long a CDN answers alone, and how much longer while it asks for what is new. */
const ALONE_S = 5
const MEANWHILE_S = 5

/**
 * What lets a CDN answer for a moment without us (RFC 9213), and withdraws a quiz within seconds all the same: ten
 * at the CDN, and one until our own processes know (docs/scale.md).
 * Errors give it no more time: a page that cannot be asked for is no longer shown.
 */
export const AT_CDN = {
  'cdn-cache-control': `public, max-age=${ALONE_S}, stale-while-revalidate=${MEANWHILE_S}, stale-if-error=0`,
}

/** A browser asks each time, and is told in a few bytes that nothing has changed. */
export const FRESH = { 'cache-control': 'no-cache', ...AT_CDN }
