import type pg from 'pg'
import {
  type CounterFamily,
  countRows,
  FAMILIES,
  type Figure,
  PARTICIPANTS,
  sourcesOf,
} from '#server/db/counter-families.ts'

/** Counter whose value differs from a recount of the participants. */
export type Difference = {
  quiz_id: string
  figure: Figure | 'participants' | 'deliveries'
  /** Key of the counter, for example a version, a rank or a day. */
  key: string
  stored: number
  recounted: number
}

/** Counters that the triggers of `deliveries` keep (db/migrations/001_base.sql). */
const DELIVERIES: CounterFamily = {
  table: 'delivery_counts',
  source: 'participants',
  key: { connection_id: 'connection_id', provider: 'provider', status: 'status' },
}

const CHECKED_COUNTERS: [Difference['figure'], CounterFamily, string][] = [
  ['participants', PARTICIPANTS, 'responses'],
  ...FAMILIES.map(([figure, family]): [Figure, CounterFamily, string] => [
    figure,
    family,
    'responses',
  ]),
  ['deliveries', DELIVERIES, 'deliveries'],
]

const keyOf = ({ key }: CounterFamily): string => `concat_ws('/', ${Object.keys(key).join(', ')})`
const storedCounts = CHECKED_COUNTERS.map(
  ([figure, family]) => `
  select quiz_id, '${figure}' as figure, ${keyOf(family)} as key,
    ${family.counted_in ?? 'count'} as count
  from ${family.table}`,
)
const recounts = CHECKED_COUNTERS.map(
  ([figure, family, rows]) => `
  select quiz_id, '${figure}' as figure, ${keyOf(family)} as key, count
  from (${countRows(family, sourcesOf(rows, 'version_questions'))}) as counts`,
)

const VERIFY = `
with stored_counts as (${storedCounts.join(' union all')}
), recounts as (${recounts.join(' union all')}
)
select quiz_id, figure, key,
  coalesce(stored_counts.count, 0)::integer as stored,
  coalesce(recounts.count, 0)::integer as recounted
from stored_counts full join recounts using (quiz_id, figure, key)
where coalesce(stored_counts.count, 0) <> coalesce(recounts.count, 0)
  and ($1::uuid is null or quiz_id = $1)
order by quiz_id, figure, key
limit 1000
`

/**
 * Recounts all stored participants in one database snapshot, and returns the counters that differ. Checks one
 * quiz, or all quizzes without `quiz_id`.
 */
export const findDifferences = async (
  connection: pg.Pool | pg.Client,
  quiz_id: string | null = null,
): Promise<Difference[]> => {
  const { rows } = await connection.query<Difference>(VERIFY, [quiz_id])
  return rows
}
