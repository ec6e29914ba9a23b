import { sql } from 'kysely'
import type { ConfirmationState } from '#domain/confirmations/confirmation.ts'
import type { TierPlace } from '#domain/statistics/dimension-figures.ts'
import type { AnswerPlace, MomentRange } from '#domain/statistics/filter-choices.ts'
import type { Db } from '#server/db/database.ts'
import { isWithin } from '#server/statistics/counters/counters.store.ts'

/** Position of a result in a version. */
export type ResultPlace = { version: number; result_position: number }

type Sum = { count: number }
const sumOf = (rows: readonly Sum[]): number => rows[0]?.count ?? 0

/** Returns how many participants got a result, from the counters. */
export const countEndedOn = async (
  db: Db,
  quiz_id: string,
  places: readonly ResultPlace[],
): Promise<number> => {
  const { rows } = await sql<Sum>`
    select coalesce(sum(count), 0)::bigint as count from result_counts
    where quiz_id = ${quiz_id} and (version, result_position) in (
      select * from jsonb_to_recordset(${JSON.stringify(places)}::jsonb)
        as place(version integer, result_position smallint)
    )
  `.execute(db)
  return sumOf(rows)
}

/** Returns how often the answers of each question were chosen, from the counters. */
export const countChosen = async (
  db: Db,
  quiz_id: string,
  places: readonly AnswerPlace[],
): Promise<Map<string, number>> => {
  const { rows } = await sql<Sum & { question_id: string }>`
    select question_id, coalesce(sum(count), 0)::bigint as count
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as place(
      question_id uuid, version integer, question_position smallint, answer_position smallint
    ) left join choice_counts as kept on quiz_id = ${quiz_id} and kept.version = place.version
      and kept.question_position = place.question_position
      and kept.answer_position = place.answer_position
    group by 1
  `.execute(db)
  return new Map(rows.map(({ question_id, count }) => [question_id, count]))
}

/** Returns how many participants were shown the tiers at these places, from the counters. */
export const countInTiers = async (
  db: Db,
  quiz_id: string,
  places: readonly TierPlace[],
): Promise<number> => {
  const { rows } = await sql<Sum>`
    select coalesce(sum(count), 0)::bigint as count
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb)
      as place(version integer, rank smallint, percents smallint[])
    join dimension_counts as kept on quiz_id = ${quiz_id} and kept.version = place.version
      and kept.rank = place.rank and kept.percent = any(percents)
  `.execute(db)
  return sumOf(rows)
}

/** Returns the number of participants between two moments, from the counters of each quarter of an hour. */
export const countBetween = async (
  db: Db,
  quiz_id: string,
  moments: MomentRange,
): Promise<number> => {
  const { rows } = await sql<Sum>`
    select coalesce(sum(count), 0)::bigint as count from quarter_counts
    where quiz_id = ${quiz_id} and ${isWithin(moments) ?? sql`true`}
  `.execute(db)
  return sumOf(rows)
}

/** Returns how many certificates of a quiz were downloaded or sent. */
export const countCertificates = async (db: Db, quiz_id: string): Promise<number> => {
  const { rows } = await sql<Sum>`
    select count(*)::bigint as count from certificates where quiz_id = ${quiz_id}
  `.execute(db)
  return sumOf(rows)
}

/** Counts the participants of a quiz who were asked to confirm their address, by state. */
export const countConfirmations = async (
  db: Db,
  quiz_id: string,
): Promise<Partial<Record<ConfirmationState, number>>> => {
  const { rows } = await sql<{ state: ConfirmationState; count: number }>`
    select email_confirmation as state, sum(count)::integer as count from confirmation_counts
    where quiz_id = ${quiz_id} group by 1 order by 1
  `.execute(db)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
