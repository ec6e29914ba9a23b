import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Beyond so many addresses the newest participants are looked through instead. */
const MOST_FOUND = 2_000

/** A pattern of LIKE in which the text stands for itself. */
const plain = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** As the indexes have them: « exemple.fr » and « dupont@exemple.fr » of anne.dupont@exemple.fr. */
const DOMAIN = sql<string>`split_part(lower(email), '@', 2)`
const LAST_WORD = sql<string>`substring(lower(email) from '^[^@]*[._+-]([^@._+-]+@.*)$')`

/** What an address may be found by: each has an index. Text that begins with @ is that of a domain. */
const beginningsOf = (text: string): RawBuilder<boolean>[] => {
  const start = `${plain(text.replace(/^@/, ''))}%`
  const ofDomain = sql<boolean>`(email is not null and ${DOMAIN} like lower(${start}))`
  if (text.startsWith('@')) return [ofDomain]
  return [
    sql<boolean>`(email is not null and lower(email) like lower(${start}))`,
    ofDomain,
    sql<boolean>`(email is not null and ${LAST_WORD} is not null and ${LAST_WORD} like lower(${start}))`,
  ]
}

/**
 * The participants whose address begins so, or its domain, or the last word before the @: by name where
 * they are few, which every index finds, else as a condition on each row.
 */
export const addressedTo = async (
  db: Db,
  quiz_id: string,
  text: string,
): Promise<RawBuilder<boolean>> => {
  const beginnings = beginningsOf(text)
  const parts = beginnings.map(
    (beginning) => sql`(
      select participant_uuid from responses where quiz_id = ${quiz_id} and ${beginning}
      limit ${MOST_FOUND + 1}
    )`,
  )
  const { rows } = await sql<{ participant_uuid: string }>`
    select participant_uuid from (${sql.join(parts, sql` union `)}) as found limit ${MOST_FOUND + 1}
  `.execute(db)
  if (rows.length <= MOST_FOUND) {
    const uuids = rows.map(({ participant_uuid }) => participant_uuid)
    return sql<boolean>`participant_uuid = any(${uuids}::uuid[])`
  }
  // Most rows are refused by the first look, which costs least.
  return sql<boolean>`(
    lower(email) like lower(${`%${plain(text)}%`}) and (${sql.join(beginnings, sql` or `)})
  )`
}
