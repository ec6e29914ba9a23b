import { sql } from 'kysely'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import { type RightSetCount, rightSlots } from '#domain/statistics/right-answers.ts'
import type { Db } from '#server/db/database.ts'
import type { Condition } from '#server/statistics/selection/participant-filters.ts'

/**
 * Counts the participants whose reply to a question with several choices is right, by comparing the stored numbers. Reads
 * no participant if no version has such a question.
 */
export const countRightSets = async (
  db: Db,
  { quiz_id, condition }: { quiz_id: string; condition: Condition | undefined },
  versions: readonly AnsweredVersion[],
): Promise<RightSetCount[]> => {
  const slots = rightSlots(versions)
  if (slots.length === 0) return []
  const { rows } = await sql<RightSetCount>`
    with right_replies as materialized (
      select version, question_id, first, last, numbers::smallint[] from unnest(
        ${slots.map(({ version }) => version)}::integer[],
        ${slots.map(({ question_id }) => question_id)}::uuid[],
        ${slots.map(({ first }) => first)}::integer[],
        ${slots.map(({ last }) => last)}::integer[],
        ${slots.map(({ numbers }) => `{${numbers.map((number) => number ?? 'NULL').join(',')}}`)}::text[]
      ) as right_reply(version, question_id, first, last, numbers)
    ), selected_replies as (
      select version, choices from responses where quiz_id = ${quiz_id} and ${condition ?? sql`true`}
    )
    select version, question_id, count(*) as count
    from selected_replies join right_replies using (version)
    where choices[first:last] = numbers
    group by 1, 2
  `.execute(db)
  return rows
}
