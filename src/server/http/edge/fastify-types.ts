import type { Endpoint } from '#contract/kit/endpoint.ts'
import type { KeyScope } from '#domain/accounts/api-key.ts'
import type { AdmittedCall } from './admission.ts'
import type { Creator } from './caller.ts'
import type { CallState } from './mount.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes /readyz fail and connections close after their answer; settles after so many seconds. */
    drain: (seconds: number) => Promise<void>
  }
  interface FastifyRequest {
    /** Caller of a route of the product API (callers.ts); null without a token. */
    creator: Creator | null
    /** Slot and bytes of the call (admission.ts); only of calls that need a slot. */
    admitted_call?: AdmittedCall
    /** Answer and signal of a call under way (mount.ts). */
    call_state?: CallState
    /** Looks whether the body still comes; only of requests that have one. */
    arrival_timer?: NodeJS.Timeout
  }
  interface FastifyContextConfig {
    /** True for health checks and metrics: answered even while other calls are refused. */
    is_for_operators?: boolean
    /** The access that the route requires; set on the routes of the product API alone. */
    access?: Endpoint['access']
    /** What an API key needs for the route; without it none opens it. */
    key_scope?: KeyScope | undefined
    /** Whether its body may come slowly, as long as it comes: a file, sent from any line. */
    takes_time?: boolean
    /** The limit of a route that is none of the product API's usual ones. */
    limits?: 'submit' | 'page' | 'visit' | 'shared_statistics' | 'test_page' | 'test_submit'
  }
}
