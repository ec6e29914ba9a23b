import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '#contract/openapi.ts'
import { quizFileSchema } from '#contract/quiz-file.ts'

/**
 * The page's own files and calls alone, and the styles that it writes into itself. The plugin's own
 * policy would upgrade plain http to https, which this server does not serve.
 */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The product API to read and try at /docs/reference, and the schema of a quiz as a file, written from the contract. */
export const serveDocs = (app: FastifyInstance): void => {
  // The contract writes plain JSON; the plugin's types describe the same document.
  const document = openApiDocument() as unknown as StaticDocumentSpec['document']
  app.register(swagger, { mode: 'static', specification: { document } })
  const schema = JSON.stringify(quizFileSchema())
  app.get('/docs/quiz-export.schema.json', (_request, reply) =>
    reply.type('application/schema+json; charset=utf-8').send(schema),
  )
  app.register(swaggerUi, {
    routePrefix: '/docs/reference',
    staticCSP: DOCS_POLICY,
    uiConfig: { validatorUrl: null },
  })
}
