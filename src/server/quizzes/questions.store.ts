import { sql } from 'kysely'
import type { Answer, Association, Question, TextBlock } from '#domain/quiz.ts'
import type { Db } from '#server/db/database.ts'
import { notFound } from '#server/http/errors.ts'
import { refuseTaken, takenId } from './id-map.ts'

// Rows are inserted in the order of their ids: two saves that want the same ids then wait for each other
// in turn, and never each for the other.

export type QuestionRow = Omit<Question, 'quiz_id' | 'answers'>
export type AnswerRow = Omit<Answer, 'associations'>
export type AssociationRow = Omit<Association, 'id'> & { id: string }
export type TextBlockRow = Omit<TextBlock, 'quiz_id'>

/** The quiz of a question of the creator; 404 when absent or another's. */
export const loadQuizOfQuestion = async (
  db: Db,
  { question_id, creator_id }: { question_id: string; creator_id: string },
): Promise<string> => {
  const row = await db
    .selectFrom('questions')
    .innerJoin('quizzes', 'quizzes.id', 'questions.quiz_id')
    .select('questions.quiz_id')
    .where('questions.id', '=', question_id)
    .where('quizzes.creator_id', '=', creator_id)
    .executeTakeFirst()
  if (!row) throw notFound('Question introuvable')
  return row.quiz_id
}

/**
 * Makes the stored questions of a quiz equal to these, touching only rows that differ. 422 when an id
 * is another quiz's, or when a question's type would change, which its statistics rely on.
 */
export const writeQuestions = async (
  db: Db,
  quiz_id: string,
  rows: QuestionRow[],
): Promise<void> => {
  const kept = rows.map(({ id }) => id)
  await refuseTaken(db, { kind: 'questions', quiz_id, ids: kept })
  await sql`
    delete from questions where quiz_id = ${quiz_id} and id <> all(${kept}::uuid[])
  `.execute(db)
  await upsertQuestions(db, quiz_id, rows)
}

/** Inserts or rewrites these questions of a quiz, which are refused as `writeQuestions` says. */
export const upsertQuestions = async (
  db: Db,
  quiz_id: string,
  rows: QuestionRow[],
): Promise<void> => {
  const input = JSON.stringify(rows)
  await sql`
    insert into questions (id, quiz_id, text, type, position, global_position, page_number)
    select id, ${quiz_id}::uuid, text, type, position, global_position, page_number
    from jsonb_to_recordset(${input}::jsonb) as row(
      id uuid, text text, type text, position integer, global_position integer, page_number integer
    )
    order by id
    on conflict (id) do update set
      text = excluded.text,
      position = excluded.position,
      global_position = excluded.global_position,
      page_number = excluded.page_number
    where questions.quiz_id = excluded.quiz_id
      and (questions.text, questions.position, questions.global_position, questions.page_number)
        is distinct from
        (excluded.text, excluded.position, excluded.global_position, excluded.page_number)
  `.execute(db)
  await refuseStrangers(
    db,
    sql`
      select from jsonb_to_recordset(${input}::jsonb) as row(id uuid, type text)
      where not exists (
        select from questions
        where questions.id = row.id and quiz_id = ${quiz_id} and questions.type = row.type
      )`,
  )
}

/** Makes the stored answers of a quiz equal to these; 422 when an id is another question's. */
export const writeAnswers = async (db: Db, quiz_id: string, rows: AnswerRow[]): Promise<void> => {
  const kept = rows.map(({ id }) => id)
  await refuseTaken(db, { kind: 'answers', quiz_id, ids: kept })
  await sql`
    delete from answers where quiz_id = ${quiz_id} and id <> all(${kept}::uuid[])
  `.execute(db)
  await upsertAnswers(db, quiz_id, rows)
}

