import type { KeyScope } from '#domain/accounts/api-key.ts'
import type { AllowedCaller } from './access.ts'
import type { AdmittedCall } from './admission.ts'
import type { Creator } from './caller.ts'
import type { CallState } from './mount.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes /readyz fail and closes connections after their response. Settles after this number of seconds. */
    drain: (seconds: number) => Promise<void>
  }
  interface FastifyRequest {
    /** Caller of a route of the product API (caller.ts); null without a token. */
    creator: Creator | null
    /** Slot and bytes of the call (admission.ts); undefined if the call needs no slot. */
    admitted_call?: AdmittedCall
    /** Response and abort signal of a call under way (mount.ts). */
    call_state?: CallState
    /** Timer that checks whether the body still arrives; undefined without a body. */
    arrival_timer?: NodeJS.Timeout
  }
  interface FastifyContextConfig {
    /** True for health checks and metrics, which are answered even under overload. */
    is_for_operators?: boolean
    /** Callers that the route admits. Every route declares them (access.ts). */
    access?: AllowedCaller
    /** Scope that an API key needs for the route; undefined if no API key may call it. */
    key_scope?: KeyScope | undefined
    /** True if the body may arrive slowly as long as it keeps arriving: a file on a slow line. */
    takes_time?: boolean
    /** True if the call adds an object, so that a server with little space refuses it. */
    grows?: boolean
    /** Rate limit of the route, if it is not the usual one of the product API. */
    limits?:
      | 'snapshot'
      | 'submit'
      | 'page'
      | 'report'
      | 'participant_page'
      | 'visit'
      | 'shared_statistics'
      | 'oembed'
      | 'test_page'
      | 'test_submit'
      | 'crash_report'
  }
}
