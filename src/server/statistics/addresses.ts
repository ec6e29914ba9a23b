import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Beyond so many addresses the newest participants are looked through instead. */
const MOST_FOUND = 2_000

/** A pattern of LIKE in which the text stands for itself. */
const plain = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** As the indexes have them: « exemple.fr » and « dupont@exemple.fr » of anne.dupont@exemple.fr. */
const DOMAIN = sql<string>`split_part(lower(email), '@', 2)`
const LAST_WORD = sql<string>`substring(lower(email) from '^[^@]*[._+-]([^@._+-]+@.*)$')`

/** What may begin so: each has an index. Text that begins with @ is that of a domain. */
const placesOf = (text: string): RawBuilder<string>[] =>
  text.startsWith('@') ? [DOMAIN] : [sql<string>`lower(email)`, DOMAIN, LAST_WORD]

/** These participants alone. */
export const named = (uuids: string[]): RawBuilder<boolean> =>
  sql<boolean>`participant_uuid = any(${uuids}::uuid[])`

/** A condition on a row of `responses`, and how many it leaves at most. */
export type Selection = { condition: RawBuilder<boolean>; most: number }

/**
 * The participants whose address begins so, or its domain, or the last word before the @: by name where
 * they are few, which every index finds, else as a condition on each row.
 */
export const addressedTo = async (db: Db, quiz_id: string, text: string): Promise<Selection> => {
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
    return { condition: named(uuids), most: uuids.length }
  }
  // Under coalesce no index is thought of, and one in two is expected to match: the newest are looked
  // through, rather than all gathered and sorted. Most others are refused by the first look, the cheapest.
  const begins = places.map((place) => sql`${place} like lower(${start})`)
  const condition = sql<boolean>`coalesce(
    lower(email) like lower(${`%${plain(text.replace(/^@/, ''))}%`}) and (${sql.join(begins, sql` or `)}),
    false
  )`
  return { condition, most: Number.POSITIVE_INFINITY }
}