/** Inserts or rewrites these answers of a quiz, which are refused as `writeAnswers` says. */
export const upsertAnswers = async (db: Db, quiz_id: string, rows: AnswerRow[]): Promise<void> => {
  const input = JSON.stringify(rows)
  await sql`
    insert into answers (id, quiz_id, question_id, text, score, position)
    select id, ${quiz_id}::uuid, question_id, text, score, position
    from jsonb_to_recordset(${input}::jsonb) as row(
      id uuid, question_id uuid, text text, score integer, position integer
    )
    order by id
    on conflict (id) do update set
      text = excluded.text, score = excluded.score, position = excluded.position
    where answers.quiz_id = excluded.quiz_id and answers.question_id = excluded.question_id
      and (answers.text, answers.score, answers.position)
        is distinct from (excluded.text, excluded.score, excluded.position)
  `.execute(db)
  await refuseStrangers(
    db,
    sql`
      select from jsonb_to_recordset(${input}::jsonb) as row(id uuid, question_id uuid)
      where not exists (
        select from answers
        where answers.id = row.id and quiz_id = ${quiz_id} and answers.question_id = row.question_id
      )`,
  )
}

/** Makes the stored associations of a quiz equal to these; their answers and results are known to be the quiz's. */
export const writeAssociations = async (
  db: Db,
  quiz_id: string,
  rows: AssociationRow[],
): Promise<void> => {
  const input = JSON.stringify(rows)
  await sql`
    delete from associations where quiz_id = ${quiz_id} and not exists (
      select from jsonb_to_recordset(${input}::jsonb) as row(answer_id uuid, result_id uuid)
      where row.answer_id = associations.answer_id and row.result_id = associations.result_id
    )
  `.execute(db)
  await upsertAssociations(db, quiz_id, rows)
}

/** Inserts or rewrites these associations of a quiz. */
export const upsertAssociations = async (
  db: Db,
  quiz_id: string,
  rows: AssociationRow[],
): Promise<void> => {
  const input = JSON.stringify(rows)
  await sql`
    insert into associations (id, quiz_id, answer_id, result_id, weight, is_checked)
    select id, ${quiz_id}::uuid, answer_id, result_id, weight, is_checked
    from jsonb_to_recordset(${input}::jsonb) as row(
      id uuid, answer_id uuid, result_id uuid, weight integer, is_checked boolean
    )
    on conflict (answer_id, result_id) do update set
      weight = excluded.weight, is_checked = excluded.is_checked
    where (associations.weight, associations.is_checked)
      is distinct from (excluded.weight, excluded.is_checked)
  `.execute(db)
}

/** Makes the stored text blocks of a quiz equal to these; 422 when an id is another quiz's. */
export const writeTextBlocks = async (
  db: Db,
  quiz_id: string,
  rows: TextBlockRow[],
): Promise<void> => {
  const kept = rows.map(({ id }) => id)
  await refuseTaken(db, { kind: 'text_blocks', quiz_id, ids: kept })
  await sql`
    delete from text_blocks where quiz_id = ${quiz_id} and id <> all(${kept}::uuid[])
  `.execute(db)
  await upsertTextBlocks(db, quiz_id, rows)
}

/** Inserts or rewrites these text blocks of a quiz; 422 when an id is another quiz's. */
export const upsertTextBlocks = async (
  db: Db,
  quiz_id: string,
  rows: TextBlockRow[],
): Promise<void> => {
  const input = JSON.stringify(rows)
  await sql`
    insert into text_blocks (id, quiz_id, content, global_position, page_number)
    select id, ${quiz_id}::uuid, content, global_position, page_number
    from jsonb_to_recordset(${input}::jsonb) as row(
      id uuid, content text, global_position integer, page_number integer
    )
    order by id
    on conflict (id) do update set
      content = excluded.content,
      global_position = excluded.global_position,
      page_number = excluded.page_number
    where text_blocks.quiz_id = excluded.quiz_id
      and (text_blocks.content, text_blocks.global_position, text_blocks.page_number)
        is distinct from (excluded.content, excluded.global_position, excluded.page_number)
  `.execute(db)
  await refuseStrangers(
    db,
    sql`
      select from jsonb_to_recordset(${input}::jsonb) as row(id uuid)
      where not exists (
        select from text_blocks where text_blocks.id = row.id and quiz_id = ${quiz_id}
      )`,
  )
}

/** 422 when `strangers` finds a sent row that did not become the quiz's own. */
const refuseStrangers = async (db: Db, strangers: ReturnType<typeof sql>): Promise<void> => {
  const { rows } = await sql<{ found: boolean }>`select exists (${strangers}) as found`.execute(db)
  if (rows[0]?.found) throw takenId()
}
