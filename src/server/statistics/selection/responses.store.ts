import { type RawBuilder, sql } from 'kysely'
import { LIMITS } from '#domain/common/vocabulary.ts'
import type { ExportedParticipant } from '#domain/statistics/export-table.ts'
import {
  NEWEST_FIRST,
  type ParticipantSort,
  type Sorting,
  type SortOrder,
} from '#domain/statistics/participant-sort.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { isLowerUuid } from '#server/runtime/uuid.ts'
import type { Condition } from './participant-filters.ts'

export type StoredResponse = ExportedParticipant & {
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
export type ParticipantPageQuery = {
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
  { condition, after, limit, order = 'desc' }: ParticipantPageQuery & { order?: SortOrder },
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

const TIME = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/
/** The place; and, of any other list than that of the newest first, its sort and the value that it is sorted by. */
const PARTS = /^(\S+) (\S+)(?: ([a-z]+ [a-z]+) (.+))?$/s

const nameOf = ({ sort, order }: Sorting): string => `${sort} ${order}`
const isNewestFirst = (sorting: Sorting): boolean => nameOf(sorting) === nameOf(NEWEST_FIRST)

/** A cursor as clients carry it, opaque to them. */
export const writeCursor = (
  { exact_created_at, participant_uuid, value = null, reading }: Cursor,
  sorting = NEWEST_FIRST,
): string => {
  const kept = reading ? [value, reading.read_since, reading.is_again] : value
  const list = isNewestFirst(sorting) ? '' : ` ${nameOf(sorting)} ${JSON.stringify(kept)}`
  return Buffer.from(`${exact_created_at} ${participant_uuid}${list}`).toString('base64url')
}

/** The place a cursor names; 422 when it is none of ours, or one of a list that is sorted otherwise. */
export const readCursor = (cursor: string, sorting = NEWEST_FIRST): Cursor => {
  const [, time = '', participant_uuid = '', list = nameOf(NEWEST_FIRST), json = 'null'] =
    PARTS.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!isTime(time) || !isLowerUuid(participant_uuid)) throw refused()
  if (list !== nameOf(sorting))
    throw invalid('Cette suite est celle d’un autre tri : reprenez la liste du début', 'cursor')
  const place = { exact_created_at: time, participant_uuid }
  return isNewestFirst(sorting) ? place : { ...place, ...readKept(sorting.sort, json) }
}

const refused = () => invalid('Valeur refusée', 'cursor')

const readKept = (sort: ParticipantSort, json: string): Pick<Cursor, 'value' | 'reading'> => {
  let kept: unknown
  try {
    kept = JSON.parse(json)
  } catch {
    throw refused()
  }
  if (sort !== 'delivery') return { value: readValue(sort, kept) }
  const [value, read_since, is_again] = Array.isArray(kept) ? kept : []
  if (!isMoment(read_since) || typeof is_again !== 'boolean') throw refused()
  return { value: readValue(sort, value), reading: { read_since, is_again } }
}

const readValue = (sort: ParticipantSort, value: unknown): SortValue => {
  if (value === null) return null
  if (sort === 'email' && isText(value, LIMITS.email)) return value
  if (sort === 'result' && isText(value, LIMITS.result_name)) return value
  if ((sort === 'score' || sort === 'delivery') && isInteger(value)) return value
  throw refused()
}

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && value.isWellFormed() && !value.includes('\0')

/** One that PostgreSQL's `integer` holds. */
const isInteger = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31

/** Milliseconds that PostgreSQL takes for a moment. */
const isMoment = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

/** A moment that exists: the 30th of February, which Date takes for a day of March, is none to PostgreSQL. */
const isTime = (time: string): boolean =>
  TIME.test(time) &&
  new Date(time).toJSON() === `${time.slice(0, 'YYYY-MM-DDTHH:MM:SS.mmm'.length)}Z`
