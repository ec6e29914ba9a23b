import type { FastifyInstance } from 'fastify'
import { type Group, LARGEST_BODY } from '#contract/endpoint.ts'
import { ApiError, unauthorized, unavailable } from './errors.ts'
import { type CreatorOf, type Handlers, mount, routeUrl } from './mount.ts'

type Options<G extends Group> = {
  handlers: Handlers<G>
  creatorOf: CreatorOf
  /** How many bodies are in memory at once; beyond it a call is told to come back. */
  most_at_once: number
  /** What is said of a body that is too large. */
  too_heavy: string
}

/**
 * Mounts a group whose bodies are raw bytes, whatever their type says: they are read for a signed-in creator alone,
 * only a few at a time, and one that says it is too large not at all.
 */
export const mountUploads = <G extends Group>(
  app: FastifyInstance,
  group: G,
  { handlers, creatorOf, most_at_once, too_heavy }: Options<G>,
): void => {
  const largest = new Map(
    Object.values(group).map((call) => [routeUrl(call), call.largest_body ?? LARGEST_BODY]),
  )
  let nb_uploads = 0
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (_request: unknown, bytes: Buffer) => bytes,
    )
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'POST') return
      if (!(await creatorOf(request))) throw unauthorized()
      const most = largest.get(request.routeOptions.url ?? '') ?? LARGEST_BODY
      if (Number(request.headers['content-length']) > most)
        throw new ApiError(413, 'too_large', too_heavy)
      if (nb_uploads >= most_at_once) throw unavailable(1)
      nb_uploads++
      reply.raw.once('close', () => {
        nb_uploads--
      })
    })
    mount(scope, group, handlers, creatorOf)
  })
}
