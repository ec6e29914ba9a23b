import { sql } from 'kysely'
import { ANSWER_CONTENT, QUESTION_CONTENT, RESULT_CONTENT } from '#domain/changes.ts'
import { takenId } from '#domain/edit-rules.ts'
import type { Answer, Association, Question, Result, TextBlock } from '#domain/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { uuidv7 } from '#server/uuid.ts'

type Rows = {
  results: Result
  questions: Omit<Question, 'answers'>
  answers: Omit<Answer, 'associations'>
  text_blocks: TextBlock
}
type Kind = keyof Rows

/** What is stored of a row beside its id and its quiz, by table. */
const COLUMNS = {
  results: [...RESULT_CONTENT, 'priority_order'],
  questions: [...QUESTION_CONTENT, 'type', 'position', 'global_position', 'page_number'],
  answers: [...ANSWER_CONTENT, 'question_id', 'position'],
  text_blocks: ['content', 'global_position', 'page_number'],
} as const satisfies { [K in Kind]: (keyof Rows[K])[] }
const KINDS = Object.keys(COLUMNS) as Kind[]

/**
 * 422 when one of these new ids is already stored, in any table and of any creator (decisions « Temporary
 * ids »). Checked before anything is written, so that a save never waits for the rows of another quiz.
 */
export const refuseTaken = async (db: Db, ids: readonly string[]): Promise<void> => {
  const taken = [...KINDS, 'quizzes', 'associations'].map((kind) => selectNamed(kind, ids))
  const { rows } = await sql`${sql.join(taken, sql` union all `)} limit 1`.execute(db)
  if (rows.length > 0) throw takenId()
}

const selectNamed = (kind: string, ids: readonly string[]) =>
  sql`select id from ${sql.table(kind)} where id = any(${ids}::uuid[])`

/** Which of these ids name something that is stored and no row of this quiz. */
export const listTaken = async (
  db: Db,
  quiz_id: string,
  ids: readonly string[],
): Promise<string[]> => {
  const rows = KINDS.map((kind) => sql`${selectNamed(kind, ids)} and quiz_id <> ${quiz_id}`)
  const others = ['quizzes', 'associations'].map((kind) => selectNamed(kind, ids))
  const taken = await sql<{ id: string }>`${sql.join([...rows, ...others], sql` union `)}`.execute(
    db,
  )
  return taken.rows.map(({ id }) => id)
}

/**
 * Inserts or rewrites these rows of a quiz; 422 when another quiz has one of the ids. They are written in the
 * order of their ids, so that two saves of the same ids cannot deadlock.
 */
export const upsertRows = async <K extends Kind>(
  db: Db,
  { kind, quiz_id }: { kind: K; quiz_id: string },
  rows: readonly Rows[K][],
): Promise<void> => {
  if (rows.length === 0) return
  const table = sql.table(kind)
  const columns = sql.join(COLUMNS[kind].map((column) => sql.ref(column)))
  const input = JSON.stringify(rows, ['id', ...COLUMNS[kind]])
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
  if (numAffectedRows !== BigInt(rows.length)) throw takenId()
}

/** Inserts or rewrites links between answers and results that are the quiz's. */
export const upsertLinks = async (
  db: Db,
  quiz_id: string,
  links: readonly Omit<Association, 'id'>[],
): Promise<void> => {
  if (links.length === 0) return
  const rows = links.map((link) => ({ ...link, id: uuidv7() }))
  await sql`
    insert into associations (id, quiz_id, answer_id, result_id, weight, is_checked)
    select id, ${quiz_id}::uuid, answer_id, result_id, weight, is_checked
    from jsonb_populate_recordset(null::associations, ${JSON.stringify(rows)}::jsonb)
    on conflict (answer_id, result_id) do update set
      weight = excluded.weight, is_checked = excluded.is_checked
  `.execute(db)
}

/** Deletes these links of a quiz. */
export const deleteLinks = async (
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

/** Deletes the rows of a quiz with these ids, and rows that refer to them; ids that are not there are ignored. */
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
