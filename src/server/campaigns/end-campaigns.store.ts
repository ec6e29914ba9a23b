import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { closeAnonymousReplies } from './anonymous-replies.store.ts'

/** Maximum number of campaigns that one run ends. */
const MAX_ENDED_AT_ONCE = 50

type CampaignKey = { quiz_id: string; id: string }
type SecretKey = string | Uint8Array

/**
 * Ends a campaign in a transaction of the caller: no mail leaves any more, and unfinished replies are deleted. Replies of
 * an anonymous campaign are stored together, or deleted if they are fewer than five. Does nothing if it has
 * ended or its quiz is in the trash.
 */
export const endCampaign = async (
  db: Db,
  { quiz_id, id }: CampaignKey,
  secretKey: SecretKey,
): Promise<void> => {
  // The quiz is locked first, as submissions and deletions do.
  const quiz = await sql`select from quizzes where id = ${quiz_id} for no key update`.execute(db)
  if (quiz.rows.length === 0) return
  const ended = await db
    .updateTable('campaigns')
    .set({
      status: 'ended',
      ended_at: sql<string>`now()`,
      ends_at: sql<string>`least(ends_at, now())`,
    })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .where('status', '<>', 'ended')
    .returning('is_anonymous')
    .executeTakeFirst()
  if (!ended) return
  await sql`
    with open_invitation as (
      select quiz_id, id from invitations where quiz_id = ${quiz_id} and campaign_id = ${id}
        and (next_attempt_at is not null or sealed_progress is not null or run_secret_hash is not null)
      order by quiz_id, id for update
    )
    update invitations as invitation
    set next_attempt_at = null, sealed_progress = null, run_secret_hash = null
    from open_invitation
    where (invitation.quiz_id, invitation.id) = (open_invitation.quiz_id, open_invitation.id)
  `.execute(db)
  if (ended.is_anonymous) await closeAnonymousReplies(db, { quiz_id, id }, secretKey)
}

/**
 * Ends the campaigns whose end has passed, each in a transaction of its own. Returns the quizzes of the ended ones, and the
 * errors of the others, which the next run tries again.
 */
export const endDueCampaigns = async (
  db: Db,
  now: Date,
  secretKey: SecretKey,
): Promise<{ quiz_ids: string[]; errors: unknown[] }> => {
  const due = await db
    .selectFrom('campaigns')
    // Campaigns in the trash end after their quiz is restored.
    .innerJoin('quizzes', 'quizzes.id', 'quiz_id')
    .select(['quiz_id', 'campaigns.id'])
    .where('campaigns.status', '<>', 'ended')
    // Both clocks must have passed the end, because an end cannot be undone.
    .where(sql<boolean>`ends_at <= least(now(), ${now}::timestamptz)`)
    .orderBy('ends_at')
    .limit(MAX_ENDED_AT_ONCE)
    .execute()
  const quiz_ids: string[] = []
  const errors: unknown[] = []
  for (const campaign of due)
    try {
      await db.transaction().execute((change) => endCampaign(change, campaign, secretKey))
      quiz_ids.push(campaign.quiz_id)
    } catch (error) {
      errors.push(error)
    }
  return { quiz_ids, errors }
}
