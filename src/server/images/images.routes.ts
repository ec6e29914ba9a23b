import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { images } from '#contract/images.ts'
import { type ImageSize, LARGEST_FILE, pictureOf, sizesOf, TOO_HEAVY } from '#domain/images.ts'
import type { Db } from '#server/db/database.ts'
import { ApiError, invalid, notFound, unauthorized, unavailable } from '#server/http/errors.ts'
import { type CreatorOf, type Handlers, mount } from '#server/http/mount.ts'
import { boundedCache } from '#server/runtime/bounded-cache.ts'
import { findFile, insertImage, usedBytes } from './images.store.ts'
import { makeImage } from './make-image.ts'

type Dependencies = {
  db: Db
  /** Bytes that the pictures of one creator may take. */
  quota: number
}

const megabytes = (bytes: number): string =>
  (bytes / 1_048_576).toLocaleString('fr-FR', { maximumFractionDigits: 1 })

const imagesHandlers = ({ db, quota }: Dependencies): Handlers<typeof images> => ({
  add: async ({ body }, { id: creator_id }) => {
    const made = await makeImage(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
    const isKept = await db
      .transaction()
      .execute((change) => insertImage(change, { creator_id, quota }, made))
    if (!isKept)
      throw invalid(
        `Vos images prendraient plus de place que les ${megabytes(quota)} Mo prévus : retirez-en. Une image qui ne sert plus est effacée au bout de 30 jours.`,
      )
    const { id, width, height, color } = made
    return { image: { id, width, height, color } }
  },
  usage: async (_input, { id: creator_id }) => ({ used: await usedBytes(db, creator_id), quota }),
})

/** Uploads whose bytes are in memory at once. */
const MOST_UPLOADS = 8

/**
 * The calls of pictures. A body is raw bytes, which are read for a signed-in creator alone, and only a few at a
 * time.
 */
export const mountImages = (
  app: FastifyInstance,
  group: typeof images,
  { creatorOf, ...dependencies }: Dependencies & { creatorOf: CreatorOf },
): void => {
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
      if (Number(request.headers['content-length']) > LARGEST_FILE)
        throw new ApiError(413, 'too_large', TOO_HEAVY)
      if (nb_uploads >= MOST_UPLOADS) throw unavailable(1)
      nb_uploads++
      reply.raw.once('close', () => {
        nb_uploads--
      })
    })
    mount(scope, group, imagesHandlers(dependencies), creatorOf)
  })
}

const LARGEST_MEMORY = 67_108_864
/** A picture that was deleted is gone from memories after ten minutes, and from a CDN after an hour. */
const KEPT_MS = 600_000
const AT_CDN = 'public, max-age=3600'
const FILE = /^(\d+)\.webp$/

/** GET /images/{id}/{size}.webp: public, also for pages of other sites, and immutable. */
export const serveImages = (app: FastifyInstance, db: Db): void => {
  const memory = boundedCache<Buffer>(LARGEST_MEMORY, ({ length }) => length)
  const underway = new Map<string, Promise<Buffer | undefined>>()

  /** Read once, however many ask for it meanwhile. */
  const find = (key: string, id: string, size: ImageSize): Promise<Buffer | undefined> => {
    const reading = underway.get(key) ?? findFile(db, id, size).finally(() => underway.delete(key))
    underway.set(key, reading)
    return reading
  }

  const answer = async (
    request: FastifyRequest<{ Params: { id: string; file: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { id, file } = request.params
    const width = pictureOf(id)?.width
    const size = width && sizesOf(width).find((kept) => kept === Number(FILE.exec(file)?.[1]))
    if (!size) throw notFound('Image introuvable')
    const key = `${id}-${size}`
    const kept = memory.get(key)
    const bytes = kept ?? (await find(key, id, size))
    if (!bytes) throw notFound('Image introuvable')
    if (!kept) memory.set(key, bytes, { ttl: KEPT_MS })
    reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'cdn-cache-control': AT_CDN,
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${key}"`,
    })
    if (request.headers['if-none-match'] === `"${key}"`) return reply.code(304).send()
    return reply.type('image/webp').send(bytes)
  }
  app.get('/images/:id/:file', answer)
}
