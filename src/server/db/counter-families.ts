import { MAX_DURATION_S } from '#domain/statistics/key-figures.ts'

/**
 * Kind of rows that a counter counts. A family may use the columns of its source: PARTICIPANT_COLUMNS of
 * participants; quiz_id and version, question_position, answer_position of choices; question_id and text of texts;
 * name and value of parameters; version, rank and percent of dimensions.
 */
type Source = 'participants' | 'choices' | 'texts' | 'parameters' | 'dimensions'

/**
 * Returns SQL for the start of the quarter of an hour that contains a moment. Days of every time zone start at such a
 * moment.
 */
export const quarterOf = (moment: string): string =>
  `date_bin('15 minutes', ${moment}, '2000-01-01T00:00Z')`

/** Definition of a counter: its table, key and source. */
export type CounterFamily = {
  /** Table, whose primary key is quiz_id and then the columns of `key`. */
  table: string
  source: Source
  /** Key columns after quiz_id, each as an expression over a row of the source. */
  key: Readonly<Record<string, string>>
  /** Condition for the rows that are counted; absent to count all. */
  condition?: string
  /** Columns that the key determines, each as an aggregate over the source. */
  beside?: Readonly<Record<string, string>>
  /** Key columns of the figures, if they are coarser than those of the table. `time_zone` is an SQL literal. */
  shown_as?: (time_zone: string) => Readonly<Record<string, string>>
  /** Column that holds the count, if it is not `count`. */
  counted_in?: string
}

/** Columns of `responses` that the sources use. */
export const PARTICIPANT_COLUMNS = `version, created_at, result_position, score, elapsed_seconds,
    consent_version, email_confirmation, choices, texts, parameters, other_values, dimension_percents`

/**
 * Maximum number of values of a parameter that a quiz counts separately; further values are counted together as
 * OTHER_VALUES.
 */
export const MAX_COUNTED_VALUES = 100
/** Value that counts all other values of a parameter; stored values are never empty. */
export const OTHER_VALUES = ''

/**
 * Counters that submissions and removals maintain, by the name of their figures. Statements that store, remove, read,
 * filter and verify counters are generated from these entries. Batches write the tables in this order, so that two
 * batches never deadlock. `CounterTables` in response-tables.ts has the columns of each table and changes with its entry.
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
  confirmations: {
    table: 'confirmation_counts',
    source: 'participants',
    key: { version: 'version', email_confirmation: 'email_confirmation' },
    condition: 'email_confirmation is not null',
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
    // Numbers beyond a participant's choices are null.
    condition: 'answer_position is not null',
  },
  texts: {
    table: 'text_counts',
    source: 'texts',
    key: { question_id: 'question_id', digest: `sha256(convert_to(text, 'UTF8'))` },
    // An unanswered text is counted among the choices.
    condition: `text <> ''`,
    beside: { text: 'min(text)' },
  },
  parameters: {
    table: 'parameter_counts',
    source: 'parameters',
    key: { name: 'name', value: 'value' },
  },
  dimensions: {
    table: 'dimension_counts',
    source: 'dimensions',
    key: { version: 'version', rank: 'rank', percent: 'percent' },
    // The percent of a dimension that is not shown is null.
    condition: 'percent is not null',
  },
} as const satisfies Record<string, CounterFamily>

/** Counter of the participants of each version. Publication inserts its rows, so they are only updated here. */
export const PARTICIPANTS = {
  table: 'quiz_versions',
  source: 'participants',
  key: { version: 'version' },
  counted_in: 'nb_responses',
} as const satisfies CounterFamily

/** Name of a counter. */
export type Figure = keyof typeof COUNTER_FAMILIES
/** Entries of COUNTER_FAMILIES. */
export const FAMILIES = Object.entries<CounterFamily>(COUNTER_FAMILIES) as [Figure, CounterFamily][]

/**
 * Rows of a source in a statement: a relation, or a subquery with an alias. `count` is the aggregate to use if equal
 * rows have been grouped.
 */
type Rows = { from: string; count?: string }
/** Rows of every source in a statement. */
export type Sources = Readonly<Record<Source, Rows>>

/** Returns SQL for the counted parameters of participants, after the columns of `by`. */
export const parameterRows = (participants: string, by: readonly string[] = ['quiz_id']): Rows => ({
  from: `(
    select ${[...by, 'name'].join(', ')}, case when name = any(other_values) then '${OTHER_VALUES}' else value end as value
    from ${participants} cross join lateral jsonb_each_text(parameters) as parameter(name, value)
  ) as parameters`,
})

/** Returns SQL for the percents of participants, after the columns of `by`. Participants without dimensions have no row. */
export const dimensionRows = (participants: string, by: readonly string[] = ['quiz_id']): Rows => ({
  from: `(
    select ${[...by, 'version'].join(', ')}, rank, percent
    from ${participants} cross join lateral unnest(dimension_percents) with ordinality as measured(percent, rank)
  ) as dimensions`,
})

/**
 * Returns the sources of stored participants. `participants` is a relation with the columns of `responses`, `questions`
 * a relation with those of `version_questions`. `SOURCES` in responses/submission-statement.ts counts equal rows for new
 * participants, so that both change together.
 */
export const sourcesOf = (participants: string, questions: string): Sources => ({
  participants: { from: participants },
  choices: {
    from: `(
    select quiz_id, version, question_position, choice.answer as answer_position
    from ${participants} cross join lateral unnest(choices) with ordinality as choice(answer, rank)
    left join ${questions} as question using (quiz_id, version, rank)
    where question.is_choice is not false
  ) as choices`,
  },
  texts: {
    from: `(
    select quiz_id, question_id, reply.text
    from ${participants} cross join lateral unnest(texts) with ordinality as reply(text, rank)
    left join ${questions} as question using (quiz_id, version, rank)
    where question.is_choice is not true
  ) as texts`,
  },
  parameters: parameterRows(participants),
  dimensions: dimensionRows(participants),
})

/**
 * Returns the key columns of a family's figures, with days in a time zone, and the relation to select them from.
 * `from` is a relation with the columns of the family's table.
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
    from: `(select ${selected.join(', ')}, sum(count)::bigint as count from ${from} group by ${groups}) as day_counts`,
  }
}

/** Returns SQL that counts the rows of a family's source by key, after the columns of `by`. */
export const countRows = (
  { source, key, condition, beside = {} }: CounterFamily,
  sources: Sources,
  by: readonly string[] = ['quiz_id'],
): string => {
  const { from, count = 'count(*)' } = sources[source]
  const columnWithAlias = ([column, expression]: [string, string]): string =>
    column === expression ? column : `${expression} as ${column}`
  const columns = [...by, ...Object.entries(key).map(columnWithAlias)]
  const others = [...Object.entries(beside), ['count', count] as [string, string]].map(
    columnWithAlias,
  )
  return [
    `select ${[...columns, ...others].join(', ')} from ${from}`,
    ...(condition ? [`where ${condition}`] : []),
    `group by ${columns.map((_, index) => index + 1).join(', ')}`,
  ].join('\n  ')
}

/** Returns SQL that adds the counts of the sources to a family, with rows in key order. */
export const addCounts = (family: CounterFamily, sources: Sources): string => {
  const key = ['quiz_id', ...Object.keys(family.key)]
  const columns = [...key, ...Object.keys(family.beside ?? {}), 'count']
  return `insert into ${family.table} (${columns.join(', ')})
  ${countRows(family, sources)}
  order by ${key.map((_, index) => index + 1).join(', ')}
  on conflict (${key.join(', ')})
  do update set count = ${family.table}.count + excluded.count`
}
