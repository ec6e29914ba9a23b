import type { Endpoint } from '#contract/endpoint.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on /readyz says no and connections end with their answer; settles after so many seconds. */
    drain: (seconds: number) => Promise<void>
  }
  interface FastifyContextConfig {
    /** Who may call the route; set on the routes of the product API alone. */
    access?: Endpoint['access']
    /** How often visitors may call a route of the public page. */
    limits?: 'submit' | 'page' | 'visit'
  }
}
