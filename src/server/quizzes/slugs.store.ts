import { sql } from 'kysely'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { slugReservedForOwnerMessage, slugTakenMessage } from '#domain/questionnaire/access.ts'
import { slugInTrashMessage } from '#domain/questionnaire/trash/trash.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'

type QuizOfCreator = { quiz_id: string; creator_id: string }

/**
 * Assigns a slug to a quiz, within the transaction that has locked the quiz. Throws a 422 that names
 * `field` if another quiz has or had the slug, if another creator deleted such a quiz within 90 days, or if the quiz has
 * had too many slugs.
 */
export const claimSlug = async (
  db: Db,
  { quiz_id, creator_id }: QuizOfCreator,
  slug: string,
  field = 'slug',
): Promise<void> => {
  // The update changes no value. It returns the existing row unless the row belongs to another quiz.
  const { rows } = await sql`
    insert into quiz_slugs (slug, quiz_id) values (${slug}, ${quiz_id})
    on conflict (slug) do update set quiz_id = excluded.quiz_id
    where quiz_slugs.quiz_id = excluded.quiz_id
    returning slug
  `.execute(db)
  if (rows.length === 0) throw invalid(await explainTakenSlug(db, slug, creator_id), field)
  // The query follows the insertion, because the insertion waits for a concurrent deletion of the slug.
  if (await isReserved(db, slug, creator_id))
    throw invalid(slugReservedForOwnerMessage(slug), field)
  const count = await countSlugs(db, quiz_id)
  if (count > LIMITS.slugs_per_quiz) throw tooMany(field)
}

/** Throws the error that claiming the slug would throw now, and writes nothing. */
export const checkSlug = async (
  db: Db,
  { quiz_id, creator_id }: QuizOfCreator,
  slug: string,
): Promise<void> => {
  const owner = await findOwner(db, slug)
  if (owner?.quiz_id === quiz_id) return
  const refusal = await explainSlugRefusal(db, slug, creator_id)
  if (refusal) throw invalid(refusal, 'slug')
  if ((await countSlugs(db, quiz_id)) >= LIMITS.slugs_per_quiz) throw tooMany('slug')
}

/** Returns the sentence that refuses a slug to a new quiz of a creator; undefined if the slug is free. */
export const explainSlugRefusal = async (
  db: Db,
  slug: string,
  creator_id: string,
): Promise<string | undefined> => {
  if (await findOwner(db, slug)) return explainTakenSlug(db, slug, creator_id)
  return (await isReserved(db, slug, creator_id)) ? slugReservedForOwnerMessage(slug) : undefined
}

/** Returns the sentence that refuses the slug of another quiz. Tells creators that the quiz is in their own trash. */
const explainTakenSlug = async (db: Db, slug: string, creator_id: string): Promise<string> => {
  const trashed = await db
    .selectFrom('quiz_slugs')
    .innerJoin('all_quizzes', 'all_quizzes.id', 'quiz_id')
    .select('quiz_id')
    .where('quiz_slugs.slug', '=', slug)
    .where('creator_id', '=', creator_id)
    .where('trashed_at', 'is not', null)
    .executeTakeFirst()
  return trashed ? slugInTrashMessage(slug) : slugTakenMessage(slug)
}

/** Returns true if another creator deleted a quiz with this slug within 90 days. */
const isReserved = async (db: Db, slug: string, creator_id: string): Promise<boolean> => {
  const kept = await db
    .selectFrom('former_slugs')
    .select('slug')
    .where('slug', '=', slug)
    .where('creator_id', '<>', creator_id)
    .where('reserved_until', '>', sql<string>`now()`)
    .executeTakeFirst()
  return kept !== undefined
}

/** Deletes the reserved slugs of deleted quizzes after their 90 days. */
export const deleteExpiredSlugs = async (db: Db): Promise<void> => {
  await db.deleteFrom('former_slugs').where('reserved_until', '<=', sql<string>`now()`).execute()
}

/** Lists the quizzes of current and former slugs. Unknown slugs are left out. */
export const listSlugOwners = (
  db: Db,
  slugs: readonly string[],
): Promise<{ slug: string; quiz_id: string }[]> =>
  db.selectFrom('quiz_slugs').select(['slug', 'quiz_id']).where('slug', 'in', slugs).execute()

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

const tooMany = (field: string) =>
  invalid(
    `Ce questionnaire a déjà eu ${LIMITS.slugs_per_quiz} adresses : reprenez l’une d’elles`,
    field,
  )
