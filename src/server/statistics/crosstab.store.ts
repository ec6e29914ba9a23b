import { type RawBuilder, sql } from 'kysely'
import { type CrosstabCount, NO_RESULT_POSITION, type Side } from '#domain/crosstab.ts'
import type { Db } from '#server/db/database.ts'
import type { Condition } from './matching.ts'

/** Where each version keeps one side of the table. */
const placesOf = (name: string, { places }: Side) => sql`
  ${sql.ref(name)} as (
    select * from jsonb_to_recordset(${JSON.stringify(
      places.map(({ version, first_slot, last_slot }) => ({ version, first_slot, last_slot })),
    )}::jsonb) as place(version integer, first_slot integer, last_slot integer)
  )`

/** What a participant has on one side, as numbers; the first is below 0 where there is nothing. */
const numbersOf = (name: string, { question_id }: Side): RawBuilder<number[]> =>
  question_id === null
    ? sql<number[]>`array[coalesce(result_position, ${sql.lit(NO_RESULT_POSITION)}::smallint)]`
    : sql<number[]>`choices[${sql.ref(`${name}.first_slot`)}:${sql.ref(`${name}.last_slot`)}]`

/**
 * How many participants have each pair of numbers, each number of a side, and something on both sides, version by
 * version. Participants who gave the same on both sides are put together before their numbers are taken apart.
 */
export const countCrosstab = async (
  db: Db,
  {
    quiz_id,
    condition = sql<boolean>`true`,
  }: { quiz_id: string; condition: Condition | undefined },
  { rows, columns }: { rows: Side; columns: Side },
): Promise<CrosstabCount[]> => {
  const counted = await sql<CrosstabCount>`
    with ${placesOf('row_places', rows)}, ${placesOf('column_places', columns)}, matching as (
      select version, choices, result_position from responses
      where quiz_id = ${quiz_id} and ${condition}
    ), alike as (
      select version, ${numbersOf('row_places', rows)} as row_numbers,
        ${numbersOf('column_places', columns)} as column_numbers, count(*) as count
      from matching join row_places using (version) join column_places using (version)
      group by 1, 2, 3
    ), given as materialized (
      select * from alike where row_numbers[1] >= 0 and column_numbers[1] >= 0
    ), in_rows as (
      select given.*, row_number from given cross join lateral unnest(row_numbers) as row_number
      where row_number is not null
    )
    select version, row_number, column_number, sum(count)::bigint as count
    from in_rows cross join lateral unnest(column_numbers) as column_number
    where column_number is not null group by 1, 2, 3
    union all
    select version, row_number, null, sum(count)::bigint from in_rows group by 1, 2
    union all
    select version, null, column_number, sum(count)::bigint
    from given cross join lateral unnest(column_numbers) as column_number
    where column_number is not null group by 1, 3
    union all
    select version, null, null, sum(count)::bigint from given group by 1
  `.execute(db)
  return counted.rows
}
