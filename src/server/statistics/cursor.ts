import { invalid } from '#server/http/errors.ts'
import { isLowerUuid } from '#server/uuid.ts'
import type { Cursor } from './responses.store.ts'

const TIME = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/

/** A cursor as clients carry it, opaque to them. */
export const writeCursor = ({ exact_created_at, participant_uuid }: Cursor): string =>
  Buffer.from(`${exact_created_at} ${participant_uuid}`).toString('base64url')

/** The place a cursor names; 422 when it is none of ours. */
export const readCursor = (cursor: string): Cursor => {
  const [time = '', participant_uuid = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!isTime(time) || !isLowerUuid(participant_uuid)) throw invalid('Valeur refusée', 'cursor')
  return { exact_created_at: time, participant_uuid }
}

/** A moment that exists: the 30th of February, which Date takes for a day of March, is none to PostgreSQL. */
const isTime = (time: string): boolean =>
  TIME.test(time) &&
  new Date(time).toJSON() === `${time.slice(0, 'YYYY-MM-DDTHH:MM:SS.mmm'.length)}Z`
