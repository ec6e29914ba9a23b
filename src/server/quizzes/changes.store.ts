import { type Selectable, sql } from 'kysely'
import type { Changes } from '#domain/changes.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import { invalid } from '#server/http/errors.ts'
import { takenId } from './id-map.ts'

const KINDS = ['results', 'questions', 'answers', 'text_blocks'] as const
type Kind = (typeof KINDS)[number]
type Row<K extends Kind> = Selectable<Tables[K]> & { id: string }

/** The rows of one kind that a quiz has among these ids. */
export const findRows = async <K extends Kind>(
  db: Db,
  kind: K,
  { quiz_id, ids }: { quiz_id: string; ids: readonly string[] },
): Promise<Map<string, Row<K>>> => {
  const { rows } = await sql<Row<K>>`
    select * from ${sql.table(kind)} where quiz_id = ${quiz_id} and id = any(${ids}::uuid[])
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Deletes whatever a quiz has under these ids, with what hangs on it; what is gone already stays gone. */
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

/** 422 when an answer or a link names a question, answer or result that is not the quiz's. */
export const refuseForeignLinks = async (
  db: Db,
  quiz_id: string,
  { answers, associations }: Pick<Changes, 'answers' | 'associations'>,
): Promise<void> => {
  const named = {
    questions: answers.map(({ question_id }) => question_id),
    answers: associations.map(({ answer_id }) => answer_id),
    results: associations.map(({ result_id }) => result_id),
  }
  const strangers = Object.entries(named).map(
    ([kind, ids]) => sql`
      select from unnest(${ids}::uuid[]) as named(id)
      where not exists (
        select from ${sql.table(kind)} as own where own.id = named.id and own.quiz_id = ${quiz_id}
      )`,
  )
  const { rows } = await sql<{ found: boolean }>`
    select exists (${sql.join(strangers, sql` union all `)}) as found
  `.execute(db)
  if (rows[0]?.found) throw takenId()
}

/** Makes the ranks of a quiz's results dense from 0, touching only rows that differ. */
export const rankResults = async (db: Db, quiz_id: string): Promise<void> => {
  await sql`
    update results set priority_order = ranked.rank
    from (
      select id, row_number() over (order by priority_order, created_at, id) - 1 as rank
      from results where quiz_id = ${quiz_id}
    ) as ranked
    where results.id = ranked.id and results.priority_order <> ranked.rank
  `.execute(db)
}

/** The same for questions and text blocks, which are ranked together, page by page (spec §4). */
export const rankItems = async (db: Db, quiz_id: string): Promise<void> => {
  const ranked = sql`
    with items as (
      select id, page_number, global_position, 0 as kind from questions where quiz_id = ${quiz_id}
      union all
      select id, page_number, global_position, 1 as kind from text_blocks where quiz_id = ${quiz_id}
    ),
    ranked as (
      select id,
        row_number() over reading - 1 as rank,
        count(*) filter (where kind = 0) over reading - 1 as question_rank
      from items
      window reading as (order by page_number, global_position, kind, id rows unbounded preceding)
    )`
  await sql`
    ${ranked}
    update questions set global_position = ranked.rank, position = ranked.question_rank
    from ranked
    where questions.id = ranked.id
      and (questions.global_position, questions.position) <> (ranked.rank, ranked.question_rank)
  `.execute(db)
  await sql`
    ${ranked}
    update text_blocks set global_position = ranked.rank
    from ranked
    where text_blocks.id = ranked.id and text_blocks.global_position <> ranked.rank
  `.execute(db)
}

/** The same for the answers of each question. */
export const rankAnswers = async (db: Db, quiz_id: string): Promise<void> => {
  await sql`
    update answers set position = ranked.rank
    from (
      select id, row_number() over (partition by question_id order by position, id) - 1 as rank
      from answers where quiz_id = ${quiz_id}
    ) as ranked
    where answers.id = ranked.id and answers.position <> ranked.rank
  `.execute(db)
}

/** 422 when the quiz has more of something than a quiz may have, or answers where there are none to give. */
export const refuseExcess = async (db: Db, quiz_id: string): Promise<void> => {
  const { rows } = await sql<Excess>`
    select
      (select count(*) from results where quiz_id = ${quiz_id}) > ${LIMITS.results} as results,
      (select count(*) from questions where quiz_id = ${quiz_id}) > ${LIMITS.questions} as questions,
      (select count(*) from text_blocks where quiz_id = ${quiz_id}) > ${LIMITS.text_blocks}
        as text_blocks,
      exists (
        select from answers where quiz_id = ${quiz_id}
        group by question_id having count(*) > ${LIMITS.answers_per_question}
      ) as answers,
      exists (
        select from answers join questions on questions.id = answers.question_id
        where answers.quiz_id = ${quiz_id} and questions.type <> 'multiple_choice'
      ) as open_answers
  `.execute(db)
  const [excess] = rows
  for (const [what, message] of Object.entries(EXCESSES))
    if (excess?.[what as keyof Excess]) throw invalid(message)
}

type Excess = Record<keyof typeof EXCESSES, boolean>
const EXCESSES = {
  results: `Un quiz a ${LIMITS.results} résultats au plus`,
  questions: `Un quiz a ${LIMITS.questions} questions au plus`,
  text_blocks: `Un quiz a ${LIMITS.text_blocks} blocs de texte au plus`,
  answers: `Une question a ${LIMITS.answers_per_question} réponses au plus`,
  open_answers: 'Seule une question à choix a des réponses',
}
