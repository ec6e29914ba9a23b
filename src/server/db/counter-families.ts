import { MAX_DURATION_S } from '#domain/statistics/key-figures.ts'

/**
 * What a counter counts: participants, the choices that they made, the texts that they typed, or the parameters that
 * they came with. The
 * expressions of a family may use the columns of its source:
 * - participants: the columns of PARTICIPANT_COLUMNS;
 * - choices: quiz_id, version, question_position, answer_position;
 * - texts: quiz_id, question_id, text;
 * - parameters: quiz_id, name, value.
 */
type Source = 'participants' | 'choices' | 'texts' | 'parameters'

/** Returns the SQL for the start of the quarter of an hour of a moment. Days of every time zone begin at such a start. */
export const quarterOf = (moment: string): string =>
  `date_bin('15 minutes', ${moment}, '2000-01-01T00:00Z')`

export type CounterFamily = {
  /** Its table, whose primary key is quiz_id and then the columns of `key`. */
  table: string
  source: Source
  /** Each key column after quiz_id, as an expression over a row of the source. */
  key: Readonly<Record<string, string>>
  /** Which rows of the source are counted; all of them without a condition. */
  condition?: string
  /** Further columns, which the key determines, each as an aggregate over the source. */
  beside?: Readonly<Record<string, string>>
  /** Key columns of the figures, if they are coarser than those of the table. `time_zone` is an SQL literal. */
  shown_as?: (time_zone: string) => Readonly<Record<string, string>>
  /** The column that holds the count, where it is not `count`. */
  counted_in?: string
}

/** The columns of `responses` that the sources are made of. */
export const PARTICIPANT_COLUMNS = `version, created_at, result_position, score, elapsed_seconds,
    consent_version, choices, texts, parameters, other_values`

/** Different values of a parameter that a quiz counts one by one; further ones are counted together, as OTHER_VALUES. */
export const MOST_COUNTED_VALUES = 100
/** No stored value is empty. */
export const OTHER_VALUES = ''

/**
 * Every counter that submissions and removals keep, by the name of its figures. The statements that store
 * a batch, remove participants, read the counters, count a selection and verify are made from these
 * entries: a new counter is a migration, its columns in tables.ts and one entry here. Batches write
 * the tables in this order, so that two of them never wait for each other.
 */
export const COUNTER_FAMILIES = {
  results: {
    table: 'result_counts',
    source: 'participants',
    key: { version: 'version', result_position: 'result_position' },
    condition: 'result_position is not null',
  },
  scores: {
    table: 'score_counts',
    source: 'participants',
    key: { score: 'score' },
    condition: 'score is not null',
  },
  consents: {
    table: 'consent_counts',
    source: 'participants',
    key: { consent_version: 'consent_version' },
    condition: 'consent_version is not null',
  },
  days: {
    table: 'quarter_counts',
    source: 'participants',
    key: { quarter: quarterOf('created_at'), version: 'version' },
    shown_as: (time_zone) => ({
      version: 'version',
      day: `(quarter at time zone ${time_zone})::date`,
    }),
  },
  durations: {
    table: 'duration_counts',
    source: 'participants',
    key: { seconds: `least(elapsed_seconds, ${MAX_DURATION_S})` },
    condition: 'elapsed_seconds is not null',
  },
  choices: {
    table: 'choice_counts',
    source: 'choices',
    key: {
      version: 'version',
      question_position: 'question_position',
      answer_position: 'answer_position',
    },
    // Empty are the numbers beyond what a participant chose.
    condition: 'answer_position is not null',
  },
  texts: {
    table: 'text_counts',
    source: 'texts',
    key: { question_id: 'question_id', digest: `sha256(convert_to(text, 'UTF8'))` },
    // What was left blank is among the choices.
    condition: `text <> ''`,
    beside: { text: 'min(text)' },
  },
  parameters: {
    table: 'parameter_counts',
    source: 'parameters',
    key: { name: 'name', value: 'value' },
  },
} as const satisfies Record<string, CounterFamily>

