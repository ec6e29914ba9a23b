import { sql } from 'kysely'
import type { DurationCount } from '#domain/durations.ts'
import type { DayCount, ResultCount, ScoreCount } from '#domain/figures.ts'
import {
  type ChoiceCount,
  MOST_FREQUENT_TEXTS,
  type TakenVersion,
  type TextCount,
} from '#domain/statistics.ts'
import type { Db } from '#server/db/database.ts'

/** Everything that the figures are made of, kept or counted. */
export type Counts = {
  /** Versions that somebody took, with their participants. */
  versions: TakenVersion[]
  choices: ChoiceCount[]
  /** The most frequent texts of each open question, most frequent first. */
  texts: TextCount[]
  results: ResultCount[]
  scores: ScoreCount[]
  days: DayCount[]
  durations: DurationCount[]
  consents: ConsentCount[]
}

/** How many agreed to a wording; 0: were asked and did not. */
export type ConsentCount = { consent_version: number; count: number }

/** The versions of a quiz that somebody took; its owner is known. */
export const listTakenVersions = (db: Db, quiz_id: string): Promise<TakenVersion[]> =>
  db
    .selectFrom('quiz_versions')
    .select(['version', 'nb_responses', 'nb_removed', 'snapshot'])
    .where('quiz_id', '=', quiz_id)
    .where('nb_responses', '>', 0)
    .execute()

/** The ids of the questions that take text, each once. */
const openQuestions = (versions: readonly TakenVersion[]): string[] => [
  ...new Set(
    versions
      .flatMap(({ snapshot }) => snapshot.questions)
      .filter(({ type }) => type !== 'multiple_choice')
      .map(({ id }) => id),
  ),
]

/** The kept counters of a quiz, as many rows as it has answers, days and scores, however many took it. */
export const readCounters = async (
  db: Db,
  quiz_id: string,
  versions: TakenVersion[],
): Promise<Counts> => ({
  versions,
  choices: await db
    .selectFrom('choice_counts')
    .select(['version', 'question_position', 'answer_position', 'count'])
    .where('quiz_id', '=', quiz_id)
    .execute(),
  texts: await listFrequentTexts(db, quiz_id, openQuestions(versions), MOST_FREQUENT_TEXTS),
  results: await db
    .selectFrom('result_counts')
    .select(['version', 'result_position', 'count'])
    .where('quiz_id', '=', quiz_id)
    .execute(),
  scores: await db
    .selectFrom('score_counts')
    .select(['score', 'count'])
    .where('quiz_id', '=', quiz_id)
    .execute(),
  days: await db
    .selectFrom('day_counts')
    .select([sql<string>`day::text`.as('day'), sql<number>`sum(count)::integer`.as('count')])
    .where('quiz_id', '=', quiz_id)
    .groupBy('day_counts.day')
    .execute(),
  durations: await db
    .selectFrom('duration_counts')
    .select(['seconds', 'count'])
    .where('quiz_id', '=', quiz_id)
    .where('count', '>', 0)
    .execute(),
  consents: await db
    .selectFrom('consent_counts')
    .select(['consent_version', 'count'])
    .where('quiz_id', '=', quiz_id)
    .execute(),
})

/**
 * The most frequent texts of each of these open questions, most frequent first; equal ones by their
 * text. Each question reads the top of the index alone, however many texts it was given.
 */
export const listFrequentTexts = async (
  db: Db,
  quiz_id: string,
  question_ids: readonly string[],
  most: number,
): Promise<TextCount[]> => {
  const { rows } = await sql<TextCount>`
    select question_id, text, count
    from unnest(${question_ids}::uuid[]) as asked(question_id)
    cross join lateral (
      select text, count from text_counts
      where quiz_id = ${quiz_id} and text_counts.question_id = asked.question_id
      order by count desc
      limit ${most}
    ) as frequent
    order by question_id, count desc, text
  `.execute(db)
  return rows
}

/** The texts of one open question that contain these words, in capitals or not, most frequent first. */
export const searchTexts = async (
  db: Db,
  at: { quiz_id: string; question_id: string },
  { search, most }: { search: string; most: number },
): Promise<{ text: string; count: number }[]> => {
  const { rows } = await sql<{ text: string; count: number }>`
    select text, count from text_counts
    where quiz_id = ${at.quiz_id} and question_id = ${at.question_id}
      and strpos(lower(text), lower(${search})) > 0
    order by count desc
    limit ${most}
  `.execute(db)
  return rows
}
