import type { FastifyInstance } from 'fastify'
import { isSlug } from '#domain/questionnaire/access.ts'
import type { Db } from '#server/db/database.ts'
import { createTtlCache, type TtlCacheOptions } from '#server/runtime/ttl-cache.ts'
import { isUuid } from '#server/runtime/uuid.ts'

/** The quizzes that slugs lead to, the current ones and those of before. */
export type QuizSlugs = {
  /** The quiz of an id or a slug; undefined when no quiz ever had it. */
  find: (address: string) => Promise<string | undefined>
  /** The same without waiting; undefined when the database has to be asked, too. */
  known: (address: string) => string | undefined
  /** The next call asks the database. */
  forget: (slug: string) => void
}

type Owner = { quiz_id: string | undefined }

/** A slug that no quiz has is remembered for a moment like the others, so that guessing them repeats no query. */
export const createQuizSlugs = (db: Db, trust?: TtlCacheOptions): QuizSlugs => {
  const { find, known, forget } = createTtlCache<Owner>(
    async (slugs) => {
      const rows = await db
        .selectFrom('quiz_slugs')
        .select(['slug', 'quiz_id'])
        .where('slug', 'in', slugs)
        .execute()
      return new Map(rows.map(({ slug, quiz_id }) => [slug, { quiz_id }]))
    },
    { quiz_id: undefined },
    trust,
  )
  const idOf = (address: string): string | undefined => (isUuid(address) ? address : undefined)
  return {
    find: async (address) => {
      if (isUuid(address) || !isSlug(address)) return idOf(address)
      return (await find(address)).quiz_id
    },
    known: (address) => idOf(address) ?? known(address)?.quiz_id,
    forget,
  }
}

const ROUTES = '/q/:id'

/** Has every route below /q/{id} serve /q/{slug} as well: beyond this hook the address is the quiz's id. */
export const resolveSlugs = (app: FastifyInstance, slugs: Pick<QuizSlugs, 'find'>): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.url?.startsWith(ROUTES)) return done()
    const params = request.params as { id: string }
    const address = params.id.toLowerCase()
    if (isUuid(address)) return done()
    slugs.find(address).then((quiz_id) => {
      if (quiz_id) params.id = quiz_id
      done()
    }, done)
  })
}
