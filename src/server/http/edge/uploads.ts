import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Group, MAX_CALL_BODY_BYTES } from '#contract/kit/endpoint.ts'
import { creatorOf } from './caller.ts'
import { ApiError, tooMany, unavailable } from './errors.ts'
import { type Handlers, mount, routeUrl } from './mount.ts'

type Options<G extends Group> = {
  handlers: Handlers<G>
  /** Maximum bytes of bodies in memory, arriving or processed, of all creators and of one creator. */
  max_bytes: number
  max_bytes_per_creator: number
  /** French message for a body that is too large. */
  too_heavy: string
}

type AnyHandler = (input: never, creator: never, request: FastifyRequest) => Promise<unknown>

/** An upload, from its headers until its connection is closed and its handler has ended. */
type Upload = {
  creator_id: string
  max_bytes: number
  /** Bytes of the body that are in memory. */
  nb_bytes: number
  /** Number of holders of the bytes: the connection, and the handler, which may outlive it. */
  nb_holders: number
  /** Ends an upload whose body is arriving; undefined at any other time. */
  refuse?: ((error: ApiError) => void) | undefined
}

const MAX_UPLOADS_PER_CREATOR = 8
const TOO_MANY_UPLOADS =
  'Plusieurs envois de votre compte sont déjà en cours : attendez la fin de l’un d’eux, puis réessayez.'

/**
 * Keeps bodies of uploads in memory, within one sum for each creator and one for all. A slowly arriving body takes
 * only the bytes received so far. Beyond the common sum, the creator with the most bytes loses the largest arriving
 * upload.
 */
const createUploads = ({
  max_bytes,
  max_bytes_per_creator,
}: Pick<Options<Group>, 'max_bytes' | 'max_bytes_per_creator'>) => {
  const uploads = new Map<FastifyRequest, Upload>()
  const sumOf = (some: Iterable<Upload>): number =>
    [...some].reduce((sum, { nb_bytes }) => sum + nb_bytes, 0)
  const ofCreator = (creator_id: string | undefined): Upload[] =>
    [...uploads.values()].filter((upload) => upload.creator_id === creator_id)

  const release = (request: FastifyRequest): void => {
    const upload = uploads.get(request)
    if (upload && --upload.nb_holders === 0) uploads.delete(request)
  }

  /** Refuses the largest arriving upload of a creator. Returns false if there is none. */
  const refuseLargest = (creator_id: string | undefined, error: ApiError): boolean => {
    const [largest] = ofCreator(creator_id)
      .filter(({ refuse }) => refuse)
      .toSorted((left, right) => right.nb_bytes - left.nb_bytes)
    largest?.refuse?.(error)
    return largest !== undefined
  }

  /** Returns the creator whose arriving uploads take the most bytes. */
  const findHeaviestCreator = (): string | undefined => {
    const arriving = [...uploads.values()].filter(({ refuse }) => refuse)
    const creators = new Set(arriving.map(({ creator_id }) => creator_id))
    return [...creators].toSorted(
      (left, right) => sumOf(ofCreator(right)) - sumOf(ofCreator(left)),
    )[0]
  }

  /** Refuses arriving uploads until all bodies fit. Called after bytes of this creator have arrived. */
  const makeRoom = (creator_id: string): void => {
    const isOver = (): boolean => sumOf(ofCreator(creator_id)) > max_bytes_per_creator
    while (isOver() && refuseLargest(creator_id, tooMany(2, TOO_MANY_UPLOADS)));
    while (
      sumOf(uploads.values()) > max_bytes &&
      refuseLargest(findHeaviestCreator(), unavailable(5))
    );
  }

  return {
    /** Admits an upload and returns the function that releases it. Throws 429 if the creator has too many uploads. */
    hold: (
      request: FastifyRequest,
      { creator_id, max_bytes }: Pick<Upload, 'creator_id' | 'max_bytes'>,
    ): (() => void) => {
      if (ofCreator(creator_id).length >= MAX_UPLOADS_PER_CREATOR)
        throw tooMany(2, TOO_MANY_UPLOADS)
      uploads.set(request, { creator_id, max_bytes, nb_bytes: 0, nb_holders: 1 })
      return () => release(request)
    },

    /**
     * Reads the body of an admitted upload. Throws 413 if it is too large, 429 or 503 if it was ended to make room.
     */
    read: (request: FastifyRequest, body: Readable, too_heavy: string): Promise<Buffer> => {
      const upload = uploads.get(request)
      if (!upload) throw unavailable(1)
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
      // The system gives memory to the bytes that are written. One piece of memory needs no copy of the whole body.
      const length = Number(request.headers['content-length'] ?? upload.max_bytes)
      let bytes = new Uint8Array(new ArrayBuffer(Math.min(length, upload.max_bytes)))
      const end = (): void => {
        upload.refuse = undefined
        body.off('data', onData)
      }
      upload.refuse = (error) => {
        end()
        bytes = new Uint8Array()
        upload.nb_bytes = 0
        // Drops the rest of the body as it arrives.
        body.resume()
        reject(error)
      }
      const onData = (chunk: Buffer): void => {
        const start = upload.nb_bytes
        upload.nb_bytes += chunk.length
        if (upload.nb_bytes > bytes.length) {
          upload.refuse?.(new ApiError(413, 'too_large', too_heavy))
          return
        }
        bytes.set(chunk, start)
        makeRoom(upload.creator_id)
      }
      body.on('data', onData)
      body.once('end', () => {
        end()
        // Shortens the memory of a body without an announced length; otherwise keeps it.
        resolve(Buffer.from(bytes.buffer.transfer(upload.nb_bytes)))
      })
      body.once('error', reject)
      body.once('close', () => reject(unavailable(1)))
      return promise
    },

    /** Wraps a handler so that its upload is kept until the handler has ended. Throws 503 if the upload is gone. */
    holding:
      (handle: AnyHandler): AnyHandler =>
      async (input, creator, request) => {
        if (request.method !== 'POST') return handle(input, creator, request)
        const upload = uploads.get(request)
        if (!upload) throw unavailable(1)
        upload.nb_holders++
        try {
          return await handle(input, creator, request)
        } finally {
          release(request)
        }
      },
  }
}

/**
 * Mounts a group whose bodies are raw bytes of any type. Bodies are read for signed-in creators only, and not at all
 * if their announced length is too large.
 */
export const mountUploads = <G extends Group>(
  app: FastifyInstance,
  group: G,
  { handlers, too_heavy, ...sums }: Options<G>,
): void => {
  const largest = new Map(
    Object.values(group).map((call) => [
      routeUrl(call),
      call.max_body_bytes ?? MAX_CALL_BODY_BYTES,
    ]),
  )
  const uploads = createUploads(sums)
  const held = Object.entries(handlers).map(([name, handle]) => [name, uploads.holding(handle)])
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request: FastifyRequest, body: Readable) =>
      uploads.read(request, body, too_heavy),
    )
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'POST') return
      const { id: creator_id } = creatorOf(request)
      const max_bytes = largest.get(request.routeOptions.url ?? '') ?? MAX_CALL_BODY_BYTES
      if (Number(request.headers['content-length']) > max_bytes)
        throw new ApiError(413, 'too_large', too_heavy)
      // The connection is closed already, so 'close' will not be emitted again.
      if (reply.raw.destroyed) throw unavailable(1)
      reply.raw.once('close', uploads.hold(request, { creator_id, max_bytes }))
    })
    mount(scope, group, Object.fromEntries(held) as Handlers<G>)
  })
}
