import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { images } from '#contract/images.ts'
import {
  IMAGE_TOO_LARGE,
  type ImageSize,
  imageAddress,
  imagePropertiesOf,
  MAX_IMAGE_FILE_BYTES,
  sizesOf,
} from '#domain/questionnaire/images.ts'
import type { Db } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { notFound } from '#server/http/edge/errors.ts'
import { pathOf } from '#server/http/edge/fast-path.ts'
import { type Handlers, signalOf } from '#server/http/edge/mount.ts'
import { mountUploads } from '#server/http/edge/uploads.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import { runEvery } from '#server/runtime/run-every.ts'
import { storeImages } from './creator-images.ts'
import { deleteUnused, findFile, noteUsed, usedBytes } from './images.store.ts'
import { makeImage } from './make-image.ts'

const MAX_BATCH_SIZE = 500
const HOUR_MS = 3_600_000

/**
 * Deletes, in batches, images that no draft and no version has shown for 30 days, and returns their number. Once the
 * signal is aborted no further batch begins; the next hour continues.
 */
export const deleteUnusedImages = async (
  db: Db,
  signal?: AbortSignal,
  batch = MAX_BATCH_SIZE,
): Promise<number> => {
  const repeat = async (work: (db: Db, limit: number) => Promise<number>): Promise<number> => {
    let done = 0
    while (!signal?.aborted) {
      const some = await work(db, batch)
      done += some
      if (some < batch) break
    }
    return done
  }
  await repeat(noteUsed)
  return repeat(deleteUnused)
}

/**
 * Deletes unused images every hour; several servers share the work. Returns a function that stops this and waits for
 * the batch under way.
 */
const scheduleImageCleanup = (db: Db, log: FastifyBaseLogger): (() => Promise<void>) =>
  runEvery(HOUR_MS, (signal) => deleteUnusedImages(db, signal), {
    onFailure: (error) => log.error({ err: error }, 'unused pictures were not deleted'),
  })

type Dependencies = {
  db: Db
  /** Maximum bytes of the images of one creator. */
  quota: number
  heavyWork: Pick<HeavyWork, 'run'>
}

const imagesHandlers = ({ db, quota, heavyWork }: Dependencies): Handlers<typeof images> => ({
  add: async ({ body }, { id: creator_id }, request) => {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    const signal = signalOf(request)
    const made = await makeImage(heavyWork, bytes, { owner: creator_id, signal })
    await db.transaction().execute((change) => storeImages(change, { creator_id, quota }, [made]))
    const { id, width, height, color, is_animated } = made
    return { image: { id, width, height, color, is_animated } }
  },
  usage: async (_input, { id: creator_id }) => ({ used: await usedBytes(db, creator_id), quota }),
})

/** Maximum bytes of uploads in memory: eight of the largest images, two of one creator. */
const UPLOAD_SUMS = {
  max_bytes: 8 * MAX_IMAGE_FILE_BYTES,
  max_bytes_per_creator: 2 * MAX_IMAGE_FILE_BYTES,
}

/** Mounts the calls on images, whose bodies are raw bytes. */
const mountImages = (app: FastifyInstance, dependencies: Dependencies): void => {
  mountUploads(app, images, {
    handlers: imagesHandlers(dependencies),
    ...UPLOAD_SUMS,
    too_heavy: IMAGE_TOO_LARGE,
  })
}

const MAX_CACHE_BYTES = 67_108_864
/** Time that a deleted image remains in memory; a CDN keeps it for an hour. */
const CACHE_MS = 600_000
const CDN_CACHE_HEADERS = 'public, max-age=3600'

/**
 * Serves GET /images/{id}/{size}.webp: public, immutable, also for pages of other sites. Other spellings of an
 * address (`0400.webp`, `%3400.webp`) give 404, because caches would keep one copy for each.
 */
const serveImages = (app: FastifyInstance, db: Db): void => {
  const memory = createLruCache<Buffer>(MAX_CACHE_BYTES, ({ length }) => length)
  const underway = new Map<string, Promise<Buffer | undefined>>()

  /** Simultaneous requests for an image share one query. */
  const find = (key: string, id: string, size: ImageSize): Promise<Buffer | undefined> => {
    const reading = underway.get(key) ?? findFile(db, id, size).finally(() => underway.delete(key))
    underway.set(key, reading)
    return reading
  }

  const answer = async (
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { id } = request.params
    const path = pathOf(request)
    const width = imagePropertiesOf(id)?.width
    const size = width && sizesOf(width).find((kept) => imageAddress(id, kept) === path)
    if (!size) throw notFound('Image introuvable')
    const key = `${id}-${size}`
    const kept = memory.get(key)
    const bytes = kept ?? (await find(key, id, size))
    if (!bytes) throw notFound('Image introuvable')
    if (!kept) memory.set(key, bytes, { ttl: CACHE_MS })
    reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'cdn-cache-control': CDN_CACHE_HEADERS,
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${key}"`,
    })
    if (request.headers['if-none-match'] === `"${key}"`) return reply.code(304).send()
    return reply.type('image/webp').send(bytes)
  }
  app.get('/images/:id/:file', { config: { access: 'anyone' } }, answer)
}

/** Mounts uploads of images, serves images, and deletes unused ones every hour until the server closes. */
export const registerImages = (
  app: FastifyInstance,
  { log, ...dependencies }: Dependencies & { log: FastifyBaseLogger },
): void => {
  mountImages(app, dependencies)
  serveImages(app, dependencies.db)
  const stopCleanup = scheduleImageCleanup(dependencies.db, log)
  app.addHook('onClose', () => stopCleanup())
}
