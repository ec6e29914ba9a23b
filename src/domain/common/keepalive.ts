/**
 * Maximum length of a request body with `keepalive`, in characters. Browsers refuse bodies above 64 KiB, and a character
 * has at most three bytes.
 */
const MAX_KEEPALIVE_LENGTH = 20_000

/** Returns true if a request with this body may continue after its page is closed (`keepalive` of `fetch`). */
export const canKeepAlive = (body: string | undefined): boolean =>
  (body?.length ?? 0) <= MAX_KEEPALIVE_LENGTH
