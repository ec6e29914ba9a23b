import { sql } from 'kysely'
import { searchedEmail } from '#domain/mailbox.ts'
import type { StoredReplies } from '#domain/stored-replies.ts'
import { MOST_TEST_RUNS, TEST_RUN_DAYS } from '#domain/test-runs.ts'
import type { Db } from '#server/db/database.ts'
import type { Submission } from './submission-batch.ts'
import type { Known, Outcome, Participant } from './submissions.store.ts'

/** Whether a quiz is this creator's. */
export const isOwner = async (
  db: Db,
  { quiz_id, creator_id }: { quiz_id: string; creator_id: string },
): Promise<boolean> => {
  const row = await db
    .selectFrom('quizzes')
    .select('id')
    .where('id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .executeTakeFirst()
  return row !== undefined
}

/** What is stored of a test run, known by the id that its page has as its participant's; undefined when nothing is. */
export const findTestResponse = async (
  db: Db,
  { quiz_id, participant_uuid }: Participant,
): Promise<(Known & StoredReplies) | undefined> => {
  const row = await db
    .selectFrom('trial_responses')
    .select(['version', 'result_position', 'choices', 'texts'])
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', participant_uuid)
    .executeTakeFirst()
  return row && { kind: 'known', ...row }
}

/**
 * Stores a test run of a published quiz once, beside its participants and counted with none of them; the oldest beyond
 * the most that a quiz keeps go. Limits and closing dates are the participants'.
 */
export const storeTestResponse = async (
  db: Db,
  submission: Submission,
): Promise<Extract<Outcome, { kind: 'stored' | 'known' | 'unpublished' | 'gone' }>> => {
  const { quiz_id, participant_uuid, version, email, result_position, score } = submission
  const { choices, texts, elapsed_seconds, consent_version, parameters } = submission
  const { rows } = await sql`
    insert into trial_responses (
      quiz_id, id, version, email, result_position, score, choices, texts, elapsed_seconds,
      consent_version, parameters
    )
    select quizzes.id, ${participant_uuid}, ${version}::integer, ${email},
      ${result_position}::smallint, ${score}::integer, ${choices}::smallint[], ${texts}::text[],
      ${elapsed_seconds}::integer,
      case when ${consent_version}::integer > 0 then coalesce(shown.version, 0)
        else ${consent_version}::integer end,
      ${parameters && JSON.stringify(parameters)}::jsonb
    from quizzes left join consent_texts as shown
      on shown.quiz_id = quizzes.id and shown.version = ${consent_version}::integer
    where quizzes.id = ${quiz_id} and status = 'Publié'
    on conflict (quiz_id, id) do nothing
    returning id
  `.execute(db)
  if (rows.length > 0) {
    await forgetBeyond(db, quiz_id)
    return { kind: 'stored' }
  }
  const known = await findTestResponse(db, { quiz_id, participant_uuid })
  if (known) return known
  const quiz = db.selectFrom('quizzes').select('id').where('id', '=', quiz_id)
  return { kind: (await quiz.executeTakeFirst()) ? 'unpublished' : 'gone' }
}

const forgetBeyond = async (db: Db, quiz_id: string): Promise<void> => {
  await db
    .deleteFrom('trial_responses')
    .where('quiz_id', '=', quiz_id)
    .where('id', 'in', (of) =>
      of
        .selectFrom('trial_responses')
        .select('id')
        .where('quiz_id', '=', quiz_id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MOST_TEST_RUNS),
    )
    .execute()
}

/** Deletes the test runs that are too old to be of use. */
export const forgetOldTests = async (db: Db): Promise<void> => {
  await db
    .deleteFrom('trial_responses')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${TEST_RUN_DAYS})`)
    .execute()
}

/** Deletes the test runs in which an address was given to the quizzes of this creator. */
export const forgetTestsOf = async (
  db: Db,
  { creator_id, email }: { creator_id: string; email: string },
): Promise<void> => {
  await db
    .deleteFrom('trial_responses')
    .where('quiz_id', 'in', (of) =>
      of.selectFrom('quizzes').select('id').where('creator_id', '=', creator_id),
    )
    .where(sql<boolean>`lower(email) in (lower(${searchedEmail(email)}), lower(${email}))`)
    .execute()
}
