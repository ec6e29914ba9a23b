import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { isSondage } from '#domain/questionnaire/quiz.ts'
import { hasStoredText } from '#domain/run/stored-replies.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import type { MomentRange } from '#domain/statistics/filter-choices.ts'
import {
  MAX_FREQUENT_TEXTS,
  MAX_MONTHS,
  type RepeatCount,
  type TextCount,
} from '#domain/statistics/question-figures.ts'
import type { StepCount } from '#domain/statistics/visits.ts'
import {
  type COUNTER_FAMILIES,
  type CounterFamily,
  FAMILIES,
  type Figure,
  shownCounts,
} from '#server/db/counter-families.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import { findReplyContents } from '#server/quizzes/versions.store.ts'

/** Steps that visits of a version reached between two moments, and its number of participants. */
export type VisitedVersion = {
  version: number
  nb_pages: number
  nb_participants: number
  /** True if answers of the version can skip pages. */
  has_jumps: boolean
  steps: StepCount[]
}

/** Maximum number of versions to show, newest first. Older versions appear if the period is set to their days. */
const MAX_VERSIONS = 20

/** Returns an SQL condition for quarters of an hour between two moments; undefined without limits. */
export const isWithin = ({ from, before }: MomentRange): RawBuilder<boolean> | undefined =>
  from === undefined && before === undefined
    ? undefined
    : sql<boolean>`quarter >= ${from ?? '-infinity'}::timestamptz and quarter < ${before ?? 'infinity'}::timestamptz`

/** Lists the versions with visits or participants between two moments, newest first. */
export const listVisitedVersions = async (
  db: Db,
  quiz_id: string,
  moments: MomentRange,
): Promise<VisitedVersion[]> => {
  const within = isWithin(moments)
  const visits = sql.raw(within ? 'visit_counts' : 'visit_step_counts')
  const { rows } = await sql<VisitedVersion>`
    with participant_counts as (
      select version, sum(count)::integer as count from quarter_counts
      where quiz_id = ${quiz_id} and ${within ?? sql`true`} group by version
    ), step_counts as (
      select version, step, sum(count)::integer as count from ${visits}
      where quiz_id = ${quiz_id} and ${within ?? sql`true`} group by 1, 2
    ), version_steps as (
      select version, json_agg(json_build_object('step', step, 'count', count)) as steps
      from step_counts where count > 0 group by version
    )
    select version, coalesce(participant_counts.count, 0) as nb_participants, coalesce(steps, '[]') as steps,
      (
        select count(distinct item -> 'page_number')::integer
        from jsonb_array_elements((snapshot -> 'questions') || (snapshot -> 'text_blocks')) as item
      ) as nb_pages,
      jsonb_path_exists(snapshot, '$.questions[*].answers[*].jump_to') as has_jumps
    from quiz_versions left join participant_counts using (version) left join version_steps using (version)
    where quiz_id = ${quiz_id} and (participant_counts.count > 0 or steps is not null)
    order by version desc
    limit ${MAX_VERSIONS}
  `.execute(db)
  return rows
}

type TableOf<Name extends Figure> = (typeof COUNTER_FAMILIES)[Name]['table']
/** Counts of each family that is read completely. */
type FamilyCounts = {
  [Name in Exclude<Figure, 'texts' | 'days'>]: Omit<Tables[TableOf<Name>], 'quiz_id'>[]
} & { days: { version: number; day: string; count: number }[] }

/** Counts from which the figures are computed. The counts are read from counters or counted from rows. */
export type Counts = FamilyCounts & {
  /** Versions with participants, and the number of participants. */
  versions: AnsweredVersion[]
  /** Most frequent texts of each open question, and most frequent months of each date question, most frequent first. */
  texts: TextCount[]
  /** Number of repeated texts per open question, without date questions. */
  repeats: RepeatCount[]
}

/** Counter families that are read completely: all except texts, which may be as many as participants. */
export const READ_WHOLE = FAMILIES.filter(([figure]) => figure !== 'texts')

/** Count of any family; `key` holds the key columns of its table. */
export type CountRow = { figure: string; key: Record<string, unknown>; count: number }

/** Selects the counts of a family as CountRow, with days in a time zone, so that one query can unite several families. */
export const selectCounts = (
  figure: string,
  family: CounterFamily,
  { from, time_zone }: { from: string; time_zone: string },
): string => {
  const shown = shownCounts(family, from, time_zone)
  const columns = shown.columns.map((column) => `'${column}', ${column}`)
  return `select '${figure}' as figure, json_build_object(${columns.join(', ')}) as key, count from ${shown.from}`
}

/** Returns the counts of one family. */
export const listCounts = <T>(rows: readonly CountRow[], counted_figure: string): T[] =>
  rows
    .filter(({ figure }) => figure === counted_figure)
    .map(({ key, count }) => ({ ...key, count }) as T)

/** Returns the counts of all families that are read completely. */
export const countsOf = (rows: readonly CountRow[]): FamilyCounts =>
  Object.fromEntries(
    READ_WHOLE.map(([figure]) => [figure, listCounts(rows, figure)]),
  ) as FamilyCounts

/** SQL expression for the month of a date, as `2026-03`. */
export const MONTH_OF_DAY = sql<string>`left(text, 7)`

/** Numbers of participants of a version. */
export type VersionTotals = Pick<AnsweredVersion, 'version' | 'nb_responses' | 'nb_deleted'>

