import type { Config } from '#server/config.ts'

/** A proxy keeps its connections for its next visitors; a browser that comes back opens another. */
const PROXY_KEEP_MS = 65_000
const BROWSER_KEEP_MS = 5_000
const LARGEST_HEADERS = 16_384
/** What is slow is looked for several times within the time that it has. */
const LOOKS = 2
const LONGEST_LOOK_MS = 5_000

/** What node:http is told: slow clients are cut off, and ambiguous ones are refused. */
export const serverOptions = ({
  http: { headers_ms, request_ms },
  trust_proxy,
  trusted_proxies,
}: Pick<Config, 'http' | 'trust_proxy' | 'trusted_proxies'>) => {
  const is_behind_proxy = trust_proxy > 0 || trusted_proxies.length > 0
  return {
    is_behind_proxy,
    headersTimeout: headers_ms,
    requestTimeout: request_ms,
    connectionsCheckingInterval: Math.min(LONGEST_LOOK_MS, headers_ms / LOOKS),
    keepAliveTimeout: is_behind_proxy ? PROXY_KEEP_MS : BROWSER_KEEP_MS,
    maxHeaderSize: LARGEST_HEADERS,
    // Whatever a proxy in front and we could read in two ways is refused.
    insecureHTTPParser: false,
    requireHostHeader: true,
  }
}
