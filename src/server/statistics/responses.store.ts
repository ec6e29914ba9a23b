import { sql } from 'kysely'
import type { Exported } from '#domain/export-table.ts'
import type { Db } from '#server/db/database.ts'
import type { Condition } from './matching.ts'

export type StoredResponse = Exported & {
  participant_uuid: string
  /** created_at to the microsecond, which a cursor needs. */
  exact_created_at: string
}

/** Where a page of participants begins: after this one. */
export type Cursor = { exact_created_at: string; participant_uuid: string }

const EXACT = sql<string>`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Stored responses; the caller adds the condition. */
export const selectResponses = (db: Db) =>
  db
    .selectFrom('responses')
    .select(['participant_uuid', 'version', 'created_at', 'email', 'result_position', 'score'])
    .select(['consent_version', 'elapsed_seconds', 'is_suspect', 'choices', 'texts'])
    .select([EXACT.as('exact_created_at')])

/** One page of participants, newest first; of all of them, or of those that match the condition. */
export const listResponses = (
  db: Db,
  quiz_id: string,
  {
    condition,
    after,
    limit,
  }: { condition: Condition | undefined; after: Cursor | undefined; limit: number },
): Promise<StoredResponse[]> => {
  let query = selectResponses(db).where('quiz_id', '=', quiz_id)
  if (condition) query = query.where(condition)
  if (after)
    query = query.where(
      sql<boolean>`(created_at, participant_uuid) < (
        ${after.exact_created_at}::timestamptz, ${after.participant_uuid}::uuid
      )`,
    )
  return query
    .orderBy('created_at', 'desc')
    .orderBy('participant_uuid', 'desc')
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
