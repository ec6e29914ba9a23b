import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { InvitationState, StateCounts } from '#domain/campaigns/campaign.ts'
import { CAMPAIGN_LIMITS, completeCounts } from '#domain/campaigns/campaign.ts'
import type { CampaignWords } from '#domain/campaigns/campaign-mail.ts'
import { INVITATION } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/http/edge/errors.ts'

/** Quiz, and the creator who must own it. */
export type QuizOfCreator = { quiz_id: string; creator_id: string }
/** Campaign of a creator's quiz. */
export type CampaignOfCreator = QuizOfCreator & { campaign_id: string }

/** Settings and state of a campaign. */
export type CampaignRow = Omit<Selectable<Tables['campaigns']>, 'sealed_replies'>

/** Columns of a campaign, without its replies. */
const COLUMNS = [
  ...(['campaigns.quiz_id', 'campaigns.id', 'campaigns.name', 'is_anonymous'] as const),
  ...(['invitation_subject', 'invitation_text', 'reminder_subject', 'reminder_text'] as const),
  ...(['reminder_days', 'starts_at', 'ends_at', 'campaigns.status', 'ended_at'] as const),
  ...(['campaigns.created_at', 'nb_deleted_replies'] as const),
  ...(['before_quiz_id', 'before_campaign_id', 'actions_text'] as const),
] as const

const selectCampaigns = (db: Db, { quiz_id, creator_id }: QuizOfCreator) =>
  db
    .selectFrom('campaigns')
    .innerJoin('quizzes', 'quizzes.id', 'campaigns.quiz_id')
    .select(COLUMNS)
    .where('campaigns.quiz_id', '=', quiz_id)
    .where('creator_id', '=', creator_id)

/** Lists the campaigns of a creator's quiz, newest first. */
export const listCampaigns = (db: Db, owned: QuizOfCreator): Promise<CampaignRow[]> =>
  selectCampaigns(db, owned)
    .orderBy('campaigns.created_at', 'desc')
    .orderBy('campaigns.id')
    .execute()

/** Returns a campaign. Throws a 404 if it is absent or of another creator. `lock` blocks other changes of the campaign. */
export const loadCampaign = async (
  db: Db,
  { campaign_id, ...owned }: CampaignOfCreator,
  lock: 'lock' | 'read' = 'read',
): Promise<CampaignRow> => {
  const query = selectCampaigns(db, owned).where('campaigns.id', '=', campaign_id)
  const row = await (lock === 'lock' ? query.forNoKeyUpdate('campaigns') : query).executeTakeFirst()
  if (!row) throw notFound('Campagne introuvable')
  return row
}

/** Settings of a new campaign. */
export type NewCampaign = CampaignWords &
  Pick<CampaignRow, 'name' | 'is_anonymous' | 'reminder_days' | 'starts_at' | 'ends_at'>

/**
 * Inserts a campaign of a quiz that the caller has locked, and opens the mail channel of its creator. Throws a 409 if the
 * quiz has too many campaigns.
 */
export const insertCampaign = async (
  db: Db,
  { quiz_id, creator_id }: QuizOfCreator,
  campaign: NewCampaign,
): Promise<string> => {
  const { count } = await db
    .selectFrom('campaigns')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= CAMPAIGN_LIMITS.campaigns_per_quiz)
    throw conflict(
      'too_many_campaigns',
      `${CAMPAIGN_LIMITS.campaigns_per_quiz} campagnes au plus par questionnaire : supprimez-en une`,
    )
  const id = randomUUID()
  await db
    .insertInto('campaigns')
    .values({ quiz_id, id, ...campaign })
    .execute()
  await sql`
    insert into integration_connections (id, user_id, provider, status)
    values (gen_random_uuid(), ${creator_id}, ${INVITATION}, 'active')
    on conflict (user_id, provider) where quiz_id is null do nothing
  `.execute(db)
  return id
}

/** Changed settings of a campaign. */
export type CampaignChange = Partial<
  CampaignWords & Pick<CampaignRow, 'name' | 'ends_at' | 'status' | 'reminder_days'>
>

/** Changes a campaign that the caller has loaded and locked. */
export const updateCampaign = async (
  db: Db,
  { quiz_id, id }: Pick<CampaignRow, 'quiz_id' | 'id'>,
  change: CampaignChange,
): Promise<void> => {
  await db
    .updateTable('campaigns')
    .set(change)
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .execute()
}

/** Deletes a campaign that the caller has loaded, with its people. The replies stay among the participants. */
export const deleteCampaign = async (
  db: Db,
  { quiz_id, id }: Pick<CampaignRow, 'quiz_id' | 'id'>,
): Promise<void> => {
  await db
    .deleteFrom('invitations')
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', id)
    .execute()
  await db.deleteFrom('campaigns').where('quiz_id', '=', quiz_id).where('id', '=', id).execute()
}

/** People of a group of a campaign, by state. */
export type GroupCounts = { group_name: string | null; counts: StateCounts }

/** Returns the number of invitations by campaign and state, for the campaigns of a creator's quiz. */
export const countStates = async (
  db: Db,
  { quiz_id, creator_id }: QuizOfCreator,
): Promise<Map<string, StateCounts>> => {
  const { rows } = await sql<{ campaign_id: string; state: InvitationState; count: number }>`
    select campaign_id, state, count(*)::integer as count
    from invitations join quizzes on quizzes.id = quiz_id
    where quiz_id = ${quiz_id} and creator_id = ${creator_id}
    group by 1, 2
  `.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ campaign_id }) => campaign_id)].map(([id, found]) => [
      id,
      completeCounts(found),
    ]),
  )
}

/** Returns the number of invitations by group and state of a campaign that the caller has loaded. */
export const countGroups = async (
  db: Db,
  { quiz_id, id }: Pick<CampaignRow, 'quiz_id' | 'id'>,
): Promise<GroupCounts[]> => {
  const { rows } = await sql<{ group_name: string | null; state: InvitationState; count: number }>`
    select group_name, state, count(*)::integer as count
    from invitations where quiz_id = ${quiz_id} and campaign_id = ${id}
    group by 1, 2 order by group_name nulls last
  `.execute(db)
  return [...Map.groupBy(rows, ({ group_name }) => group_name)].map(([group_name, found]) => ({
    group_name,
    counts: completeCounts(found),
  }))
}

/** Number of mails that wait to be sent as soon as possible, and the start of their campaign. */
export type WaitingMails = {
  campaign_id: string
  nb_waiting: number
  starts_at: string
  first_at: string
}

/** Returns the waiting mails of each campaign of a creator that sends or will send, in the order of their due times. */
export const listWaitingMails = async (
  db: Db,
  creator_id: string,
  now: Date,
): Promise<WaitingMails[]> => {
  const { rows } = await sql<WaitingMails>`
    select campaign.id as campaign_id, count(*)::integer as nb_waiting, campaign.starts_at,
      min(next_attempt_at) as first_at
    from campaigns as campaign join quizzes on quizzes.id = campaign.quiz_id
    join invitations on invitations.quiz_id = campaign.quiz_id and campaign_id = campaign.id
    where creator_id = ${creator_id} and campaign.status = 'running'
      and next_attempt_at <= greatest(${now}::timestamptz, campaign.starts_at)
    group by campaign.quiz_id, campaign.id, campaign.starts_at
    order by first_at, campaign_id
  `.execute(db)
  return rows
}
