import { type RawBuilder, sql } from 'kysely'
import {
  type CrosstabCount,
  type CrosstabSide,
  NO_RESULT_POSITION,
} from '#domain/statistics/crosstab.ts'
import type { Db } from '#server/db/database.ts'
import type { Condition } from '#server/statistics/selection/participant-filters.ts'

/** SQL for the place of one side of the table in each version. */
const placesOf = (name: string, { places }: CrosstabSide) => sql`
  ${sql.ref(name)} as (
    select * from jsonb_to_recordset(${JSON.stringify(
      places.map(({ indexes: _indexes, ...place }) => place),
    )}::jsonb) as place(version integer, first_slot integer, last_slot integer, dimension_rank integer)
  )`

/** SQL expression for the numbers of a participant on one side; the first is negative if there is none. */
const numbersOf = (
  name: string,
  { question_id, dimension_id }: CrosstabSide,
): RawBuilder<number[]> => {
  if (dimension_id !== null)
    return sql<
      number[]
    >`array[coalesce(dimension_percents[${sql.ref(`${name}.dimension_rank`)}], -1::smallint)]`
  return question_id === null
    ? sql<number[]>`array[coalesce(result_position, ${sql.lit(NO_RESULT_POSITION)}::smallint)]`
    : sql<number[]>`choices[${sql.ref(`${name}.first_slot`)}:${sql.ref(`${name}.last_slot`)}]`
}

/**
 * Counts the participants of each version for each pair of numbers, each row, each column and the whole table.
 * Participants with equal replies on both sides are grouped first.
 */
export const countCrosstab = async (
  db: Db,
  {
    quiz_id,
    condition = sql<boolean>`true`,
  }: { quiz_id: string; condition: Condition | undefined },
  { rows, columns }: { rows: CrosstabSide; columns: CrosstabSide },
): Promise<CrosstabCount[]> => {
  const counted = await sql<CrosstabCount>`
    with ${placesOf('row_places', rows)}, ${placesOf('column_places', columns)},
    selected_participants as (
      select version, choices, result_position, dimension_percents from responses
      where quiz_id = ${quiz_id} and ${condition}
    ), equal_replies as (
      select version, ${numbersOf('row_places', rows)} as row_numbers,
        ${numbersOf('column_places', columns)} as column_numbers, count(*) as count
      from selected_participants join row_places using (version) join column_places using (version)
      group by 1, 2, 3
    ), complete_replies as materialized (
      select * from equal_replies where row_numbers[1] >= 0 and column_numbers[1] >= 0
    ), replies_by_row as (
      select complete_replies.*, row_number
      from complete_replies cross join lateral unnest(row_numbers) as row_number
      where row_number is not null
    )
    select version, row_number, column_number, sum(count)::bigint as count
    from replies_by_row cross join lateral unnest(column_numbers) as column_number
    where column_number is not null group by 1, 2, 3
    union all
    select version, row_number, null, sum(count)::bigint from replies_by_row group by 1, 2
    union all
    select version, null, column_number, sum(count)::bigint
    from complete_replies cross join lateral unnest(column_numbers) as column_number
    where column_number is not null group by 1, 3
    union all
    select version, null, null, sum(count)::bigint from complete_replies group by 1
  `.execute(db)
  return counted.rows
}
