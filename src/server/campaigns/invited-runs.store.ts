import { sql } from 'kysely'
import type { CampaignStatus, InvitationState } from '#domain/campaigns/campaign.ts'
import type { Person } from '#domain/campaigns/people.ts'
import type { Db } from '#server/db/database.ts'
import { CREATOR_TIME_ZONE, REMAINING_PLACES } from '#server/published-versions/quiz-limits.ts'
import type { Submission } from '#server/responses/submission-statement.ts'
import {
  type Attempt,
  type Outcome,
  storeInTransaction,
} from '#server/responses/submissions.store.ts'
import { addAnonymousReply, countWaitingReplies } from './anonymous-replies.store.ts'
import { hashInvitationToken } from './invitation-links.ts'

/** Invitation of a link, with the state of its campaign. */
export type OpenedInvitation = Person & {
  quiz_id: string
  invitation_id: string
  campaign_id: string
  state: InvitationState
  participant_uuid: string | null
  sealed_progress: Buffer | null
  is_anonymous: boolean
  campaign_status: CampaignStatus
  ends_at: string
  /** True if the campaign takes no replies any more. */
  has_ended: boolean
  /** True if the quiz is in the trash, so that its page is gone. */
  is_trashed: boolean
  creator_id: string
}

type LinkKey = { quiz_id: string; token: string }

const selectInvitation = (db: Db, { quiz_id, token }: LinkKey) =>
  db
    .selectFrom('invitations')
    .innerJoin('campaigns', (join) =>
      join
        .onRef('campaigns.quiz_id', '=', 'invitations.quiz_id')
        .onRef('campaigns.id', '=', 'invitations.campaign_id'),
    )
    .innerJoin('all_quizzes', 'all_quizzes.id', 'invitations.quiz_id')
    .where('invitations.quiz_id', '=', quiz_id)
    .where('token_hash', '=', hashInvitationToken(token))

/** Returns the invitation of a link, also in the trash; undefined for a token that no invitation of the quiz has. */
export const findInvitation = (db: Db, key: LinkKey): Promise<OpenedInvitation | undefined> =>
  selectInvitation(db, key)
    .select(['invitations.quiz_id', 'invitations.id as invitation_id', 'campaign_id', 'state'])
    .select(['email', 'first_name', 'last_name', 'group_name', 'participant_uuid'])
    .select(['sealed_progress', 'is_anonymous', 'campaigns.status as campaign_status', 'ends_at'])
    .select(sql<boolean>`campaigns.status = 'ended' or ends_at <= now()`.as('has_ended'))
    .select(['creator_id', sql<boolean>`trashed_at is not null`.as('is_trashed')])
    .executeTakeFirst()

/** SQL expression for the present moment, or for the start of the day (UTC) in an anonymous campaign. */
const momentOf = ({ is_anonymous }: Pick<OpenedInvitation, 'is_anonymous'>) =>
  is_anonymous ? sql`date_trunc('day', now(), 'UTC')` : sql`now()`

/** Records that a person has opened the questionnaire, or has begun to answer. */
export const recordVisit = async (
  db: Db,
  invitation: Pick<OpenedInvitation, 'quiz_id' | 'invitation_id' | 'is_anonymous'>,
  step: 'opened' | 'started',
): Promise<void> => {
  const at = momentOf(invitation)
  await sql`
    update invitations
    set opened_at = coalesce(opened_at, ${at}),
      started_at = case when ${step === 'started'} then coalesce(started_at, ${at}) else started_at end
    where quiz_id = ${invitation.quiz_id} and id = ${invitation.invitation_id} and replied_at is null
      and (opened_at is null or (${step === 'started'} and started_at is null))
  `.execute(db)
}

/** Stores the replies of an unfinished run, or deletes them. Never stored for anonymous campaigns. */
export const storeProgress = async (
  db: Db,
  { quiz_id, invitation_id }: Pick<OpenedInvitation, 'quiz_id' | 'invitation_id'>,
  sealed_progress: Buffer | null,
): Promise<void> => {
  await db
    .updateTable('invitations')
    .set({ sealed_progress })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', invitation_id)
    .where('replied_at', 'is', null)
    .execute()
}

/** Records that a person wants no mails of this campaign. Mails that are being sent settle themselves. */
export const declineInvitation = async (
  db: Db,
  { quiz_id, invitation_id }: Pick<OpenedInvitation, 'quiz_id' | 'invitation_id'>,
): Promise<void> => {
  await sql`
    update invitations
    set refused_at = now(), refusal = 'declined', sealed_progress = null,
      next_attempt_at = case when lease_id is not null then next_attempt_at end
    where quiz_id = ${quiz_id} and id = ${invitation_id} and replied_at is null and refused_at is null
  `.execute(db)
}

/** Stored reply of an invited person. `has_released` is true if participants were stored. */
export type InvitedOutcome = { outcome: Outcome; has_released: boolean }

/**
 * Stores the reply of an invited person and marks the invitation, in one transaction. One reply is stored for each
 * invitation. A repeated submission of the run that replied is `known`, or `stored` again in an anonymous campaign.
 */