/** Returns how many versions of a quiz have participants; 0 for the quiz of another creator. */
export const countAnsweredVersions = async (
  db: Db,
  { quiz_id, creator_id }: { quiz_id: string; creator_id: string },
): Promise<number> => {
  const { count } = await db
    .selectFrom('quiz_versions')
    .innerJoin('quizzes', 'quizzes.id', 'quiz_versions.quiz_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('quiz_id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .where('quiz_versions.nb_responses', '>', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists the versions of a quiz that have participants. The caller has checked the owner. */
export const listAnsweredVersions = async (db: Db, quiz_id: string): Promise<AnsweredVersion[]> => {
  const versionTotals = await db
    .selectFrom('quiz_versions')
    .select(['version', 'nb_responses', 'nb_deleted'])
    .where('quiz_id', '=', quiz_id)
    .where('nb_responses', '>', 0)
    .execute()
  return withSnapshots(db, quiz_id, versionTotals)
}

/** Adds the contents of these versions of a quiz. Deleted versions are left out. The caller has checked the owner. */
export const withSnapshots = async (
  db: Db,
  quiz_id: string,
  versionTotals: readonly VersionTotals[],
): Promise<AnsweredVersion[]> => {
  const numbers = versionTotals.map(({ version }) => version)
  const contents = await findReplyContents(db, quiz_id, numbers)
  return versionTotals.flatMap((version_total): AnsweredVersion[] => {
    const snapshot = contents.get(version_total.version)
    // A version is missing only if its quiz was deleted in the meantime.
    if (!snapshot) return []
    // A sondage that was a quiz before keeps the results of its draft, but no participant has one.
    const { questions } = snapshot
    return isSondage(snapshot.quiz)
      ? [{ ...version_total, is_sondage: true, snapshot: { questions, results: [] } }]
      : [{ ...version_total, snapshot }]
  })
}

/** Returns the ids of all questions with text replies, and of the date questions among them. */
export const textQuestions = (
  versions: readonly AnsweredVersion[],
): { ids: string[]; dates: string[] } => {
  const text_questions = versions
    .flatMap(({ snapshot }) => snapshot.questions)
    .filter(hasStoredText)
  const dates = text_questions.filter(({ type }) => type === 'date')
  const idsOf = (questions: typeof text_questions): string[] => [
    ...new Set(questions.map(({ id }) => id)),
  ]
  return { ids: idsOf(text_questions), dates: idsOf(dates) }
}

const readCountersText = (time_zone: string): string =>
  READ_WHOLE.map(([figure, family]) =>
    selectCounts(figure, family, { from: `${family.table} where quiz_id = $1`, time_zone }),
  ).join('\nunion all\n')

/**
 * Reads the counters of a quiz. The number of rows depends on its answers, days and scores, but not on its
 * participants.
 */
export const readCounters = async (
  db: Db,
  { quiz_id, time_zone }: { quiz_id: string; time_zone: string },
  versions: AnsweredVersion[],
): Promise<Counts> => {
  const { rows } = await db.executeQuery(CompiledQuery.raw(readCountersText(time_zone), [quiz_id]))
  const { ids, dates } = textQuestions(versions)
  const open = ids.filter((id) => !dates.includes(id))
  const texts = await listFrequentTexts(db, quiz_id, open, MAX_FREQUENT_TEXTS)
  const repeats = open.length > 0 ? await countRepeats(db, quiz_id, open) : []
  const months = dates.length > 0 ? await listFrequentMonths(db, quiz_id, dates) : []
  return { ...countsOf(rows as CountRow[]), versions, texts: [...texts, ...months], repeats }
}

/**
 * Lists the most frequent texts of each open question, most frequent first. Each question reads only the top of
 * an index, however many texts there are.
 */
export const listFrequentTexts = async (
  db: Db,
  quiz_id: string,
  question_ids: readonly string[],
  limit: number,
): Promise<TextCount[]> => {
  const { rows } = await sql<TextCount>`
    select question_id, text, count
    from unnest(${question_ids}::uuid[]) as question(question_id)
    cross join lateral (
      select text, count from text_counts
      where quiz_id = ${quiz_id} and text_counts.question_id = question.question_id
      order by count desc
      limit ${limit}
    ) as top_texts
    order by question_id, count desc, text
  `.execute(db)
  return rows
}

/**
 * Counts the repeated texts of each open question. The index begins with texts that were given at least twice,
 * so that other texts are not read.
 */
export const countRepeats = async (
  db: Db,
  quiz_id: string,
  question_ids: readonly string[],
): Promise<RepeatCount[]> => {
  const { rows } = await sql<RepeatCount>`
    select question_id, sum(count - 1)::bigint as count from text_counts
    where quiz_id = ${quiz_id} and question_id = any(${question_ids}::uuid[]) and count > 1
    group by 1
  `.execute(db)
  return rows
}

/** Lists the most frequent months of each date question, most frequent first. */
const listFrequentMonths = async (
  db: Db,
  quiz_id: string,
  question_ids: readonly string[],
): Promise<TextCount[]> => {
  const { rows } = await sql<TextCount>`
    select question_id, text, count
    from unnest(${question_ids}::uuid[]) as question(question_id)
    cross join lateral (
      select ${MONTH_OF_DAY} as text, sum(count)::bigint as count from text_counts
      where quiz_id = ${quiz_id} and text_counts.question_id = question.question_id and count > 0
      group by 1 order by 2 desc, 1
      limit ${MAX_MONTHS}
    ) as top_texts
    order by question_id, count desc, text
  `.execute(db)
  return rows
}

/** Searches the texts of one open question case-insensitively, most frequent first. */
export const searchTexts = async (
  db: Db,
  at: { quiz_id: string; question_id: string },
  { search, limit }: { search: string; limit: number },
): Promise<{ text: string; count: number }[]> => {
  const { rows } = await sql<{ text: string; count: number }>`
    select text, count from text_counts
    where quiz_id = ${at.quiz_id} and question_id = ${at.question_id}
      and strpos(lower(text), lower(${search})) > 0
    order by count desc
    limit ${limit}
  `.execute(db)
  return rows
}