/** Participants of each version. Its rows exist from publication on: they are updated, never inserted. */
export const PARTICIPANTS = {
  table: 'quiz_versions',
  source: 'participants',
  key: { version: 'version' },
  counted_in: 'nb_responses',
} as const satisfies CounterFamily

export type Figure = keyof typeof COUNTER_FAMILIES
export const FAMILIES = Object.entries<CounterFamily>(COUNTER_FAMILIES) as [Figure, CounterFamily][]

/**
 * Where a statement finds the rows of a source: a relation, or a subquery with its alias. Where equal rows
 * have been grouped, `count` is the aggregate over what each stands for.
 */
type Rows = { from: string; count?: string }
export type Sources = Readonly<Record<Source, Rows>>

/** The parameters of participants as they are counted, after the columns of `by`. */
export const parameterRows = (participants: string, by: readonly string[] = ['quiz_id']): Rows => ({
  from: `(
    select ${[...by, 'name'].join(', ')}, case when name = any(other_values) then '${OTHER_VALUES}' else value end as value
    from ${participants} cross join lateral jsonb_each_text(parameters) as given(name, value)
  ) as parameters`,
})

/** The sources of stored participants: a relation with the columns of `responses`, and `version_questions`. */
export const sourcesOf = (participants: string, questions: string): Sources => ({
  participants: { from: participants },
  choices: {
    from: `(
    select quiz_id, version, question_position, chosen.answer as answer_position
    from ${participants} cross join lateral unnest(choices) with ordinality as chosen(answer, rank)
    left join ${questions} as asked using (quiz_id, version, rank)
    where asked.is_choice is not false
  ) as choices`,
  },
  texts: {
    from: `(
    select quiz_id, question_id, typed.text
    from ${participants} cross join lateral unnest(texts) with ordinality as typed(text, rank)
    left join ${questions} as asked using (quiz_id, version, rank)
    where asked.is_choice is not true
  ) as texts`,
  },
  parameters: parameterRows(participants),
})

/**
 * Returns the key columns that the figures of a family have, with days in a time zone, and the relation to select them
 * from. `from` is a relation with the columns of the table of the family.
 */
export const shownCounts = (
  { key, shown_as }: CounterFamily,
  from: string,
  time_zone: string,
): { columns: string[]; from: string } => {
  if (!shown_as) return { columns: Object.keys(key), from }
  const shown = shown_as(`'${time_zone.replaceAll("'", "''")}'`)
  const selected = Object.entries(shown).map(([name, expression]) => `${expression} as ${name}`)
  const groups = selected.map((_, index) => index + 1).join(', ')
  return {
    columns: Object.keys(shown),
    from: `(select ${selected.join(', ')}, sum(count)::bigint as count from ${from} group by ${groups}) as shown`,
  }
}

/** Selects how many rows of its source a family counts for each key, after the columns of `by`. */
export const countRows = (
  { source, key, condition, beside = {} }: CounterFamily,
  sources: Sources,
  by: readonly string[] = ['quiz_id'],
): string => {
  const { from, count = 'count(*)' } = sources[source]
  const named = ([column, expression]: [string, string]): string =>
    column === expression ? column : `${expression} as ${column}`
  const columns = [...by, ...Object.entries(key).map(named)]
  const others = [...Object.entries(beside), ['count', count] as [string, string]].map(named)
  return [
    `select ${[...columns, ...others].join(', ')} from ${from}`,
    ...(condition ? [`where ${condition}`] : []),
    `group by ${columns.map((_, index) => index + 1).join(', ')}`,
  ].join('\n  ')
}

/** Adds what the sources count to a family, its rows in the order of its key. */
export const addCounts = (family: CounterFamily, sources: Sources): string => {
  const key = ['quiz_id', ...Object.keys(family.key)]
  const columns = [...key, ...Object.keys(family.beside ?? {}), 'count']
  return `insert into ${family.table} (${columns.join(', ')})
  ${countRows(family, sources)}
  order by ${key.map((_, index) => index + 1).join(', ')}
  on conflict (${key.join(', ')})
  do update set count = ${family.table}.count + excluded.count`
}
