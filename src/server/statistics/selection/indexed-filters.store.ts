import { type RawBuilder, sql } from 'kysely'
import { sortParameterNames } from '#domain/questionnaire/parameters.ts'
import type { Db } from '#server/db/database.ts'
import { contactQuery } from '#server/responses/contact-index.ts'

/**
 * Maximum number of matching participants that are selected by id. Above it, participants are scanned from the
 * newest.
 */
const MAX_SELECTED_BY_ID = 2_000
/** Maximum number of participants of a domain to count within the call. */
const MAX_COUNTED = 60_000

/** Escapes a text for use in a LIKE pattern. */
const plain = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** Indexed parts of an address: « exemple.fr » and « dupont@exemple.fr » for anne.dupont@exemple.fr. */
const DOMAIN = sql<string>`split_part(lower(email), '@', 2)`
const LAST_WORD = sql<string>`substring(lower(email) from '^[^@]*[._+-]([^@._+-]+@.*)$')`

/**
 * Returns the indexed expressions that a search text may match from their beginning. A text that begins with @
 * is a domain.
 */
const placesOf = (text: string): RawBuilder<string>[] =>
  text.startsWith('@') ? [DOMAIN] : [sql<string>`lower(email)`, DOMAIN, LAST_WORD]

/** Returns an SQL condition that selects participants by id. */
export const hasParticipantId = (uuids: string[]): RawBuilder<boolean> =>
  sql<boolean>`participant_uuid = any(${uuids}::uuid[])`

/** SQL condition on a row of `responses`, and a function that returns an upper bound of its matches. */
export type Selection = { condition: RawBuilder<boolean>; upperBound: () => Promise<number> }

/** SQL condition on a row of `responses`: its certificate was downloaded or sent, which creates it. */
export const HAS_CERTIFICATE = sql<boolean>`exists (
  select from certificates where certificates.quiz_id = responses.quiz_id
    and certificates.participant_uuid = responses.participant_uuid
)`

const HAS_DOMAIN = sql<boolean>`email is not null`

/** Returns the only domain that begins with the text; undefined if there are several or none. */
const onlyDomain = async (db: Db, quiz_id: string, text: string): Promise<string | undefined> => {
  const start = sql`lower(${text})`
  const next = async (from: RawBuilder<boolean>): Promise<string | undefined> => {
    const { rows } = await sql<{ domain: string; is_match: boolean }>`
      select ${DOMAIN} as domain, starts_with(${DOMAIN}, ${start}) as is_match from responses
      where quiz_id = ${quiz_id} and ${HAS_DOMAIN} and ${from} order by ${DOMAIN} using ~<~ limit 1
    `.execute(db)
    return rows[0]?.is_match ? rows[0].domain : undefined
  }
  const first = await next(sql`${DOMAIN} ~>=~ ${start}`)
  if (first === undefined) return undefined
  return (await next(sql`${DOMAIN} ~>~ ${first}`)) === undefined ? first : undefined
}

/** Selects the participants of a domain. The upper bound counts up to a limit. */
const ofDomain = (db: Db, quiz_id: string, domain: string): Selection => {
  const condition = sql<boolean>`(${HAS_DOMAIN} and ${DOMAIN} = ${domain})`
  const upperBound = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from (
        select from responses where quiz_id = ${quiz_id} and ${condition} limit ${MAX_COUNTED}
      ) as participants
    `.execute(db)
    const count = rows[0]?.count ?? 0
    return count < MAX_COUNTED ? count : Number.POSITIVE_INFINITY
  }
  return { condition, upperBound }
}

/**
 * Returns an SQL condition for participants whose name has words that begin with the words of the text. Case and
 * accents are ignored; digits select phone numbers that begin with them. Uses the index on contact data.
 */
export const hasContact = (quiz_id: string, text: string): RawBuilder<boolean> => {
  const query = contactQuery(quiz_id, text)
  return query === undefined
    ? sql<boolean>`false`
    : sql<boolean>`(contact_words is not null and contact_words @@ ${query}::tsquery)`
}

/**
 * Selects the participants whose address, domain or last word before the @ begins with the text. Also selects those
 * whose contact data match. Few matches are selected by participant id; many are scanned with a condition on each row.
 */
export const filterByPerson = async (db: Db, quiz_id: string, text: string): Promise<Selection> => {
  const domain = text.startsWith('@') ? await onlyDomain(db, quiz_id, text.slice(1)) : undefined
  if (domain !== undefined) return ofDomain(db, quiz_id, domain)
  const places = placesOf(text)
  const start = `${plain(text.replace(/^@/, ''))}%`
  // Words of a name contain no @.
  const contact = text.includes('@') ? [] : [hasContact(quiz_id, text)]
  const begins = places.map(
    (place) =>
      sql<boolean>`email is not null and ${place} is not null and ${place} like lower(${start})`,
  )
  const parts = [...begins, ...contact].map(
    (condition) => sql`(
      select participant_uuid from responses where quiz_id = ${quiz_id} and ${condition}
      limit ${MAX_SELECTED_BY_ID + 1}
    )`,
  )
  const { rows } = await sql<{ participant_uuid: string }>`
    select participant_uuid from (${sql.join(parts, sql` union `)}) as participants limit ${MAX_SELECTED_BY_ID + 1}
  `.execute(db)
  if (rows.length <= MAX_SELECTED_BY_ID) {
    const uuids = rows.map(({ participant_uuid }) => participant_uuid)
    return { condition: hasParticipantId(uuids), upperBound: async () => uuids.length }
  }
  // `coalesce` prevents the use of an index, so that the newest rows are scanned instead of sorting all. The
  // first comparison is cheap and excludes most rows.
  const anyPlace = sql.join(
    places.map((place) => sql`${place} like lower(${start})`),
    sql` or `,
  )
  const addressed = sql`lower(email) like lower(${`%${plain(text.replace(/^@/, ''))}%`}) and (${anyPlace})`
  const condition = sql<boolean>`coalesce(
    ${sql.join([sql`coalesce(${addressed}, false)`, ...contact], sql` or `)}, false
  )`
  return { condition, upperBound: async () => Number.POSITIVE_INFINITY }
}

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
    return { condition, upperBound: any }
  }
  const condition = sql<boolean>`(parameters @> ${JSON.stringify({ [name]: value })}::jsonb) is true`
  const count = await countOf(db, quiz_id, [name, value])
  if (count !== undefined && count > MAX_SELECTED_BY_ID)
    return { condition, upperBound: async () => count }
  const indexed = JSON.stringify({ [quiz_id]: { [name]: value } })
  const { rows } = await sql<{ participant_uuid: string }>`
    select participant_uuid from responses
    where quiz_id = ${quiz_id} and parameters is not null
      and jsonb_set('{}', array[quiz_id::text], parameters) @> ${indexed}::jsonb
    limit ${MAX_SELECTED_BY_ID + 1}
  `.execute(db)
  if (rows.length > MAX_SELECTED_BY_ID) return { condition, upperBound: any }
  const uuids = rows.map(({ participant_uuid }) => participant_uuid)
  return { condition: hasParticipantId(uuids), upperBound: async () => uuids.length }
}
