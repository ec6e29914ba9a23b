import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '#contract/openapi.ts'

/** The product API to read and try, at /docs, written from the contract (decisions « One origin »). */
export const serveDocs = (app: FastifyInstance): void => {
  // The contract writes plain JSON; the plugin's types describe the same document.
  const document = openApiDocument() as unknown as StaticDocumentSpec['document']
  app.register(swagger, { mode: 'static', specification: { document } })
  app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
}
