/** How long a CDN answers by itself, and how much longer while it revalidates. */
const ALONE_S = 5
const MEANWHILE_S = 5

/**
 * Lets a CDN answer for a moment by itself (RFC 9213) and still withdraws a quiz within seconds: ten at the
 * CDN, and one until every process knows (docs/scale.md). An error does not extend it: a page that cannot be
 * revalidated is no longer shown.
 */
export const CDN_CACHE_HEADERS = {
  'cdn-cache-control': `public, max-age=${ALONE_S}, stale-while-revalidate=${MEANWHILE_S}, stale-if-error=0`,
}

/** A browser revalidates each time, and gets a 304 when nothing has changed. */
export const REVALIDATE_HEADERS = { 'cache-control': 'no-cache', ...CDN_CACHE_HEADERS }
