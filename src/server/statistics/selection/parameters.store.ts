import { sql } from 'kysely'
import { sortParameterNames } from '#domain/questionnaire/parameters.ts'
import type { Db } from '#server/db/database.ts'
import { hasParticipantId, type Selection } from './email-filters.store.ts'

/** Maximum number of participants that are selected by id. Above it, participants are scanned from the newest. */
const MAX_SELECTED_BY_ID = 2_000

/** Lists the names of the parameters of a quiz's participants, in display order. */
export const listParameterNames = async (db: Db, quiz_id: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('parameter_counts')
    .select('name')
    .distinct()
    .where('quiz_id', '=', quiz_id)
    .execute()
  return sortParameterNames(rows.map(({ name }) => name))
}

/** Returns the number of participants with a parameter value; undefined if the value has no counter of its own. */
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
 * Selects the participants with this value of a parameter, or without the parameter if the value is empty. Few
 * matches are selected by participant id; many are scanned with a condition on each row.
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
  if (count !== undefined && count > MAX_SELECTED_BY_ID)
    return { condition, most: async () => count }
  const indexed = JSON.stringify({ [quiz_id]: { [name]: value } })
  const { rows } = await sql<{ participant_uuid: string }>`
    select participant_uuid from responses
    where quiz_id = ${quiz_id} and parameters is not null
      and jsonb_set('{}', array[quiz_id::text], parameters) @> ${indexed}::jsonb
    limit ${MAX_SELECTED_BY_ID + 1}
  `.execute(db)
  if (rows.length > MAX_SELECTED_BY_ID) return { condition, most: any }
  const uuids = rows.map(({ participant_uuid }) => participant_uuid)
  return { condition: hasParticipantId(uuids), most: async () => uuids.length }
}
