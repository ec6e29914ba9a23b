import { type RawBuilder, sql } from 'kysely'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import {
  MAX_FREQUENT_TEXTS,
  MAX_MONTHS,
  type TextCount,
} from '#domain/statistics/question-figures.ts'
import {
  countRows,
  dimensionRows,
  PARTICIPANT_COLUMNS,
  PARTICIPANTS,
  parameterRows,
  type Sources,
} from '#server/db/counter-families.ts'
import type { Db } from '#server/db/database.ts'
import {
  type CountRow,
  type Counts,
  countsOf,
  listCounts,
  MONTH_OF_DAY,
  READ_WHOLE,
  selectCounts,
  textQuestions,
} from '#server/statistics/counters/counters.store.ts'
import type { Condition } from '#server/statistics/selection/participant-filters.ts'

/** SQL for the participants of a selection, read once, and the questions of their versions. */
const selectionTables = (quiz_id: string, condition: Condition) => sql`
  quiz_questions as materialized (
    select version, rank, is_choice, question_id, question_position
    from version_questions where quiz_id = ${quiz_id}
  ), selected_participants as materialized (
    select ${sql.raw(PARTICIPANT_COLUMNS)} from responses where quiz_id = ${quiz_id} and ${condition}
  )`

/**
 * SQL source of choices. Answers are grouped before their questions are joined, because there are few groups
 * for a million rows.
 */
const CHOICES = `(
    select version, question_position, answer as answer_position, count
    from (
      select version, rank, answer, count(*) as count from selected_participants
      cross join lateral unnest(choices) with ordinality as choice(answer, rank)
      group by 1, 2, 3
    ) as rank_counts join quiz_questions using (version, rank) where is_choice
  ) as choices`
const SOURCES: Sources = {
  participants: { from: 'selected_participants' },
  choices: { from: CHOICES, count: 'sum(count)::bigint' },
  texts: { from: 'text_frequencies', count: 'sum(count)::bigint' },
  parameters: parameterRows('selected_participants', []),
  dimensions: dimensionRows('selected_participants', []),
}

const countsText = (time_zone: string): string =>
  [['participants', PARTICIPANTS] as const, ...READ_WHOLE]
    .map(([figure, family]) => {
      const from = `(${countRows(family, SOURCES, [])}) as counts`
      return selectCounts(figure, family, { from, time_zone })
    })
    .join('\nunion all\n')

/**
 * SQL for the number of times each text was given to each open question, or each month to each date question.
 * `condition` restricts the texts.
 */
const textFrequencies = ({
  condition = sql`true`,
  dates = [],
}: {
  condition?: RawBuilder<unknown>
  dates?: string[]
}) => sql`
  text_frequencies as (
    select question_id, ${dates.length > 0 ? monthsOf(dates) : sql`text`} as text, sum(count)::bigint as count
    from (
      select version, rank, text, count(*) as count from selected_participants
      cross join lateral unnest(texts) with ordinality as reply(text, rank)
      where ${condition}
      group by 1, 2, 3
    ) as rank_counts
    join quiz_questions using (version, rank)
    where not is_choice and text <> ''
    group by 1, 2
  )`

const monthsOf = (dates: readonly string[]) => sql`
  case when question_id = any(${dates}::uuid[]) then ${MONTH_OF_DAY} else text end`

/**
 * Counts the participants that match the condition. The counts have the same form as the counters of all
 * participants.
 */
export const countSelected = async (
  db: Db,
  { quiz_id, condition, time_zone }: { quiz_id: string; condition: Condition; time_zone: string },
  versions: readonly AnsweredVersion[],
): Promise<Counts> => {
  const { dates } = textQuestions(versions)
  const { rows } = await sql<CountRow>`
    with ${selectionTables(quiz_id, condition)}, ${textFrequencies({ dates })}, ranked_texts as (
      select *, row_number() over (partition by question_id order by count desc, text collate "C") as rank,
        sum(count - 1) over (partition by question_id) as repeated
      from text_frequencies
    )
    ${sql.raw(countsText(time_zone))}
    union all
    select 'texts', json_build_object(
      'question_id', question_id, 'text', text, 'repeated', case when rank = 1 then repeated end
    ), count from ranked_texts
      where rank <= ${MAX_FREQUENT_TEXTS}
        or rank <= ${MAX_MONTHS} and question_id = any(${dates}::uuid[])
  `.execute(db)
  const participants = new Map(
    listCounts<{ version: number; count: number }>(rows, 'participants').map((row) => [
      row.version,
      row.count,
    ]),
  )
  const texts = listCounts<TextCount & { repeated: number | null }>(rows, 'texts')
  const answeredVersions = versions.map((version) => ({
    ...version,
    nb_responses: participants.get(version.version) ?? 0,
  }))
  return {
    ...countsOf(rows),
    versions: answeredVersions.filter(({ nb_responses }) => nb_responses > 0),
    texts: texts
      .map(({ question_id, text, count }) => ({ question_id, text, count }))
      .sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1)),
    repeats: texts.flatMap(({ question_id, repeated: count }) =>
      count === null ? [] : { question_id, count },
    ),
  }
}

/** Searches the texts of open questions among the selected participants, most frequent first. */
export const searchSelected = async (
  db: Db,
  { quiz_id, condition }: { quiz_id: string; condition: Condition },
  {
    question_ids,
    search,
    limit,
  }: { question_ids: readonly string[]; search: string; limit: number },
): Promise<TextCount[]> => {
  const { rows } = await sql<TextCount>`
    with ${selectionTables(quiz_id, condition)},
    ${textFrequencies(search === '' ? {} : { condition: sql`strpos(lower(text), lower(${search})) > 0` })},
    ranked_texts as (
      select *, row_number() over (partition by question_id order by count desc, text collate "C") as rank
      from text_frequencies where question_id = any(${question_ids}::uuid[])
    )
    select question_id, text, count from ranked_texts where rank <= ${limit} order by rank
  `.execute(db)
  return rows
}
