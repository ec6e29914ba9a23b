import type { Endpoint } from '#contract/endpoint.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; set on the routes of the product API alone. */
    access?: Endpoint['access']
  }
}
