import { sql } from 'kysely'
import { MOST_SECONDS } from '#domain/durations.ts'
import { MOST_FREQUENT_TEXTS, type TakenVersion, type TextCount } from '#domain/statistics.ts'
import type { Db } from '#server/db/database.ts'
import type { Counts } from './counters.store.ts'
import type { Condition } from './matching.ts'

type Row = {
  kind: 'version' | 'choice' | 'result' | 'score' | 'day' | 'duration' | 'consent' | 'text'
  version: number
  place: number
  rank: number
  text: string
  question_id: string
  count: number
}

/** What a chosen view is counted from: its participants, read once. */
const matching = (quiz_id: string, condition: Condition) => sql`
  matching as materialized (
    select version, (created_at at time zone 'Europe/Paris')::date as day,
      result_position, score, consent_version, choices, texts,
      least(elapsed_seconds, ${sql.lit(MOST_SECONDS)}) as seconds
    from responses where quiz_id = ${quiz_id} and ${condition}
  )`

/** How often each text was given to each open question; of all texts, or of those that this leaves. */
const typed = (quiz_id: string, wanted = sql`true`) => sql`
  typed as (
    select question_id, text, sum(count)::bigint as count
    from (
      select version, rank, text, count(*) as count from matching
      cross join lateral unnest(texts) with ordinality as given(text, rank)
      where ${wanted}
      group by 1, 2, 3
    ) as given
    join version_questions using (version, rank)
    where quiz_id = ${quiz_id} and not is_choice
    group by 1, 2
  )`

/** The counters as they would be, had the participants that the condition leaves been the only ones. */
export const countMatching = async (
  db: Db,
  { quiz_id, condition }: { quiz_id: string; condition: Condition },
  versions: readonly TakenVersion[],
): Promise<Counts> => {
  const { rows } = await sql<Row>`
    with ${matching(quiz_id, condition)}, ${typed(quiz_id)}, ranked as (
      select *, row_number() over (partition by question_id order by count desc, text collate "C") as rank
      from typed
    )
    select 'version' as kind, version, null::integer as place, null::integer as rank,
      null as text, null::uuid as question_id, count(*) as count from matching group by version
    union all
    select 'choice', version, place, answer, null, null, count(*) from matching
      cross join lateral unnest(choices) with ordinality as chosen(answer, place) group by 2, 3, 4
    union all
    select 'result', version, result_position, null, null, null, count(*) from matching
      where result_position is not null group by 2, 3
    union all
    select 'score', null, score, null, null, null, count(*) from matching
      where score is not null group by 3
    union all
    select 'day', null, null, null, day::text, null, count(*) from matching group by 5
    union all
    select 'duration', null, seconds, null, null, null, count(*) from matching
      where seconds is not null group by 3
    union all
    select 'consent', null, consent_version, null, null, null, count(*) from matching
      where consent_version is not null group by 3
    union all
    select 'text', null, null, null, text, question_id, count from ranked
      where rank <= ${MOST_FREQUENT_TEXTS}
  `.execute(db)
  const of = (kind: Row['kind']): Row[] => rows.filter((row) => row.kind === kind)
  const participants = new Map(of('version').map(({ version, count }) => [version, count]))
  const taken = versions.map((one) => ({
    ...one,
    nb_responses: participants.get(one.version) ?? 0,
  }))
  const places = new Map(taken.map((one) => [one.version, choicePlaces(one)]))
  return {
    versions: taken.filter(({ nb_responses }) => nb_responses > 0),
    choices: of('choice').map(({ version, place, rank, count }) => ({
      version,
      question_position: places.get(version)?.[place - 1] ?? -1,
      answer_position: rank,
      count,
    })),
    texts: of('text').sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1)),
    results: of('result').map(({ version, place, count }) => ({
      version,
      result_position: place,
      count,
    })),
    scores: of('score').map(({ place, count }) => ({ score: place, count })),
    consents: of('consent').map(({ place, count }) => ({ consent_version: place, count })),
    days: of('day').map(({ text, count }) => ({ day: text, count })),
    durations: of('duration').map(({ place, count }) => ({ seconds: place, count })),
  }
}

/** Where the multiple-choice questions of a version stand among all of its questions. */
const choicePlaces = ({ snapshot }: TakenVersion): number[] =>
  snapshot.questions
    .filter(({ type }) => type === 'multiple_choice')
    .map(({ position }) => position)

/** The texts given to these open questions, of each the most frequent, that contain these words. */
export const searchMatching = async (
  db: Db,
  { quiz_id, condition }: { quiz_id: string; condition: Condition },
  { question_ids, search, most }: { question_ids: readonly string[]; search: string; most: number },
): Promise<TextCount[]> => {
  const { rows } = await sql<TextCount>`
    with ${matching(quiz_id, condition)},
    ${typed(quiz_id, search === '' ? undefined : sql`strpos(lower(text), lower(${search})) > 0`)},
    ranked as (
      select *, row_number() over (partition by question_id order by count desc, text collate "C") as rank
      from typed where question_id = any(${question_ids}::uuid[])
    )
    select question_id, text, count from ranked where rank <= ${most} order by rank
  `.execute(db)
  return rows
}
