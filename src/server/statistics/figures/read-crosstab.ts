import { type RawBuilder, sql } from 'kysely'
import type { CrosstabAnswer } from '#contract/key-figures.ts'
import {
  type Crosstab,
  type CrosstabCount,
  type CrosstabSide,
  crosstabOf,
  crosstabSideOf,
  NO_RESULT_POSITION,
} from '#domain/statistics/crosstab.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { wasEverPublished } from '#server/quizzes/versions.store.ts'
import type { Condition } from '#server/statistics/selection/participant-filters.ts'
import { type BackgroundCounts, createLargeCounts } from './background-counts.ts'
import { createCountCache } from './count-cache.ts'
import {
  type ReadView,
  recountWithLongerTimeout,
  type StatisticsQuery,
  type View,
} from './read-view.ts'

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

type Names = { rows: string; columns: string }
type Sides = { rows: CrosstabSide; columns: CrosstabSide }

/** Returns a side without participants, because all participants of its version were deleted. */
const emptySideOf = (ids: Pick<CrosstabSide, 'question_id' | 'dimension_id'>): CrosstabSide => ({
  ...ids,
  text: '',
  takes_several: false,
  items: [],
  places: [],
})

/**
 * Returns the two sides of a table. Throws a 422 if the quiz never had the question or dimension of a side, or if both
 * sides are equal.
 */
const sidesOf = async (
  db: Db,
  { quiz_id, answeredVersions }: View,
  names: Names,
): Promise<Sides> => {
  if (names.rows === names.columns)
    throw invalid('Choisissez une autre question que celle des lignes', 'columns')
  const found = {
    rows: crosstabSideOf(answeredVersions, names.rows),
    columns: crosstabSideOf(answeredVersions, names.columns),
  }
  const side = async (at: keyof Names): Promise<CrosstabSide> => {
    const name = names[at]
    const known = found[at]
    if (known) return known
    const isTaken = answeredVersions.some(({ snapshot: { questions, dimensions = [] } }) =>
      [...questions, ...dimensions].some(({ id }) => id === name),
    )
    if (!isTaken && (await wasEverPublished(db, quiz_id, 'question', name)))
      return emptySideOf({ question_id: name, dimension_id: null })
    if (!isTaken && (await wasEverPublished(db, quiz_id, 'dimension', name)))
      return emptySideOf({ question_id: null, dimension_id: name })
    throw invalid(
      'Ce n’est ni une question à choix, ni une échelle, ni une dimension à paliers du questionnaire',
      at,
    )
  }
  return { rows: await side('rows'), columns: await side('columns') }
}

const readTable = async (db: Db, view: View, names: Names): Promise<Crosstab> => {
  const sides = await sidesOf(db, view, names)
  return crosstabOf(sides.rows, sides.columns, await countCrosstab(db, view, sides))
}

/** Creates a function that reads tables of two questions. Tables of many participants are counted in the background. */
export const createCrosstabs = (readView: ReadView, background: BackgroundCounts) => {
  const keptTables = createCountCache<Crosstab>(background.memory, 'tables')
  const countsOf = createLargeCounts<Crosstab>(background, 'tables')
  return async (
    query: StatisticsQuery,
    { is_async, ...names }: Names & { is_async: boolean },
  ): Promise<CrosstabAnswer> => {
    const keyOf = ({ key }: View): string => JSON.stringify([key, names.rows, names.columns])
    const { view, table } = await readView(
      query,
      async (db, view) => {
        if (!view.is_many) {
          const read = () => readTable(db, view, names)
          return { view, table: await keptTables(keyOf(view), view.state_hash, read) }
        }
        await sidesOf(db, view, names)
        return { view, table: undefined }
      },
      true,
    )
    if (table) return { table }
    const { state_hash, removed } = view
    const { value, as_of } = await countsOf(
      keyOf(view),
      { state_hash, removed, creator_id: query.creator_id, is_async },
      (db) =>
        recountWithLongerTimeout(db, query, async (state, view) => ({
          state_hash: view.state_hash,
          removed: view.removed,
          value: await readTable(state, view, names),
        })),
    )
    return { table: value ?? null, ...(as_of && { as_of }) }
  }
}
