import { createClientOf } from '#contract/client/client.ts'
import { lazyEndpoints } from '#contract/kit/lazy-endpoints.ts'
import { sendCall } from '#web/api/client.ts'

/**
 * The contract's client for screens that are loaded when they are opened: what they call is loaded with them. It stands beside
 * `api`, which the build puts into what every screen loads.
 */
export const lazyClient = createClientOf(lazyEndpoints, sendCall)
