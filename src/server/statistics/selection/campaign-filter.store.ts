import { type RawBuilder, sql } from 'kysely'
import { MIN_ANONYMOUS_REPLIES } from '#domain/campaigns/reply-pool.ts'
import type { Db } from '#server/db/database.ts'
import { conflict } from '#server/http/edge/errors.ts'
import type { Selection } from './indexed-filters.store.ts'

/** Campaign by which participants can be filtered, with the names of its groups. */
export type CampaignChoice = { id: string; name: string; groups: string[] }

/** Campaigns of a quiz, and whether it has replies of anonymous campaigns. */
type CampaignState = { campaigns: CampaignChoice[]; has_anonymous: boolean }

/** Reads the campaigns of a quiz for the filters. */
export const readCampaignState = async (db: Db, quiz_id: string): Promise<CampaignState> => {
  const { rows } = await sql<CampaignState>`
    select exists (select from responses where quiz_id = ${quiz_id} and is_anonymous) as has_anonymous,
      coalesce((
        select json_agg(json_build_object('id', id, 'name', name, 'groups', groups) order by created_at desc, id)
        from campaigns cross join lateral (
          select coalesce(json_agg(group_name order by group_name), '[]') as groups
          from (
            select distinct group_name from invitations
            where invitations.quiz_id = campaigns.quiz_id and campaign_id = campaigns.id
              and group_name is not null
          ) as group_names
        ) as listed_groups
        where campaigns.quiz_id = ${quiz_id}
      ), '[]') as campaigns
  `.execute(db)
  return rows[0] ?? { campaigns: [], has_anonymous: false }
}

/** Returns the selections of the filters `campaign` and `group`: participants who replied with an invitation. */
export const filterByCampaign = (
  db: Db,
  quiz_id: string,
  { campaign, group }: { campaign: string | undefined; group: string | undefined },
): Selection[] => {
  const inCampaign = campaign ? sql<boolean>`campaign_id = ${campaign}::uuid` : undefined
  const ofGroup = group
    ? sql<boolean>`(campaign_id is not null and group_name = ${group})`
    : undefined
  return [
    ...(inCampaign
      ? [
          {
            condition: inCampaign,
            upperBound: async () => {
              const { rows } = await sql<{ count: number }>`
                select count(*)::integer as count from responses
                where quiz_id = ${quiz_id} and ${inCampaign}
              `.execute(db)
              return rows[0]?.count ?? 0
            },
          },
        ]
      : []),
    ...(ofGroup ? [{ condition: ofGroup, upperBound: async () => Number.POSITIVE_INFINITY }] : []),
  ]
}

/**
 * Throws a 409 if a selection has a reply of an anonymous campaign and fewer than five participants in all, because so few
 * could be recognised. The caller knows that the quiz has such replies.
 */
export const refuseFewReplies = async (
  db: Db,
  quiz_id: string,
  condition: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<void> => {
  const { rows } = await sql<{ count: number; has_anonymous: boolean | null }>`
    select count(*)::integer as count, bool_or(is_anonymous) as has_anonymous from (
      select is_anonymous from responses where quiz_id = ${quiz_id} and ${condition}
      limit ${MIN_ANONYMOUS_REPLIES}
    ) as selected
  `.execute(db)
  const [row] = rows
  if (row?.has_anonymous && row.count < MIN_ANONYMOUS_REPLIES)
    throw conflict(
      'too_few_replies',
      `Moins de ${MIN_ANONYMOUS_REPLIES} réponses, dont une anonyme au moins : les chiffres ne sont pas montrés. Retirez un filtre.`,
    )
}
