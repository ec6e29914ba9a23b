import { type RawBuilder, sql } from 'kysely'
import type { Exported } from '#domain/export-table.ts'
import type { SortOrder } from '#domain/participant-sort.ts'
import type { Db } from '#server/db/database.ts'
import type { Condition } from './matching.ts'

export type StoredResponse = Exported & {
  participant_uuid: string
  /** created_at to the microsecond, which a cursor needs. */
  exact_created_at: string
}

/** What a list that is not sorted by date is sorted by; null, which comes last, of who has none. */
export type SortValue = string | number | null

/** Since when a list is read whose values change, in milliseconds; and whether a place is among those listed again at its end. */
export type Reading = { read_since: number; is_again: boolean }

/** Where a page of participants begins: after this one. */
export type Cursor = {
  exact_created_at: string
  participant_uuid: string
  value?: SortValue
  /** Of a list by delivery. */
  reading?: Reading | undefined
}

const EXACT = sql<string>`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Stored responses; the caller adds the condition. */
export const selectResponses = (db: Db) =>
  db
    .selectFrom('responses')
    .select(['participant_uuid', 'version', 'created_at', 'email', 'result_position', 'score'])
    .select(['consent_version', 'elapsed_seconds', 'is_suspect', 'choices', 'texts', 'parameters'])
    .select([EXACT.as('exact_created_at')])

/** Which participants a page has: those that match the condition, if any, from the place `after` on. */
export type PageAsked = {
  condition: Condition | undefined
  after: Cursor | undefined
  limit: number
}

/** Whether a row comes after this one among those of the same sort value, the newest being first. */
export const isOlder = (after: Cursor): RawBuilder<boolean> => sql<boolean>`
  (created_at, participant_uuid) < (${after.exact_created_at}::timestamptz, ${after.participant_uuid}::uuid)`

const isNewer = (after: Cursor): RawBuilder<boolean> => sql<boolean>`
  (created_at, participant_uuid) > (${after.exact_created_at}::timestamptz, ${after.participant_uuid}::uuid)`

/** One page of participants by date, which an index serves at any size. */
export const listResponses = (
  db: Db,
  quiz_id: string,
  { condition, after, limit, order = 'desc' }: PageAsked & { order?: SortOrder },
): Promise<StoredResponse[]> => {
  let query = selectResponses(db).where('quiz_id', '=', quiz_id)
  if (condition) query = query.where(condition)
  if (after) query = query.where(order === 'desc' ? isOlder(after) : isNewer(after))
  return query
    .orderBy('created_at', order)
    .orderBy('participant_uuid', order)
    .limit(limit)
    .execute()
}

/** One participant of a quiz. */
export const findResponse = (
  db: Db,
  quiz_id: string,
  participant_uuid: string,
): Promise<StoredResponse | undefined> =>
  selectResponses(db)
    .where('quiz_id', '=', quiz_id)
    .where('participant_uuid', '=', participant_uuid)
    .executeTakeFirst()
