import type pg from 'pg'
import { MOST_SECONDS } from '#domain/durations.ts'

/** One figure that is not what a recount of the participants gives. */
export type Difference = {
  quiz_id: string
  figure:
    | 'participants'
    | 'choices'
    | 'texts'
    | 'results'
    | 'scores'
    | 'days'
    | 'durations'
    | 'consents'
    | 'deliveries'
  /** Which one: a version, a rank, a day. */
  key: string
  kept: number
  recounted: number
}

const VERIFY = `
with kept as (
  select quiz_id, 'participants' as figure, version::text as key, nb_responses as count
  from quiz_versions
  union all
  select quiz_id, 'choices', concat_ws('/', version, question_position, answer_position), count
  from choice_counts
  union all
  select quiz_id, 'texts', concat_ws('/', question_id, encode(digest, 'hex')), count
  from text_counts
  union all
  select quiz_id, 'results', concat_ws('/', version, result_position), count from result_counts
  union all
  select quiz_id, 'scores', score::text, count from score_counts
  union all
  select quiz_id, 'days', concat_ws('/', version, day), count from day_counts
  union all
  select quiz_id, 'durations', seconds::text, count from duration_counts
  union all
  select quiz_id, 'consents', consent_version::text, count from consent_counts
  union all
  select quiz_id, 'deliveries', concat_ws('/', provider, status), count from delivery_counts
), recounted as (
  select quiz_id, 'participants' as figure, version::text as key, count(*) from responses group by 1, 3
  union all
  select quiz_id, 'choices', concat_ws('/', version, question_position, chosen.answer), count(*)
  from responses
  cross join lateral unnest(choices) with ordinality as chosen(answer, rank)
  left join version_questions asked using (quiz_id, version, rank)
  where asked.is_choice is not false
  group by 1, 3
  union all
  select quiz_id, 'texts',
    concat_ws('/', question_id, encode(sha256(convert_to(typed.text, 'UTF8')), 'hex')), count(*)
  from responses
  cross join lateral unnest(texts) with ordinality as typed(text, rank)
  left join version_questions asked using (quiz_id, version, rank)
  where asked.is_choice is not true
  group by 1, 3
  union all
  select quiz_id, 'results', concat_ws('/', version, result_position), count(*)
  from responses where result_position is not null group by 1, 3
  union all
  select quiz_id, 'scores', score::text, count(*)
  from responses where score is not null group by 1, 3
  union all
  select quiz_id, 'days', concat_ws('/', version, (created_at at time zone 'Europe/Paris')::date),
    count(*)
  from responses group by 1, 3
  union all
  select quiz_id, 'durations', least(elapsed_seconds, ${MOST_SECONDS})::text, count(*)
  from responses where elapsed_seconds is not null group by 1, 3
  union all
  select quiz_id, 'consents', consent_version::text, count(*)
  from responses where consent_version is not null group by 1, 3
  union all
  select quiz_id, 'deliveries', concat_ws('/', provider, status), count(*)
  from deliveries group by 1, 3
)
select quiz_id, figure, key,
  coalesce(kept.count, 0)::integer as kept, coalesce(recounted.count, 0)::integer as recounted
from kept full join recounted using (quiz_id, figure, key)
where coalesce(kept.count, 0) <> coalesce(recounted.count, 0)
  and ($1::uuid is null or quiz_id = $1)
order by quiz_id, figure, key
limit 1000
`

/**
 * Counts every stored participant again, on one state of the database, and gives the kept figures that
 * differ: none. Of one quiz, or of all.
 */
export const findDifferences = async (
  connection: pg.Pool | pg.Client,
  quiz_id: string | null = null,
): Promise<Difference[]> => {
  const { rows } = await connection.query<Difference>(VERIFY, [quiz_id])
  return rows
}
