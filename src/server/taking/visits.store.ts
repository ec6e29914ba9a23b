import type pg from 'pg'
import { quarterOf } from '#server/db/counter-families.ts'

/** How many more visits came to a step of a version. */
export type VisitCount = { quiz_id: string; version: number; step: number; count: number }

/** Quizzes are locked before anything is written, and rows taken in a fixed order, as submissions do. */
const STORE = `
with input as (
  select * from json_to_recordset($1::json)
    as row(quiz_id uuid, version integer, step smallint, count bigint)
), open as (
  select id from quizzes where id in (select quiz_id from input) order by id for key share
)
insert into visit_counts (quiz_id, version, quarter, step, count)
select input.quiz_id, version, ${quarterOf('now()')}, step, count
from input join open on open.id = input.quiz_id
order by 1, 2, 3, 4
on conflict (quiz_id, version, quarter, step) do update set count = visit_counts.count + excluded.count
`

/** Adds these counts to those of this quarter of an hour, all or nothing. Counts of deleted quizzes are ignored. */
export const storeVisits = async (pool: pg.Pool, counts: readonly VisitCount[]): Promise<void> => {
  await pool.query({ name: 'store-visits', text: STORE, values: [JSON.stringify(counts)] })
}
