import type { ComparableCampaign, ShownProgress } from '#contract/progress.ts'
import {
  type ComparedFigure,
  type Comparison,
  comparedFigures,
  compareMeans,
  comparePairs,
  groupOfPair,
  type Measure,
  pairReplies,
  type ReplyPair,
} from '#domain/progress/compare-campaigns.ts'
import { type ComparedDimensions, compareDimensions } from '#domain/progress/compared-dimensions.ts'
import { type NamedReply, type PeopleTable, peopleTable } from '#domain/progress/people-table.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { type CampaignRow, loadCampaign } from '#server/campaigns/campaigns.store.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, notFound } from '#server/http/edge/errors.ts'
import {
  loadCampaignReplies,
  type MeasuredReply,
  measureReplies,
} from './campaign-replies.store.ts'
import { findCampaignOfCreator } from './compared-campaigns.store.ts'

/** Campaign of a creator and the earlier one; without `before`, the one that the campaign names. */
export type ProgressQuery = {
  quiz_id: string
  creator_id: string
  campaign_id: string
  before?: string | undefined
}

/** Both campaigns with their replies. */
export type ReadCampaigns = {
  campaign: CampaignRow
  before: ComparableCampaign
  replies: { before: MeasuredReply[]; after: MeasuredReply[] }
  figures: ComparedFigure[]
  dimensions: ComparedDimensions
  is_paired: boolean
}

/** Creates the 409 error of two campaigns that cannot be compared. */
export const notComparable = () =>
  conflict(
    'not_comparable',
    'Ces deux campagnes ne se comparent pas : il faut un même questionnaire, ou des dimensions du même nom, et que la campagne d’avant commence avant',
  )

const dimensionsOf = (versions: ReadonlyMap<number, Snapshot>) =>
  [...versions.values()].map(({ dimensions = [] }) => dimensions)

/** Returns the campaign before; undefined if none is given or named. Throws a 404 for one of another creator. */
export const findBefore = async (
  db: Db,
  campaign: Pick<CampaignRow, 'id' | 'starts_at' | 'before_campaign_id'>,
  { creator_id, before }: Pick<ProgressQuery, 'creator_id' | 'before'>,
): Promise<ComparableCampaign | undefined> => {
  const id = before ?? campaign.before_campaign_id
  if (id === null) return undefined
  const found = await findCampaignOfCreator(db, id, creator_id)
  if (!found) {
    if (before === undefined) return undefined
    throw notFound('Campagne introuvable')
  }
  if (found.campaign_id === campaign.id) throw notComparable()
  if (Date.parse(found.starts_at) > Date.parse(campaign.starts_at)) throw notComparable()
  return found
}

/**
 * Reads the replies of both campaigns in the snapshot of the caller; undefined without a campaign before. Throws a 404 if a
 * campaign is absent or of another creator, and a 409 if they cannot be compared.
 */
export const readCampaigns = async (
  read: Db,
  query: ProgressQuery,
  signal?: AbortSignal,
): Promise<ReadCampaigns | undefined> => {
  const campaign = await loadCampaign(read, query)
  const before = await findBefore(read, campaign, query)
  if (!before) return undefined
  const is_same_quiz = before.quiz_id === campaign.quiz_id
  const earlier = await loadCampaignReplies(read, {
    quiz_id: before.quiz_id,
    id: before.campaign_id,
  })
  const later = await loadCampaignReplies(read, campaign)
  const dimensions = compareDimensions(
    dimensionsOf(earlier.versions),
    dimensionsOf(later.versions),
    is_same_quiz,
  )
  const has_replies = earlier.replies.length > 0 && later.replies.length > 0
  if (!is_same_quiz && has_replies && dimensions.common.length === 0) throw notComparable()
  const replies = {
    before: await measureReplies(earlier, { is_same_quiz, signal }),
    after: await measureReplies(later, { is_same_quiz, signal }),
  }
  return {
    campaign,
    before,
    replies,
    dimensions,
    figures: comparedFigures(replies.before, replies.after, dimensions.common),
    is_paired: !before.is_anonymous && !campaign.is_anonymous,
  }
}

/** Returns the table of the people who replied to both campaigns, sorted by group and address. */
export const tableOfPeople = (
  { replies, figures }: Pick<ReadCampaigns, 'replies' | 'figures'>,
  time_zone: string,
): PeopleTable => {
  const named = ({ reply, ...compared }: MeasuredReply): NamedReply => ({
    ...compared,
    created_at: reply.created_at,
    email: reply.person?.email ?? '',
    first_name: reply.person?.first_name ?? null,
    last_name: reply.person?.last_name ?? null,
  })
  // People without a group come last.
  const keyOf = (pair: ReplyPair<NamedReply>): string =>
    `${groupOfPair(pair) ?? '\uffff'}\n${pair.after.email}`
  const collator = new Intl.Collator('fr')
  const sorted = pairReplies(replies.before.map(named), replies.after.map(named))
    .map((pair) => ({ pair, key: keyOf(pair) }))
    .sort((first, second) => collator.compare(first.key, second.key))
    .map(({ pair }) => pair)
  return peopleTable(sorted, figures, time_zone)
}

const shownMeasures = (measures: readonly Measure[]): ShownProgress['measures'] =>
  measures.map(({ key: _, ...measure }) => measure)

/** Returns the comparison of two read campaigns, as the calls and the file for an audit show it. */
export const showProgress = (read: ReadCampaigns): ShownProgress => {
  const { before, is_paired, replies, figures, dimensions } = read
  const pairs = is_paired ? pairReplies(replies.before, replies.after) : []
  const comparison: Comparison = is_paired
    ? comparePairs(pairs, figures)
    : compareMeans(replies.before, replies.after, figures)
  return {
    before,
    is_paired,
    nb_before: replies.before.length,
    nb_after: replies.after.length,
    nb_people: is_paired ? pairs.length : null,
    measures: shownMeasures(comparison.measures),
    groups: comparison.groups.map(({ group_name, measures }) => ({
      group_name,
      measures: shownMeasures(measures),
    })),
    nb_left_out_groups: comparison.nb_left_out_groups,
    left_out_dimensions: dimensions.left_out,
  }
}
