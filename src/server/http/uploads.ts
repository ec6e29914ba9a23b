import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Group, LARGEST_BODY } from '#contract/endpoint.ts'
import { ApiError, unavailable } from './errors.ts'
import { type Handlers, mount, routeUrl } from './mount.ts'

type Options<G extends Group> = {
  handlers: Handlers<G>
  /** How many bodies are in memory at once, until who sent them has left and their handler has ended; beyond it a call is told to come back. */
  most_at_once: number
  /** What is said of a body that is too large. */
  too_heavy: string
}

type AnyHandler = (input: never, creator: never, request: FastifyRequest) => Promise<unknown>

/** Counts the uploads under way. */
const createSlots = () => {
  /** Of each upload, how many hold its body: the connection, and the handler, which may outlast it. */
  const holders = new Map<FastifyRequest, number>()
  const hold = (request: FastifyRequest): void => {
    holders.set(request, (holders.get(request) ?? 0) + 1)
  }
  const release = (request: FastifyRequest): void => {
    const left = (holders.get(request) ?? 1) - 1
    if (left > 0) holders.set(request, left)
    else holders.delete(request)
  }
  const holding =
    (handle: AnyHandler): AnyHandler =>
    async (input, creator, request) => {
      if (request.method !== 'POST') return handle(input, creator, request)
      // Who sent it has left, and its slot may be another's.
      if (!holders.has(request)) throw unavailable(1)
      hold(request)
      try {
        return await handle(input, creator, request)
      } finally {
        release(request)
      }
    }
  return { count: () => holders.size, hold, release, holding }
}

/**
 * Mounts a group whose bodies are raw bytes, whatever their type says: they are read for a signed-in creator alone,
 * only a few at a time, and one that says it is too large not at all.
 */
export const mountUploads = <G extends Group>(
  app: FastifyInstance,
  group: G,
  { handlers, most_at_once, too_heavy }: Options<G>,
): void => {
  const largest = new Map(
    Object.values(group).map((call) => [routeUrl(call), call.largest_body ?? LARGEST_BODY]),
  )
  const { count, hold, release, holding } = createSlots()
  const held = Object.entries(handlers).map(([name, handle]) => [name, holding(handle)])
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (_request: unknown, bytes: Buffer) => bytes,
    )
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'POST') return
      const most = largest.get(request.routeOptions.url ?? '') ?? LARGEST_BODY
      if (Number(request.headers['content-length']) > most)
        throw new ApiError(413, 'too_large', too_heavy)
      // 'close' has been said already.
      if (reply.raw.destroyed) throw unavailable(1)
      if (count() >= most_at_once) throw unavailable(1)
      hold(request)
      reply.raw.once('close', () => release(request))
    })
    mount(scope, group, Object.fromEntries(held) as Handlers<G>)
  })
}
