import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Above this number of addresses the newest participants are scanned instead. */
const MOST_FOUND = 2_000
/** Above this number of participants of a domain the figures are counted behind the answer. */
const MAX_TRACKED_KEYS = 60_000

/** A pattern of LIKE in which the text stands for itself. */
const plain = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** As the indexes have them: « exemple.fr » and « dupont@exemple.fr » of anne.dupont@exemple.fr. */
const DOMAIN = sql<string>`split_part(lower(email), '@', 2)`
const LAST_WORD = sql<string>`substring(lower(email) from '^[^@]*[._+-]([^@._+-]+@.*)$')`

/** The parts of an address that a search may begin: each has an index. Text that begins with @ is a domain. */
const placesOf = (text: string): RawBuilder<string>[] =>
  text.startsWith('@') ? [DOMAIN] : [sql<string>`lower(email)`, DOMAIN, LAST_WORD]

/** These participants alone. */
export const named = (uuids: string[]): RawBuilder<boolean> =>
  sql<boolean>`participant_uuid = any(${uuids}::uuid[])`

/** A condition on a row of `responses`, and the most participants it may select. */
export type Selection = { condition: RawBuilder<boolean>; most: () => Promise<number> }

const HAS_DOMAIN = sql<boolean>`email is not null`

/** The one domain that begins so; undefined when there are several, or none. */
const onlyDomain = async (db: Db, quiz_id: string, text: string): Promise<string | undefined> => {
  const start = sql`lower(${text})`
  const next = async (from: RawBuilder<boolean>): Promise<string | undefined> => {
    const { rows } = await sql<{ domain: string; is_so: boolean }>`
      select ${DOMAIN} as domain, starts_with(${DOMAIN}, ${start}) as is_so from responses
      where quiz_id = ${quiz_id} and ${HAS_DOMAIN} and ${from} order by ${DOMAIN} using ~<~ limit 1
    `.execute(db)
    return rows[0]?.is_so ? rows[0].domain : undefined
  }
  const first = await next(sql`${DOMAIN} ~>=~ ${start}`)
  if (first === undefined) return undefined
  return (await next(sql`${DOMAIN} ~>~ ${first}`)) === undefined ? first : undefined
}

/** The participants with this domain; counted up to the limit only. */
const ofDomain = (db: Db, quiz_id: string, domain: string): Selection => {
  const condition = sql<boolean>`(${HAS_DOMAIN} and ${DOMAIN} = ${domain})`
  const most = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from (
        select from responses where quiz_id = ${quiz_id} and ${condition} limit ${MAX_TRACKED_KEYS}
      ) as found
    `.execute(db)
    const count = rows[0]?.count ?? 0
    return count < MAX_TRACKED_KEYS ? count : Number.POSITIVE_INFINITY
  }
  return { condition, most }
}

/**
 * The participants whose address begins so, or its domain, or the last word before the @: by their domain
 * where that alone is asked for, by name where they are few, which every index finds, else as a condition
 * on each row.
 */
export const filterByAddress = async (
  db: Db,
  quiz_id: string,
  text: string,
): Promise<Selection> => {
  const domain = text.startsWith('@') ? await onlyDomain(db, quiz_id, text.slice(1)) : undefined
  if (domain !== undefined) return ofDomain(db, quiz_id, domain)
  const places = placesOf(text)
  const start = `${plain(text.replace(/^@/, ''))}%`
  const parts = places.map(
    (place) => sql`(
      select participant_uuid from responses where quiz_id = ${quiz_id}
        and email is not null and ${place} is not null and ${place} like lower(${start})
      limit ${MOST_FOUND + 1}
    )`,
  )
  const { rows } = await sql<{ participant_uuid: string }>`
    select participant_uuid from (${sql.join(parts, sql` union `)}) as found limit ${MOST_FOUND + 1}
  `.execute(db)
  if (rows.length <= MOST_FOUND) {
    const uuids = rows.map(({ participant_uuid }) => participant_uuid)
    return { condition: named(uuids), most: async () => uuids.length }
  }
  // `coalesce` keeps the planner from an index and makes it expect that half of the rows match: it scans the
  // newest rather than sorting all. The first, cheapest comparison refuses most of the others.
  const begins = places.map((place) => sql`${place} like lower(${start})`)
  const condition = sql<boolean>`coalesce(
    lower(email) like lower(${`%${plain(text.replace(/^@/, ''))}%`}) and (${sql.join(begins, sql` or `)}),
    false
  )`
  return { condition, most: async () => Number.POSITIVE_INFINITY }
}
