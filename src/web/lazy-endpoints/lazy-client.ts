import { createClientOf } from '#contract/client/client.ts'
import { lazyEndpoints } from '#contract/kit/lazy-endpoints.ts'
import { sendCall } from '#web/api/client.ts'

/**
 * The contract's client for screens that are loaded on demand, together with the calls that only they need. The client
 * is not part of `api`, because the build puts `api` into the code that every screen loads.
 */
export const lazyClient = createClientOf(lazyEndpoints, sendCall)
