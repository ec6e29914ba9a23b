import { sql } from 'kysely'
import { defaultMail, type QuizMail } from '#domain/deliveries/quiz-mail.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'

/** Participant data for both mails. */
export type LoadedMail = {
  /** Creator of the quiz. */
  user_id: string
  /** Texts of the creator for participants. */
  mail: QuizMail
  snapshot: Snapshot
  version: number
  replies: Replies
  result: SnapshotResult | null
  email: string | null
  consent_version: number | null
  keeps_page: boolean
}
/** Key of a delivery by mail. */
export type SendingKey = { quiz_id: string; participant_uuid: string; connection_id: string }

/**
 * Creates a loader of the data for a mail. The loader returns undefined if the participant is gone or the mail is
 * disabled.
 */
export const createMailLoader = (db: Db) => {
  return async ({
    quiz_id,
    participant_uuid,
    connection_id,
  }: SendingKey): Promise<LoadedMail | undefined> => {
    const row = await db
      .selectFrom('responses')
      .innerJoin('integration_connections as connection', 'connection.quiz_id', 'responses.quiz_id')
      .leftJoin('quiz_mails', 'quiz_mails.quiz_id', 'responses.quiz_id')
      .innerJoin('all_quizzes', 'all_quizzes.id', 'responses.quiz_id')
      .select(['keeps_page', 'user_id', 'subject', 'text', 'version', 'email', 'result_position'])
      .select(['consent_version', 'choices', 'texts', 'shows_result'])
      .where('responses.quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .where('connection.id', '=', connection_id)
      .where('connection.status', '<>', 'disconnected')
      .executeTakeFirst()
    const snapshot = row && (await findCachedVersion(db, quiz_id, row.version))
    if (!row || !snapshot) return undefined
    const { user_id, version, subject, text, email, consent_version } = row
    const { result_position, keeps_page } = row
    const own = defaultMail(snapshot.quiz)
    return {
      user_id,
      snapshot,
      version,
      email,
      consent_version,
      keeps_page,
      mail: {
        subject: subject ?? own.subject,
        text: text ?? own.text,
        shows_result: row.shows_result ?? true,
      },
      replies: unpackReplies(snapshot, row),
      result: snapshot.results[result_position ?? -1] ?? null,
    }
  }
}

type LeasedMail = SendingKey & { lease_id: string }

/**
 * Records that the mail server accepted a mail. Called directly after the reply of the server, so that a killed
 * process rarely leads to a second mail. A second mail has the Message-ID of the first.
 */
export const recordSentMail = async (
  db: Db,
  { quiz_id, participant_uuid, connection_id, lease_id }: LeasedMail,
): Promise<void> => {
  await sql`
    update deliveries set completed_calls = coalesce(completed_calls, '{}') || '{"is_counted": true, "is_mailed": true}'
    where quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}
      and connection_id = ${connection_id} and lease_id = ${lease_id}
  `.execute(db)
}
