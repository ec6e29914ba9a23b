/** Seconds for which a CDN serves a page without revalidation, and further seconds while it revalidates. */
const MAX_AGE_S = 5
const STALE_WHILE_REVALIDATE_S = 5

/**
 * Headers that let a CDN cache a page (RFC 9213). A withdrawn quiz disappears within 11 seconds: ten at the CDN
 * and one in the server processes (docs/scale.md). Errors do not extend the caching.
 */
export const CDN_CACHE_HEADERS = {
  'cdn-cache-control': `public, max-age=${MAX_AGE_S}, stale-while-revalidate=${STALE_WHILE_REVALIDATE_S}, stale-if-error=0`,
}

/** Headers that make a browser revalidate at each visit; an unchanged page gets a 304. */
export const REVALIDATE_HEADERS = { 'cache-control': 'no-cache', ...CDN_CACHE_HEADERS }