export const storeInvitedReply = (
  db: Db,
  { token, submission }: { token: string; submission: Submission },
  secretKey: string | Uint8Array,
): Promise<InvitedOutcome> =>
  db.transaction().execute(async (change) => {
    const { quiz_id, participant_uuid, run_secret_hash } = submission
    const nothing = (outcome: Outcome): InvitedOutcome => ({ outcome, has_released: false })
    // The quiz is locked first, as deletions do.
    const quiz = await sql`select from quizzes where id = ${quiz_id} for key share`.execute(change)
    if (quiz.rows.length === 0) return nothing({ kind: 'gone' })
    const invitation = await selectInvitation(change, { quiz_id, token })
      .select(['invitations.id', 'campaign_id', 'group_name', 'replied_at', 'participant_uuid'])
      .select(['run_secret_hash', 'is_anonymous'])
      .select(sql<boolean>`campaigns.status = 'ended' or ends_at <= now()`.as('has_ended'))
      .forUpdate('invitations')
      .executeTakeFirst()
    if (!invitation) return nothing({ kind: 'gone' })
    if (invitation.replied_at !== null) return nothing(repeatedOutcome(invitation, submission))
    if (invitation.has_ended) return nothing({ kind: 'campaign_ended' })
    const { campaign_id, group_name, is_anonymous } = invitation
    const marked = {
      replied_at: sql<string>`${momentOf({ is_anonymous })}`,
      next_attempt_at: sql<string | null>`case when lease_id is not null then next_attempt_at end`,
      sealed_progress: null,
      ...(is_anonymous ? { run_secret_hash } : { participant_uuid }),
    }
    const mark = () =>
      change
        .updateTable('invitations')
        .set(marked)
        .where('quiz_id', '=', quiz_id)
        .where('id', '=', invitation.id)
        .execute()
    if (is_anonymous) {
      const refusal = await refusalOf(change, quiz_id, secretKey)
      if (refusal) return nothing(refusal)
      await mark()
      const campaign = { quiz_id, id: campaign_id }
      const has_released = await addAnonymousReply(
        change,
        campaign,
        { submission, group_name },
        secretKey,
      )
      return { outcome: { kind: 'stored' }, has_released }
    }
    const [attempt] = await storeInTransaction(change, [submission])
    if (attempt?.kind !== 'stored') return nothing(outcomeOf(attempt))
    await change
      .updateTable('responses')
      .set({ campaign_id, group_name })
      .where('quiz_id', '=', quiz_id)
      .where('participant_uuid', '=', participant_uuid)
      .execute()
    await mark()
    return { outcome: attempt, has_released: true }
  })

/** Returns the outcome of a submission in a transaction, in which no quiz is locked by others or has another mode. */
const outcomeOf = (attempt: Attempt | undefined): Outcome =>
  attempt === undefined || attempt.kind === 'locked' || attempt.kind === 'limited'
    ? { kind: 'gone' }
    : attempt

const repeatedOutcome = (
  invitation: {
    is_anonymous: boolean
    participant_uuid: string | null
    run_secret_hash: Buffer | null
  },
  { participant_uuid, run_secret_hash }: Submission,
): Outcome => {
  if (!invitation.is_anonymous)
    return invitation.participant_uuid === participant_uuid
      ? { kind: 'known', version: 0, result_position: null }
      : { kind: 'already_replied' }
  const isSameRun =
    invitation.run_secret_hash !== null &&
    run_secret_hash !== null &&
    invitation.run_secret_hash.equals(run_secret_hash)
  return { kind: isSameRun ? 'stored' : 'already_replied' }
}

/** Returns why a quiz takes no anonymous reply now; undefined if it does. */
const refusalOf = async (
  db: Db,
  quiz_id: string,
  secretKey: string | Uint8Array,
): Promise<Outcome | undefined> => {
  const { rows } = await sql<
    { kind: 'unpublished' | 'unopened' | 'closed' | null } & {
      text: string | null
      opens_at: string | null
      time_zone: string | null
      nb_places: number | null
    }
  >`
    select case
        when status <> 'Publié' then 'unpublished'
        when opens_at > now() then 'unopened'
        when closes_at <= now() then 'closed'
      end as kind, closed_text as text, opens_at,
      ${sql.raw(CREATOR_TIME_ZONE)} as time_zone, ${sql.raw(REMAINING_PLACES)} as nb_places
    from quizzes where id = ${quiz_id}
  `.execute(db)
  const [row] = rows
  if (!row) return { kind: 'gone' }
  const { kind, text, opens_at, time_zone, nb_places } = row
  if (kind === 'unpublished') return { kind }
  if (kind === 'unopened' && opens_at !== null) return { kind, opens_at, time_zone }
  if (kind === 'closed') return { kind, text }
  const isFull =
    nb_places !== null && Number(nb_places) <= (await countWaitingReplies(db, quiz_id, secretKey))
  return isFull ? { kind: 'full', text } : undefined
}
