import { type RawBuilder, sql } from 'kysely'
import { CONTACT_ROLES, LIMITS } from '#domain/common/vocabulary.ts'
import type { ExportedParticipant } from '#domain/statistics/participant-columns.ts'
import {
  NEWEST_FIRST,
  type ParticipantSort,
  type Sorting,
  type SortOrder,
} from '#domain/statistics/participant-sort.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { LOWER_UUID } from '#server/runtime/uuid.ts'
import { HAS_CERTIFICATE } from './indexed-filters.store.ts'
import type { Condition } from './participant-filters.ts'

/** Stored participant with all replies. */
export type StoredResponse = ExportedParticipant & {
  participant_uuid: string
  /** `created_at` with microseconds, as a cursor requires. */
  exact_created_at: string
}

/** Value by which a list is sorted; null, which sorts last, if the participant has no such value. */
export type SortValue = string | number | null

/**
 * Time at which reading a changing list began, in ms, and whether the cursor is in its final part, where
 * changed rows are repeated.
 */
export type ReadingState = { read_since: number; is_again: boolean }

/** Last participant of the previous page. */
export type Cursor = {
  exact_created_at: string
  participant_uuid: string
  value?: SortValue
  /** State of a list sorted by delivery. */
  reading?: ReadingState | undefined
}

const EXACT = sql<string>`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** SQL expression for the time at which a participant confirmed the address; null without a confirmation. */
const CONFIRMED_AT = sql<string | null>`case when email_confirmation = 'confirmed' then (
  select confirmed_at from email_confirmations as confirmation
  where confirmation.quiz_id = responses.quiz_id and confirmation.participant_uuid = responses.participant_uuid
) end`

/** Selects stored participants; the caller adds the condition. */
export const selectResponses = (db: Db) =>
  db
    .selectFrom('responses')
    .select(['participant_uuid', 'version', 'created_at', 'email', 'result_position', 'score'])
    .select(['consent_version', 'elapsed_seconds', 'is_suspect', 'choices', 'texts', 'parameters'])
    .select(['dimension_percents', 'measure_version'])
    .select(CONTACT_ROLES)
    .select([HAS_CERTIFICATE.as('has_certificate')])
    .select(['email_confirmation', CONFIRMED_AT.as('email_confirmed_at')])
    .select([EXACT.as('exact_created_at')])

/** Participants of a page: those that match the condition, from the cursor `after` on. */
export type ParticipantPageQuery = {
  condition: Condition | undefined
  after: Cursor | undefined
  limit: number
}

/** Returns an SQL condition for rows that follow the cursor among rows with an equal sort value, newest first. */
export const isOlder = (after: Cursor): RawBuilder<boolean> => sql<boolean>`
  (created_at, participant_uuid) < (${after.exact_created_at}::timestamptz, ${after.participant_uuid}::uuid)`

const isNewer = (after: Cursor): RawBuilder<boolean> => sql<boolean>`
  (created_at, participant_uuid) > (${after.exact_created_at}::timestamptz, ${after.participant_uuid}::uuid)`

/** Lists a page of participants by date, using an index. */
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

/** Returns one participant of a quiz; undefined if there is none. */
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
/** Pattern of a decoded cursor: time and id, followed by sorting and sort value unless the list is newest first. */
const PARTS = /^(\S+) (\S+)(?: ([a-z]+ [a-z]+) (.+))?$/s

const nameOf = ({ sort, order }: Sorting): string => `${sort} ${order}`
const isNewestFirst = (sorting: Sorting): boolean => nameOf(sorting) === nameOf(NEWEST_FIRST)

/** Encodes a cursor, which is opaque to clients. */
export const writeCursor = (
  { exact_created_at, participant_uuid, value = null, reading }: Cursor,
  sorting = NEWEST_FIRST,
): string => {
  const kept = reading ? [value, reading.read_since, reading.is_again] : value
  const list = isNewestFirst(sorting) ? '' : ` ${nameOf(sorting)} ${JSON.stringify(kept)}`
  return Buffer.from(`${exact_created_at} ${participant_uuid}${list}`).toString('base64url')
}

/** Decodes a cursor. Throws a 422 if it is invalid or belongs to another sorting. */
export const readCursor = (cursor: string, sorting = NEWEST_FIRST): Cursor => {
  const [, time = '', participant_uuid = '', list = nameOf(NEWEST_FIRST), json = 'null'] =
    PARTS.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!isTime(time) || !LOWER_UUID.test(participant_uuid)) throw refused()
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

const isText = (value: unknown, max_length: number): value is string =>
  typeof value === 'string' &&
  value.length <= max_length &&
  value.isWellFormed() &&
  !value.includes('\0')

/** Returns true for a value that fits into PostgreSQL's `integer`. */
const isInteger = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31

/** Returns true for milliseconds that PostgreSQL accepts as a time. */
const isMoment = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

/**
 * Returns true for an existing date. `Date` reads the 30th of February as a day in March, but PostgreSQL
 * refuses it.
 */
const isTime = (time: string): boolean =>
  TIME.test(time) &&
  new Date(time).toJSON() === `${time.slice(0, 'YYYY-MM-DDTHH:MM:SS.mmm'.length)}Z`
