import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { SAVED_NAMES } from '#domain/editing/draft-fields.ts'
import { idConflictError } from '#domain/editing/edit-rules.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import type {
  Answer,
  Association,
  Question,
  Result,
  TextBlock,
} from '#domain/questionnaire/quiz.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import type { Db } from '#server/db/database.ts'

type Rows = {
  results: Result
  questions: Omit<Question, 'answers'>
  answers: Omit<Answer, 'associations'>
  text_blocks: TextBlock
  dimensions: Dimension
  text_variants: TextVariant
}

type Kind = keyof Rows

/** Stored columns of each table, without the id and the quiz id. */
const COLUMNS = {
  ...SAVED_NAMES,
  questions: [...SAVED_NAMES.questions, 'position'],
  answers: [...SAVED_NAMES.answers, 'question_id'],
} as const satisfies { [K in Kind]: readonly (keyof Rows[K])[] }

const KINDS = Object.keys(COLUMNS) as Kind[]

/**
 * Throws a 422 if a new id is already stored in any table (product 5.5). The check runs before any write, so that a
 * save never waits for rows of another quiz.
 */
export const refuseExistingIds = async (db: Db, ids: readonly string[]): Promise<void> => {
  const queries = [...KINDS, 'quizzes', 'associations'].map((kind) => selectNamed(kind, ids))
  const { rows } = await sql`${sql.join(queries, sql` union all `)} limit 1`.execute(db)
  if (rows.length > 0) throw idConflictError()
}

const selectNamed = (kind: string, ids: readonly string[]) =>
  sql`select id from ${sql.table(kind)} where id = any(${ids}::uuid[])`

/** Returns the given ids that are stored but do not belong to rows of this quiz. */
export const listExistingIds = async (
  db: Db,
  quiz_id: string,
  ids: readonly string[],
): Promise<string[]> => {
  const rows = KINDS.map((kind) => sql`${selectNamed(kind, ids)} and quiz_id <> ${quiz_id}`)
  const others = ['quizzes', 'associations'].map((kind) => selectNamed(kind, ids))
  const existing = await sql<{
    id: string
  }>`${sql.join([...rows, ...others], sql` union `)}`.execute(db)
  return existing.rows.map(({ id }) => id)
}

/**
 * Inserts or updates rows of a quiz. Throws a 422 if another quiz has one of the ids. Rows are written in the
 * order of their ids, so that two saves cannot deadlock.
 */
export const upsertRows = async <K extends Kind>(
  db: Db,
  { kind, quiz_id }: { kind: K; quiz_id: string },
  rows: readonly Rows[K][],
): Promise<void> => {
  if (rows.length === 0) return
  const table = sql.table(kind)
  const columns = sql.join(COLUMNS[kind].map((column) => sql.ref(column)))
  const names: readonly string[] = ['id', ...COLUMNS[kind]]
  const stored = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name))),
  )
  const input = JSON.stringify(stored)
  const sets = COLUMNS[kind].map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`)
  if (kind === 'results') sets.push(sql`updated_at = now()`)
  const { numAffectedRows } = await sql`
    insert into ${table} (id, quiz_id, ${columns})
    select id, ${quiz_id}::uuid, ${columns}
    from jsonb_populate_recordset(null::${table}, ${input}::jsonb)
    order by id
    on conflict (id) do update set ${sql.join(sets)}
    where ${table}.quiz_id = excluded.quiz_id
  `.execute(db)
  if (numAffectedRows !== BigInt(rows.length)) throw idConflictError()
}

/** Inserts or updates associations between answers and results of a quiz. */
export const upsertAssociations = async (
  db: Db,
  quiz_id: string,
  links: readonly Omit<Association, 'id'>[],
): Promise<void> => {
  if (links.length === 0) return
  const rows = links.map((link) => ({ ...link, id: randomUUIDv7() }))
  await sql`
    insert into associations (id, quiz_id, answer_id, result_id, weight, is_checked)
    select id, ${quiz_id}::uuid, answer_id, result_id, weight, is_checked
    from jsonb_populate_recordset(null::associations, ${JSON.stringify(rows)}::jsonb)
    on conflict (answer_id, result_id) do update set
      weight = excluded.weight, is_checked = excluded.is_checked
  `.execute(db)
}

/** Deletes associations of a quiz. */
export const deleteAssociations = async (
  db: Db,
  quiz_id: string,
  links: readonly Association[],
): Promise<void> => {
  if (links.length === 0) return
  const ids = links.map(({ id }) => id)
  await sql`
    delete from associations where quiz_id = ${quiz_id} and id = any(${ids}::uuid[])
  `.execute(db)
}

/** Deletes the rows of a quiz with these ids, and rows that refer to them. Unknown ids are ignored. */
export const deleteRows = async (
  db: Db,
  quiz_id: string,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return
  for (const kind of KINDS)
    await sql`
      delete from ${sql.table(kind)} where quiz_id = ${quiz_id} and id = any(${ids}::uuid[])
    `.execute(db)
}
