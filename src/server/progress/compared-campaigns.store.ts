import { sql } from 'kysely'
import type { ComparableCampaign } from '#contract/progress.ts'
import { dimensionKey } from '#domain/progress/compared-dimensions.ts'
import type { CampaignRow } from '#server/campaigns/campaigns.store.ts'
import type { Db } from '#server/db/database.ts'

/** Maximum number of earlier campaigns that are looked at, and that are offered. */
const MAX_SEARCHED_CAMPAIGNS = 500
const MAX_CANDIDATES = 100

/** Campaign with the names of the dimensions of its draft. */
type FoundCampaign = ComparableCampaign & { dimension_names: string[] }

const namesOf = (found: Pick<FoundCampaign, 'dimension_names'>): Set<string> =>
  new Set(found.dimension_names.map((name) => dimensionKey({ id: '', name }, false)))

/**
 * Lists the campaigns of a creator that began before a campaign and can be compared with it, newest first: those of the
 * same quiz, and those of quizzes with a dimension of the same name. The caller has loaded the campaign with its owner.
 */
export const listCandidates = async (
  db: Db,
  { quiz_id, id, starts_at }: Pick<CampaignRow, 'quiz_id' | 'id' | 'starts_at'>,
  creator_id: string,
): Promise<ComparableCampaign[]> => {
  const { rows } = await sql<FoundCampaign>`
    select campaign.id as campaign_id, campaign.name, quiz.id as quiz_id, quiz.name as quiz_name,
      campaign.starts_at, campaign.is_anonymous,
      array(select dimension.name from dimensions as dimension where dimension.quiz_id = quiz.id) as dimension_names
    from quizzes as quiz join campaigns as campaign on campaign.quiz_id = quiz.id
    where quiz.creator_id = ${creator_id}
      and (campaign.id = ${id} or campaign.starts_at <= ${starts_at}::timestamptz)
    order by campaign.starts_at desc, campaign.id
    limit ${MAX_SEARCHED_CAMPAIGNS}
  `.execute(db)
  const own = namesOf(rows.find(({ campaign_id }) => campaign_id === id) ?? { dimension_names: [] })
  return rows
    .filter(
      (found) =>
        found.campaign_id !== id &&
        (found.quiz_id === quiz_id || [...namesOf(found)].some((name) => own.has(name))),
    )
    .slice(0, MAX_CANDIDATES)
    .map(({ dimension_names: _, ...candidate }) => candidate)
}

/** Returns a campaign of a creator by its id; undefined if it is absent, in the trash or of another creator. */
export const findCampaignOfCreator = async (
  db: Db,
  campaign_id: string,
  creator_id: string,
): Promise<ComparableCampaign | undefined> => {
  const { rows } = await sql<ComparableCampaign>`
    select campaign.id as campaign_id, campaign.name, quiz.id as quiz_id, quiz.name as quiz_name,
      campaign.starts_at, campaign.is_anonymous
    from quizzes as quiz join campaigns as campaign on campaign.quiz_id = quiz.id
    where quiz.creator_id = ${creator_id} and campaign.id = ${campaign_id}
  `.execute(db)
  return rows[0]
}

/** Stores the campaign before of a campaign that the caller has loaded and locked; null forgets it. */
export const storeBefore = async (
  db: Db,
  { quiz_id, id }: Pick<CampaignRow, 'quiz_id' | 'id'>,
  before: Pick<ComparableCampaign, 'quiz_id' | 'campaign_id'> | null,
): Promise<void> => {
  await db
    .updateTable('campaigns')
    .set({
      before_quiz_id: before?.quiz_id ?? null,
      before_campaign_id: before?.campaign_id ?? null,
    })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .execute()
}
