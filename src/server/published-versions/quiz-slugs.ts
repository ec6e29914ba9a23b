import type { FastifyInstance } from 'fastify'
import { isSlug } from '#domain/questionnaire/access.ts'
import type { Db } from '#server/db/database.ts'
import { isDatabaseUnavailable } from '#server/db/database-error.ts'
import { listSlugOwners } from '#server/quizzes/slugs.store.ts'
import { createTtlCache, type TtlCacheOptions } from '#server/runtime/caches.ts'
import { UUID } from '#server/runtime/uuid.ts'
import { MAX_OUTAGE_MS } from './current-versions.ts'

/** Cache of the quizzes that current and former slugs lead to. */
export type QuizSlugs = {
  /** Returns the quiz of an id or slug; undefined if no quiz ever had the slug. */
  find: (address: string) => Promise<string | undefined>
  /** Returns the cached quiz without waiting; undefined if the slug is not cached or unknown. */
  getFresh: (address: string) => string | undefined
  /** Removes a slug from the cache, so that the next call queries the database. */
  forget: (slug: string) => void
}

type Owner = { quiz_id: string | undefined }

/** Creates the cache of slugs. Unknown slugs are cached too, so that guessing slugs causes few queries. */
export const createQuizSlugs = (db: Db, trust?: TtlCacheOptions): QuizSlugs => {
  const { find, getFresh, forget } = createTtlCache<Owner>(
    async (slugs) => {
      const owners = await listSlugOwners(db, slugs)
      return new Map(owners.map(({ slug, quiz_id }) => [slug, { quiz_id }]))
    },
    { quiz_id: undefined },
    isDatabaseUnavailable,
    { outage_ms: MAX_OUTAGE_MS, ...trust },
  )
  const idOf = (address: string): string | undefined => (UUID.test(address) ? address : undefined)
  return {
    find: async (address) => {
      if (UUID.test(address) || !isSlug(address)) return idOf(address)
      return (await find(address)).quiz_id
    },
    getFresh: (address) => idOf(address) ?? getFresh(address)?.quiz_id,
    forget,
  }
}

const ROUTES = '/q/:id'

/** Adds a hook that replaces a slug by the quiz id in every route below /q/{id}, so that the routes know ids only. */
export const resolveSlugs = (app: FastifyInstance, slugs: Pick<QuizSlugs, 'find'>): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.url?.startsWith(ROUTES)) return done()
    const params = request.params as { id: string }
    const address = params.id.toLowerCase()
    if (UUID.test(address)) return done()
    slugs.find(address).then((quiz_id) => {
      if (quiz_id) params.id = quiz_id
      done()
    }, done)
  })
}
