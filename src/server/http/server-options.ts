import type { Config } from '#server/config.ts'
import { longestArrival } from './arrival.ts'

/** A proxy keeps its connections for its next visitors; a browser that comes back opens another. */
const PROXY_KEEP_MS = 65_000
const BROWSER_KEEP_MS = 5_000
const LARGEST_HEADERS = 16_384
/** Slow requests are looked for several times within their time-out. */
const LOOKS = 2
const LONGEST_LOOK_MS = 5_000

/** Options of node:http: slow clients are cut off, ambiguous requests are refused. */
export const serverOptions = ({
  http: { headers_ms, request_ms },
  trust_proxy,
  trusted_proxies,
}: Pick<Config, 'http' | 'trust_proxy' | 'trusted_proxies'>) => {
  const is_behind_proxy = trust_proxy > 0 || trusted_proxies.length > 0
  return {
    is_behind_proxy,
    headersTimeout: headers_ms,
    requestTimeout: longestArrival(request_ms),
    connectionsCheckingInterval: Math.min(LONGEST_LOOK_MS, headers_ms / LOOKS),
    keepAliveTimeout: is_behind_proxy ? PROXY_KEEP_MS : BROWSER_KEEP_MS,
    maxHeaderSize: LARGEST_HEADERS,
    // Refuses what a proxy in front could read in another way than this server.
    insecureHTTPParser: false,
    requireHostHeader: true,
  }
}
