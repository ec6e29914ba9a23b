import { sql } from 'kysely'
import { slugTaken } from '#domain/addresses.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'

/**
 * Makes an address a quiz's own for as long as the quiz exists, within the transaction that has locked it; one that
 * it had before is taken again. 422 when another quiz has or had it, also when both ask at once.
 */
export const claimSlug = async (db: Db, quiz_id: string, slug: string): Promise<void> => {
  // The update changes nothing: it gives the row that was there, unless it is another quiz's.
  const { rows } = await sql`
    insert into quiz_slugs (slug, quiz_id) values (${slug}, ${quiz_id})
    on conflict (slug) do update set quiz_id = excluded.quiz_id
    where quiz_slugs.quiz_id = excluded.quiz_id
    returning slug
  `.execute(db)
  if (rows.length === 0) throw invalid(slugTaken(slug), 'slug')
  const count = await countSlugs(db, quiz_id)
  if (count > LIMITS.slugs_per_quiz) throw tooMany()
}

/** Throws what claiming an address would be refused with now, and takes nothing. */
export const checkSlug = async (db: Db, quiz_id: string, slug: string): Promise<void> => {
  const owner = await findOwner(db, slug)
  if (owner && owner.quiz_id !== quiz_id) throw invalid(slugTaken(slug), 'slug')
  if (!owner && (await countSlugs(db, quiz_id)) >= LIMITS.slugs_per_quiz) throw tooMany()
}

/** Whether no quiz has, or had, an address. */
export const isSlugFree = async (db: Db, slug: string): Promise<boolean> =>
  (await findOwner(db, slug)) === undefined

const findOwner = (db: Db, slug: string): Promise<{ quiz_id: string } | undefined> =>
  db.selectFrom('quiz_slugs').select('quiz_id').where('slug', '=', slug).executeTakeFirst()

const countSlugs = async (db: Db, quiz_id: string): Promise<number> => {
  const { count } = await db
    .selectFrom('quiz_slugs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirstOrThrow()
  return count
}

const tooMany = () =>
  invalid(
    `Ce questionnaire a déjà eu ${LIMITS.slugs_per_quiz} adresses : reprenez l’une d’elles`,
    'slug',
  )
