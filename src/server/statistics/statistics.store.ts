import { sql } from 'kysely'
import {
  type ChoiceCount,
  MOST_FREQUENT_TEXTS,
  type TakenVersion,
  type TextCount,
} from '#domain/statistics.ts'
import type { StoredReplies } from '#domain/stored-replies.ts'
import type { Db } from '#server/db/database.ts'

/** The versions of a quiz that somebody took; its owner is known. */
export const listTakenVersions = (db: Db, quiz_id: string): Promise<TakenVersion[]> =>
  db
    .selectFrom('quiz_versions')
    .select(['version', 'nb_responses', 'snapshot'])
    .where('quiz_id', '=', quiz_id)
    .where('nb_responses', '>', 0)
    .execute() as Promise<TakenVersion[]>

export const listChoiceCounts = (db: Db, quiz_id: string): Promise<ChoiceCount[]> =>
  db
    .selectFrom('choice_counts')
    .select(['version', 'question_position', 'answer_position', 'count'])
    .where('quiz_id', '=', quiz_id)
    .execute()

/**
 * The most frequent texts of each of these open questions, most frequent first; equal ones by their
 * text. Each question reads the top of the index alone, however many texts it was given.
 */
export const listFrequentTexts = async (
  db: Db,
  quiz_id: string,
  question_ids: readonly string[],
): Promise<TextCount[]> => {
  const { rows } = await sql<TextCount>`
    select question_id, text, count
    from unnest(${question_ids}::uuid[]) as asked(question_id)
    cross join lateral (
      select text, count from text_counts
      where quiz_id = ${quiz_id} and text_counts.question_id = asked.question_id
      order by count desc
      limit ${MOST_FREQUENT_TEXTS}
    ) as frequent
    order by question_id, count desc, text
  `.execute(db)
  return rows
}

export type StoredResponse = StoredReplies & {
  participant_uuid: string
  version: number
  created_at: string
  /** created_at to the microsecond, which a cursor needs. */
  exact_created_at: string
  email: string | null
  result_position: number | null
}

/** Where a page of participants begins: after this one. */
export type Cursor = { exact_created_at: string; participant_uuid: string }

/** One page of participants, newest first. */
export const listResponses = (
  db: Db,
  quiz_id: string,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<StoredResponse[]> =>
  db
    .selectFrom('responses')
    .select(['participant_uuid', 'version', 'created_at', 'email', 'result_position'])
    .select(['choices', 'texts'])
    .select(
      sql<string>`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as(
        'exact_created_at',
      ),
    )
    .where('quiz_id', '=', quiz_id)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, participant_uuid) < (
          ${after?.exact_created_at}::timestamptz, ${after?.participant_uuid}::uuid
        )`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('participant_uuid', 'desc')
    .limit(limit)
    .execute()
