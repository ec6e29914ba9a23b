import type { FastifyInstance } from 'fastify'
import { typescriptClient } from '#contract/typescript-client.ts'
import { packPage } from '#server/http/packed-page.ts'
import { HTML, sendPacked } from '#server/taking/page-reply.ts'
import { writeGuidePage } from './guide-page.ts'

/** Serves the guide of the API at /docs, and its client in TypeScript; both written once, when they are first asked for. */
export const serveGuide = (app: FastifyInstance): void => {
  let packing: ReturnType<typeof packPage> | undefined
  app.get('/docs', async (request, reply) => {
    packing ??= packPage(writeGuidePage())
    return sendPacked(request, reply, await packing, { type: HTML, caching: 'no-cache' })
  })
  let client: string | undefined
  app.get('/docs/quizaine.ts', (_request, reply) => {
    client ??= typescriptClient()
    return reply.type('text/plain; charset=utf-8').send(client)
  })
}
