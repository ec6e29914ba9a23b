import { type RawBuilder, sql } from 'kysely'
import type { MomentRange } from '#domain/time-zone.ts'
import type { StepCount } from '#domain/visits.ts'
import type { Db } from '#server/db/database.ts'

/** Steps that visits of a version reached, and number of its participants, between two moments. */
export type VisitedVersion = {
  version: number
  nb_pages: number
  nb_participants: number
  /** Whether its answers lead past pages. */
  has_jumps: boolean
  steps: StepCount[]
}

/** Only the newest versions are shown; older ones are found by their days. */
const MOST_VERSIONS = 20

/** Returns the SQL that is true for a quarter of an hour between two moments; undefined without limits. */
export const isWithin = ({ from, before }: MomentRange): RawBuilder<boolean> | undefined =>
  from === undefined && before === undefined
    ? undefined
    : sql<boolean>`quarter >= ${from ?? '-infinity'}::timestamptz and quarter < ${before ?? 'infinity'}::timestamptz`

/** Lists the versions with visits or participants between these moments, newest first. */
export const listVisitedVersions = async (
  db: Db,
  quiz_id: string,
  moments: MomentRange,
): Promise<VisitedVersion[]> => {
  const within = isWithin(moments)
  const visits = sql.raw(within ? 'visit_counts' : 'visit_step_counts')
  const { rows } = await sql<VisitedVersion>`
    with finished as (
      select version, sum(count)::integer as count from quarter_counts
      where quiz_id = ${quiz_id} and ${within ?? sql`true`} group by version
    ), counted as (
      select version, step, sum(count)::integer as count from ${visits}
      where quiz_id = ${quiz_id} and ${within ?? sql`true`} group by 1, 2
    ), visited as (
      select version, json_agg(json_build_object('step', step, 'count', count)) as steps
      from counted where count > 0 group by version
    )
    select version, coalesce(finished.count, 0) as nb_participants, coalesce(steps, '[]') as steps,
      (
        select count(distinct item -> 'page_number')::integer
        from jsonb_array_elements((snapshot -> 'questions') || (snapshot -> 'text_blocks')) as item
      ) as nb_pages,
      jsonb_path_exists(snapshot, '$.questions[*].answers[*].jump_to') as has_jumps
    from quiz_versions left join finished using (version) left join visited using (version)
    where quiz_id = ${quiz_id} and (finished.count > 0 or steps is not null)
    order by version desc
    limit ${MOST_VERSIONS}
  `.execute(db)
  return rows
}
