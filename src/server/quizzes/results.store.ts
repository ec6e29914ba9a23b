import { sql, type Updateable } from 'kysely'
import type { Result } from '#domain/quiz.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import { notFound } from '#server/http/errors.ts'
import { refuseTaken, takenId } from './id-map.ts'

const MISSING = 'Résultat introuvable'

export type ResultRow = Pick<
  Result,
  'id' | 'name' | 'description' | 'priority_order' | 'min_score' | 'max_score'
>

/** The quiz of a result of the creator; 404 when absent or another's. */
export const loadQuizOfResult = async (
  db: Db,
  { result_id, creator_id }: { result_id: string; creator_id: string },
): Promise<string> => {
  const row = await db
    .selectFrom('results')
    .innerJoin('quizzes', 'quizzes.id', 'results.quiz_id')
    .select('results.quiz_id')
    .where('results.id', '=', result_id)
    .where('quizzes.creator_id', '=', creator_id)
    .executeTakeFirst()
  if (!row) throw notFound(MISSING)
  return row.quiz_id
}

/** Writes columns of one result of a quiz; 404 when it is not there (any more). */
export const updateResult = async (
  db: Db,
  { quiz_id, result_id }: { quiz_id: string; result_id: string },
  columns: Updateable<Tables['results']>,
): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('results')
    .set({ ...columns, updated_at: sql<string>`now()` })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', result_id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw notFound(MISSING)
}

/** Deletes one result of a quiz with its associations; 404 when it is not there. */
export const deleteResult = async (
  db: Db,
  { quiz_id, result_id }: { quiz_id: string; result_id: string },
): Promise<void> => {
  const { numDeletedRows } = await db
    .deleteFrom('results')
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', result_id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound(MISSING)
}

/** Inserts or rewrites these results of a quiz, touching only rows that differ; 422 when an id is another quiz's. */
export const writeResults = async (db: Db, quiz_id: string, rows: ResultRow[]): Promise<void> => {
  const ids = rows.map(({ id }) => id)
  await refuseTaken(db, { kind: 'results', quiz_id, ids })
  await sql`
    insert into results (id, quiz_id, name, description, priority_order, min_score, max_score)
    select id, ${quiz_id}::uuid, name, description, priority_order, min_score, max_score
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(
      id uuid, name text, description text, priority_order integer, min_score integer, max_score integer
    )
    order by id
    on conflict (id) do update set
      name = excluded.name,
      description = excluded.description,
      priority_order = excluded.priority_order,
      min_score = excluded.min_score,
      max_score = excluded.max_score,
      updated_at = now()
    where results.quiz_id = excluded.quiz_id
      and (results.name, results.description, results.priority_order, results.min_score, results.max_score)
        is distinct from
        (excluded.name, excluded.description, excluded.priority_order, excluded.min_score, excluded.max_score)
  `.execute(db)
  const { count } = await db
    .selectFrom('results')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('quiz_id', '=', quiz_id)
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  if (count !== rows.length) throw takenId()
}

/** Deletes the results of a quiz that are not among these. */
export const deleteOtherResults = async (
  db: Db,
  quiz_id: string,
  kept: readonly string[],
): Promise<void> => {
  await sql`
    delete from results where quiz_id = ${quiz_id} and id <> all(${kept}::uuid[])
  `.execute(db)
}
