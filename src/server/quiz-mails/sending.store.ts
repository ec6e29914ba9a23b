import { sql } from 'kysely'
import type { Replies } from '#domain/quiz.ts'
import { defaultMail, type QuizMail } from '#domain/quiz-mail.ts'
import type { Snapshot, SnapshotResult } from '#domain/snapshot.ts'
import { unpackReplies } from '#domain/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { findKeptVersion } from '#server/quizzes/version-memory.ts'

/** A participant, as both mails tell of them. */
export type MailSending = {
  /** Whose quiz it is. */
  user_id: string
  /** What the creator wrote for participants. */
  mail: QuizMail
  snapshot: Snapshot
  replies: Replies
  result: SnapshotResult | null
  email: string | null
  consent_version: number | null
}
export type SendingKey = { quiz_id: string; participant_uuid: string; connection_id: string }

/** Gives how to load what a mail says of a participant; undefined when they are gone, or the mail is switched off. */
export const createMailSendings = (db: Db) => {
  return async ({
    quiz_id,
    participant_uuid,
    connection_id,
  }: SendingKey): Promise<MailSending | undefined> => {
    const row = await db
      .selectFrom('responses')
      .innerJoin('integration_connections as connected', 'connected.quiz_id', 'responses.quiz_id')
      .leftJoin('quiz_mails', 'quiz_mails.quiz_id', 'responses.quiz_id')
      .select(['user_id', 'subject', 'text', 'version', 'email', 'result_position'])
      .select(['consent_version', 'choices', 'texts'])
      .where('responses.quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .where('connected.id', '=', connection_id)
      .where('connected.status', '<>', 'disconnected')
      .executeTakeFirst()
    const snapshot = row && (await findKeptVersion(db, quiz_id, row.version))
    if (!row || !snapshot) return undefined
    const { user_id, subject, text, email, consent_version, result_position } = row
    const own = defaultMail(snapshot.quiz.type)
    return {
      ...{ user_id, snapshot, email, consent_version },
      mail: { subject: subject ?? own.subject, text: text ?? own.text },
      replies: unpackReplies(snapshot, row),
      result: snapshot.results[result_position ?? -1] ?? null,
    }
  }
}

type Leased = SendingKey & { lease_id: string }

/**
 * Writes that the mail server has taken a mail, before anything else is done: between its answer and this one statement
 * alone a process that is killed leaves a mail that another sends again, under the same Message-ID.
 */
export const noteMailed = async (
  db: Db,
  { quiz_id, participant_uuid, connection_id, lease_id }: Leased,
): Promise<void> => {
  await sql`
    update deliveries set completed_calls = coalesce(completed_calls, '{}') || '{"is_counted": true, "is_mailed": true}'
    where quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}
      and connection_id = ${connection_id} and lease_id = ${lease_id}
  `.execute(db)
}
