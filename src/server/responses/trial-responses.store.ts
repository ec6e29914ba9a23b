import { sql } from 'kysely'
import { emailSearchTerm } from '#domain/common/addresses.ts'
import { MAX_TRIAL_RUNS, TRIAL_RUN_RETENTION_DAYS } from '#domain/run/trial-runs.ts'
import type { Db } from '#server/db/database.ts'
import type { Submission } from './submission-statement.ts'
import type { Outcome, Participant, StoredParticipant } from './submissions.store.ts'

/** Returns true if the quiz belongs to the creator. */
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

/** Returns a stored trial run by the participant id of its page; undefined if there is none. */
export const findTrialResponse = async (
  db: Db,
  { quiz_id, participant_uuid }: Participant,
): Promise<StoredParticipant | undefined> => {
  const row = await db
    .selectFrom('trial_responses')
    .innerJoin('quizzes', 'quizzes.id', 'quiz_id')
    .select(['version', 'result_position', 'choices', 'texts', 'run_secret_hash', 'email'])
    .where('quiz_id', '=', quiz_id)
    .where('trial_responses.id', '=', participant_uuid)
    .executeTakeFirst()
  return row && { kind: 'known', ...row, email_confirmation: null }
}

/**
 * Stores a trial run of a published quiz once, without counting a participant. The oldest runs above the
 * maximum number are deleted. Trial runs ignore participant limits and closing dates. Returns `stored`, `known` for a run
 * that is already stored, `unpublished` for a withdrawn quiz and `gone` for a deleted one.
 */
export const storeTrialResponse = async (
  db: Db,
  submission: Submission,
): Promise<Extract<Outcome, { kind: 'stored' | 'known' | 'unpublished' | 'gone' }>> => {
  const { quiz_id, participant_uuid, version, email, result_position, score } = submission
  const { choices, texts, elapsed_seconds, consent_version, parameters } = submission
  const { run_secret_hash, measure_version } = submission
  const { rows } = await sql`
    insert into trial_responses (
      quiz_id, id, version, email, result_position, score, choices, texts, elapsed_seconds,
      consent_version, measure_version, parameters, run_secret_hash
    )
    select quizzes.id, ${participant_uuid}, ${version}::integer, ${email},
      ${result_position}::smallint, ${score}::integer, ${choices}::smallint[], ${texts}::text[],
      ${elapsed_seconds}::integer,
      case when ${consent_version}::integer > 0 then coalesce(shown.version, 0)
        else ${consent_version}::integer end,
      case when ${measure_version}::integer > 0 then coalesce(measured.version, 0)
        else ${measure_version}::integer end,
      ${parameters && JSON.stringify(parameters)}::jsonb, ${run_secret_hash}::bytea
    from quizzes left join consent_texts as shown
      on shown.quiz_id = quizzes.id and shown.kind = 'forwarding'
        and shown.version = ${consent_version}::integer
    left join consent_texts as measured
      on measured.quiz_id = quizzes.id and measured.kind = 'measure'
        and measured.version = ${measure_version}::integer
    where quizzes.id = ${quiz_id} and status = 'Publié'
    on conflict (quiz_id, id) do nothing
    returning id
  `.execute(db)
  if (rows.length > 0) {
    await deleteExcessRuns(db, quiz_id)
    return { kind: 'stored' }
  }
  const known = await findTrialResponse(db, { quiz_id, participant_uuid })
  if (known) return known
  const quiz = db.selectFrom('quizzes').select('id').where('id', '=', quiz_id)
  return { kind: (await quiz.executeTakeFirst()) ? 'unpublished' : 'gone' }
}

const deleteExcessRuns = async (db: Db, quiz_id: string): Promise<void> => {
  await db
    .deleteFrom('trial_responses')
    .where('quiz_id', '=', quiz_id)
    .where('id', 'in', (query) =>
      query
        .selectFrom('trial_responses')
        .select('id')
        .where('quiz_id', '=', quiz_id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_TRIAL_RUNS),
    )
    .execute()
}

/** Deletes trial runs after their retention period. */
export const deleteOldTrialResponses = async (db: Db): Promise<void> => {
  await db
    .deleteFrom('trial_responses')
    .where(
      'created_at',
      '<',
      sql<string>`now() - make_interval(days => ${TRIAL_RUN_RETENTION_DAYS})`,
    )
    .execute()
}

/** Deletes the trial runs of a creator's quizzes in which this email address was given. */
export const deleteTrialResponsesOf = async (
  db: Db,
  { creator_id, email }: { creator_id: string; email: string },
): Promise<void> => {
  await db
    .deleteFrom('trial_responses')
    .where('quiz_id', 'in', (query) =>
      query.selectFrom('all_quizzes').select('id').where('creator_id', '=', creator_id),
    )
    .where(sql<boolean>`lower(email) in (lower(${emailSearchTerm(email)}), lower(${email}))`)
    .execute()
}
