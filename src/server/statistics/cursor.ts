import { NEWEST_FIRST, type ParticipantSort, type Sorting } from '#domain/participant-sort.ts'
import { LIMITS } from '#domain/vocabulary.ts'
import { invalid } from '#server/http/errors.ts'
import { isLowerUuid } from '#server/uuid.ts'
import type { Cursor, SortValue } from './responses.store.ts'

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
