import { sql } from 'kysely'
import { dayInWords } from '#domain/common/date-words.ts'
import { localDay } from '#domain/common/time-zone.ts'
import { type DatedRun, type OwnProgress, ownProgress } from '#domain/progress/own-progress.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import type { Db } from '#server/db/database.ts'
import { findCachedVersion } from '#server/quizzes/versions.store.ts'
import type { ParticipantKey } from './reports.store.ts'

/** Run of a person in the campaign before, with the time of the reply. */
type EarlierRun = Omit<DatedRun, 'day'> & { created_at: string }

type Row = {
  quiz_id: string
  version: number
  created_at: string
  choices: (number | null)[]
  texts: string[]
}

/**
 * Returns the run with which the person of a participant replied to the campaign before. Undefined unless the campaign of
 * the participant names such a campaign, both are of one creator, neither is anonymous, and the mailbox is the same.
 */
const findEarlierRun = async (
  db: Db,
  { quiz_id, participant_uuid }: ParticipantKey,
): Promise<EarlierRun | undefined> => {
  const { rows } = await sql<Row>`
    select earlier.quiz_id, earlier.version, earlier.created_at, earlier.choices, earlier.texts
    from invitations as invitation
    join campaigns as campaign
      on (campaign.quiz_id, campaign.id) = (invitation.quiz_id, invitation.campaign_id)
    join campaigns as campaign_before
      on (campaign_before.quiz_id, campaign_before.id)
        = (campaign.before_quiz_id, campaign.before_campaign_id)
    join all_quizzes as quiz on quiz.id = campaign.quiz_id
    join quizzes as quiz_before
      on quiz_before.id = campaign_before.quiz_id and quiz_before.creator_id = quiz.creator_id
    join invitations as invitation_before
      on (invitation_before.quiz_id, invitation_before.campaign_id, invitation_before.mailbox_hash)
        = (campaign_before.quiz_id, campaign_before.id, invitation.mailbox_hash)
    join responses as earlier
      on (earlier.quiz_id, earlier.participant_uuid)
        = (invitation_before.quiz_id, invitation_before.participant_uuid)
    where invitation.quiz_id = ${quiz_id} and invitation.participant_uuid = ${participant_uuid}
      and not campaign.is_anonymous and not campaign_before.is_anonymous
  `.execute(db)
  const [row] = rows
  const snapshot = row && (await findCachedVersion(db, row.quiz_id, row.version))
  if (!row || !snapshot) return undefined
  return {
    quiz_id: row.quiz_id,
    created_at: row.created_at,
    snapshot,
    replies: unpackReplies(snapshot, row),
  }
}

/**
 * Returns the dimensions of a participant before and after; undefined unless the same person replied to the campaign that
 * the campaign of the participant names.
 */
export const findOwnProgress = async (
  db: Db,
  run: Omit<DatedRun, 'day'> & ParticipantKey & { created_at: string },
  time_zone: string,
): Promise<OwnProgress | undefined> => {
  // Most versions have no dimensions, and these participants cost no query.
  if (!run.snapshot.dimensions?.length) return undefined
  const earlier = await findEarlierRun(db, run)
  if (!earlier) return undefined
  const dayOf = (at: string): string => dayInWords(localDay(new Date(at), time_zone))
  return ownProgress(
    { ...earlier, day: dayOf(earlier.created_at) },
    { ...run, day: dayOf(run.created_at) },
  )
}
