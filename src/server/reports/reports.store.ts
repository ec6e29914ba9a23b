import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { CERTIFICATE_NUMBER_BYTES } from '#domain/reports/certificate.ts'
import type { ReportedRun } from '#domain/reports/report-document.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'

/** Key of a participant. */
export type ParticipantKey = { quiz_id: string; participant_uuid: string }
/** Stored run of a participant, with the creator of its quiz. */
export type StoredRun = ReportedRun &
  ParticipantKey & { version: number; created_at: string; creator_id: string }

/** Returns the stored run of a participant with its version; undefined if the participant does not exist. */
export const findRun = async (
  db: Db,
  { quiz_id, participant_uuid }: ParticipantKey,
): Promise<StoredRun | undefined> => {
  const row = await db
    .selectFrom('responses')
    .innerJoin('quizzes', 'quizzes.id', 'responses.quiz_id')
    .leftJoin('invitations', (join) =>
      join
        .onRef('invitations.quiz_id', '=', 'responses.quiz_id')
        .onRef('invitations.participant_uuid', '=', 'responses.participant_uuid'),
    )
    .select(['responses.version', 'responses.created_at', 'result_position', 'choices', 'texts'])
    .select(['creator_id', 'invitations.first_name', 'invitations.last_name'])
    .where('responses.quiz_id', '=', quiz_id)
    .where('responses.participant_uuid', '=', participant_uuid)
    .executeTakeFirst()
  const snapshot = row && (await findCachedVersion(db, quiz_id, row.version))
  if (!row || !snapshot) return undefined
  return {
    quiz_id,
    participant_uuid,
    snapshot,
    version: row.version,
    created_at: row.created_at,
    creator_id: row.creator_id,
    replies: unpackReplies(snapshot, row),
    result: snapshot.results[row.result_position ?? -1] ?? null,
    invited: { first_name: row.first_name, last_name: row.last_name },
  }
}

/** Number and day of a certificate. */
export type Certificate = { number: Buffer; day: string }

/**
 * Returns the certificate of a participant, which is created at the first call and never changes. Undefined if the
 * participant was deleted meanwhile.
 */
export const findOrCreateCertificate = async (
  db: Db,
  { quiz_id, participant_uuid }: ParticipantKey,
  day: string,
): Promise<Certificate | undefined> => {
  const find = () =>
    db
      .selectFrom('certificates')
      .select(['number', 'day'])
      .where('quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .executeTakeFirst()
  const known = await find()
  if (known) return known
  // The lock on the response makes a simultaneous deletion wait; the trigger of the deletion then deletes this row.
  await sql`
    insert into certificates (quiz_id, participant_uuid, number, day)
    select quiz_id, participant_uuid, ${randomBytes(CERTIFICATE_NUMBER_BYTES)}, ${day} from responses
    where quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid} for key share
    on conflict do nothing
  `.execute(db)
  return find()
}

/**
 * Returns the participant and the day of the certificate with this number; undefined if no certificate has the number.
 */
export const findCertificate = (
  db: Db,
  number: Uint8Array,
): Promise<(ParticipantKey & { day: string }) | undefined> =>
  db
    .selectFrom('certificates')
    .select(['quiz_id', 'participant_uuid', 'day'])
    .where('number', '=', Buffer.from(number))
    .executeTakeFirst()
