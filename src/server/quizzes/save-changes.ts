import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { QuizMode } from '#domain/common/vocabulary.ts'
import { changesBetween } from '#domain/editing/changes.ts'
import { SAVED_NAMES } from '#domain/editing/draft-fields.ts'
import { checkDraft, idConflictError } from '#domain/editing/edit-rules.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import { addedImages } from '#domain/questionnaire/images.ts'
import { modeAfterEdit } from '#domain/questionnaire/mode.ts'
import type {
  Answer,
  Association,
  Draft,
  Question,
  Result,
  TextBlock,
} from '#domain/questionnaire/quiz.ts'
import { dropLostReferences } from '#domain/questionnaire/references.ts'
import type { TextVariant } from '#domain/questionnaire/text-variants.ts'
import type { Db } from '#server/db/database.ts'
import { checkImages } from '#server/images/creator-images.ts'
import { listContent } from './draft.store.ts'
import { lockQuiz, updateQuiz } from './quizzes.store.ts'
import { claimSlug } from './slugs.store.ts'

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

type EditOptions = { quiz_id: string; creator_id: string; based_on?: number | undefined }

/**
 * Locks a draft, applies `edit` and stores the difference, within the caller's transaction (product 5.1,
 * docs/decisions/012). An edit that returns the draft unchanged stores nothing. Throws a 409 if the revision is not
 * `based_on`, and a 422 if the edit breaks a rule.
 */
export const editDraft = async (
  db: Db,
  { based_on, ...owned }: EditOptions,
  edit: (draft: Draft) => Draft,
): Promise<{ revision: number; quiz_mode: QuizMode }> => {
  const { revision, quiz, quiz_mode } = await lockQuiz(db, owned, based_on)
  const before: Draft = { quiz, quiz_mode, ...(await listContent(db, owned.quiz_id)) }
  const edited = edit(before)
  if (edited === before) return { revision, quiz_mode }
  const after = dropLostReferences({
    ...edited,
    quiz_mode: modeAfterEdit(edited.quiz_mode, edited.questions),
  })
  return {
    revision: await saveChanges(db, owned.creator_id, before, after),
    quiz_mode: after.quiz_mode,
  }
}

/**
 * Stores the difference between the stored and locked draft `before` and the draft `after`. Returns the new
 * revision.
 */
export const saveChanges = async (
  db: Db,
  creator_id: string,
  before: Draft,
  after: Draft,
): Promise<number> => {
  const quiz_id = before.quiz.id
  const added = checkDraft(before, after)
  if (added.length > 0) await refuseExistingIds(db, added)
  const changes = changesBetween(before, after)
  if (changes.quiz.slug)
    await claimSlug(db, { quiz_id, creator_id }, changes.quiz.slug, 'quiz.slug')
  const images = addedImages(before, changes)
  if (images.size > 0) await checkImages(db, creator_id, images)
  await deleteRows(db, quiz_id, changes.removed)
  await upsertRows(db, { kind: 'results', quiz_id }, rowsWithIds(after.results, changes.results))
  const moved = new Map(before.questions.map(({ id, position }) => [id, position]))
  const questions = after.questions.filter(({ id, position }) => moved.get(id) !== position)
  await upsertRows(
    db,
    { kind: 'questions', quiz_id },
    rowsWithIds(after.questions, [...changes.questions, ...questions]),
  )
  const answers = after.questions.flatMap((question) => question.answers)
  await upsertRows(db, { kind: 'answers', quiz_id }, rowsWithIds(answers, changes.answers))
  await upsertRows(
    db,
    { kind: 'text_blocks', quiz_id },
    rowsWithIds(after.text_blocks, changes.text_blocks),
  )
  await upsertRows(
    db,
    { kind: 'dimensions', quiz_id },
    movedRows(before.dimensions, after.dimensions),
  )
  await upsertRows(
    db,
    { kind: 'text_variants', quiz_id },
    movedRows(before.text_variants, after.text_variants),
  )
  const { written, removed } = linksBetween(before, after)
  await deleteAssociations(db, quiz_id, removed)
  await upsertAssociations(db, quiz_id, written)
  return updateQuiz(db, quiz_id, { ...changes.quiz, quiz_mode: after.quiz_mode })
}

type RowWithId = { id: string }

/** Returns the rows of `after` that are new or changed, compared by identity. */
const movedRows = <Row extends RowWithId>(before: readonly Row[], after: readonly Row[]): Row[] => {
  const known = new Set(before)
  return after.filter((row) => !known.has(row))
}

const rowsWithIds = <Row extends RowWithId>(
  rows: readonly Row[],
  saved: readonly RowWithId[],
): Row[] => {
  if (saved.length === 0) return []
  const ids = new Set(saved.map(({ id }) => id))
  return rows.filter(({ id }) => ids.has(id))
}

/**
 * Returns the associations to store and to delete. The comparison is exact, because the specified calls
 * distinguish an absent association from an unticked one. Associations of a removed answer or result are
 * deleted with it.
 */
const linksBetween = (before: Draft, after: Draft) => {
  const results = new Set(after.results.map(({ id }) => id))
  const known = new Map(
    before.questions.flatMap(({ answers }) => answers).map((row) => [row.id, row]),
  )
  const written: Association[] = []
  const removed: Association[] = []
  for (const { id, associations } of after.questions.flatMap(({ answers }) => answers)) {
    const old = known.get(id)?.associations ?? []
    if (old === associations) continue
    const now = new Map(associations.map((link) => [link.result_id, link]))
    removed.push(...old.filter(({ result_id }) => results.has(result_id) && !now.has(result_id)))
    for (const { result_id, weight, is_checked } of old) {
      const link = now.get(result_id)
      if (link?.weight === weight && link.is_checked === is_checked) now.delete(result_id)
    }
    written.push(...now.values())
  }
  return { written, removed }
}
