import { sql } from 'kysely'
import { orderedNames } from '#domain/questionnaire/parameters.ts'
import type { Db } from '#server/db/database.ts'
import { named, type Selection } from './email-filters.store.ts'

/** Above this number of participants the newest are scanned instead. */
const MOST_FOUND = 2_000

/** The names of the parameters that participants of a quiz came with, in the order in which they are shown. */
export const listParameterNames = async (db: Db, quiz_id: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('parameter_counts')
    .select('name')
    .distinct()
    .where('quiz_id', '=', quiz_id)
    .execute()
  return orderedNames(rows.map(({ name }) => name))
}

/** How many came with a value, by the kept counters; undefined of one that is not counted by itself. */
const countOf = async (
  db: Db,
  quiz_id: string,
  [name, value]: readonly [string, string],
): Promise<number | undefined> => {
  const row = await db
    .selectFrom('parameter_counts')
    .select('count')
    .where('quiz_id', '=', quiz_id)
    .where('name', '=', name)
    .where('value', '=', value)
    .executeTakeFirst()
  return row?.count
}

/**
 * The participants who came with this value of a parameter, or without it where it is empty: by name where they are few,
 * which an index finds, else as a condition on each row.
 */
export const filterByParameter = async (
  db: Db,
  quiz_id: string,
  [name, value]: readonly [string, string],
): Promise<Selection> => {
  const any = async (): Promise<number> => Number.POSITIVE_INFINITY
  if (value === '') {
    const condition = sql<boolean>`(parameters -> ${name}::text) is null`
    return { condition, most: any }
  }
  const condition = sql<boolean>`(parameters @> ${JSON.stringify({ [name]: value })}::jsonb) is true`
  const count = await countOf(db, quiz_id, [name, value])
  if (count !== undefined && count > MOST_FOUND) return { condition, most: async () => count }
  const indexed = JSON.stringify({ [quiz_id]: { [name]: value } })
  const { rows } = await sql<{ participant_uuid: string }>`
    select participant_uuid from responses
    where quiz_id = ${quiz_id} and parameters is not null
      and jsonb_set('{}', array[quiz_id::text], parameters) @> ${indexed}::jsonb
    limit ${MOST_FOUND + 1}
  `.execute(db)
  if (rows.length > MOST_FOUND) return { condition, most: any }
  const uuids = rows.map(({ participant_uuid }) => participant_uuid)
  return { condition: named(uuids), most: async () => uuids.length }
}
