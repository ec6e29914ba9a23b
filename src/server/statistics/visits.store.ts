import { sql } from 'kysely'
import type { StepCount } from '#domain/visits.ts'
import type { Db } from '#server/db/database.ts'

/** Days of Paris, both included; absent: no matter. */
export type Days = { from: string | undefined; to: string | undefined }

/** How far visits of a version came, and how many participants it has, on these days. */
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

/** The versions with visits or participants on these days, newest first. */
export const listVisitedVersions = async (
  db: Db,
  quiz_id: string,
  { from = '-infinity', to = 'infinity' }: Days,
): Promise<VisitedVersion[]> => {
  const { rows } = await sql<VisitedVersion>`
    with finished as (
      select version, sum(count)::integer as count from day_counts
      where quiz_id = ${quiz_id} and day between ${from}::date and ${to}::date group by version
    ), counted as (
      select version, step, sum(count)::integer as count from visit_counts
      where quiz_id = ${quiz_id} and day between ${from}::date and ${to}::date group by 1, 2
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
