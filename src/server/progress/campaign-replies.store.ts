import { CAMPAIGN_LIMITS } from '#domain/campaigns/campaign.ts'
import type { ComparedReply } from '#domain/progress/compare-campaigns.ts'
import { dimensionKey } from '#domain/progress/compared-dimensions.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { readDimensions } from '#domain/run/stored-dimensions.ts'
import { percentOf } from '#domain/statistics/participant-columns.ts'
import type { CampaignRow } from '#server/campaigns/campaigns.store.ts'
import type { Db } from '#server/db/database.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import {
  type StoredResponse,
  selectResponses,
} from '#server/statistics/selection/responses.store.ts'

/** Campaign that the caller has loaded together with its owner. */
type LoadedCampaign = Pick<CampaignRow, 'quiz_id' | 'id'>

/** Person of an invitation. */
type InvitedPerson = {
  mailbox: string
  email: string
  first_name: string | null
  last_name: string | null
}

/** Reply of a campaign; `person` is null in an anonymous campaign. */
type CampaignReply = StoredResponse & {
  group_name: string | null
  person: InvitedPerson | null
}

/** Replies of a campaign, newest first, and the answered versions, newest first. */
export type CampaignReplies = { replies: CampaignReply[]; versions: ReadonlyMap<number, Snapshot> }

/** Returns the replies of a campaign with their people and versions. */
export const loadCampaignReplies = async (
  db: Db,
  { quiz_id, id }: LoadedCampaign,
): Promise<CampaignReplies> => {
  const responses = await selectResponses(db)
    .select('group_name')
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('participant_uuid', 'desc')
    .limit(CAMPAIGN_LIMITS.people)
    .execute()
  const invitations = await db
    .selectFrom('invitations')
    .select(['participant_uuid', 'mailbox_hash', 'email', 'first_name', 'last_name'])
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', id)
    .where('participant_uuid', 'is not', null)
    .execute()
  const people = new Map(
    invitations.map(({ participant_uuid, mailbox_hash, ...names }) => [
      participant_uuid,
      { ...names, mailbox: mailbox_hash.toString('hex') },
    ]),
  )
  return {
    replies: responses.map((reply) => ({
      ...reply,
      person: people.get(reply.participant_uuid) ?? null,
    })),
    versions: await loadVersions(db, quiz_id, [...new Set(responses.map((one) => one.version))]),
  }
}

/** Returns versions of a quiz that the caller has loaded, newest first. */
const loadVersions = async (
  db: Db,
  quiz_id: string,
  numbers: readonly number[],
): Promise<Map<number, Snapshot>> => {
  if (numbers.length === 0) return new Map()
  const rows = await db
    .selectFrom('quiz_versions')
    .select(['version', 'snapshot'])
    .where('quiz_id', '=', quiz_id)
    .where('version', 'in', numbers)
    .orderBy('version', 'desc')
    .execute()
  return new Map(rows.map(({ version, snapshot }) => [version, snapshot]))
}

/** Reply of a campaign with its compared figures. */
export type MeasuredReply = ComparedReply & { reply: CampaignReply }

/** Computes the compared figures of replies, and lets other calls run in between. */
export const measureReplies = async (
  { replies, versions }: CampaignReplies,
  { is_same_quiz, signal }: { is_same_quiz: boolean; signal: AbortSignal | undefined },
): Promise<MeasuredReply[]> => {
  const pause = yieldToEventLoop({ signal })
  const measured: MeasuredReply[] = []
  for (const reply of replies) {
    const snapshot = versions.get(reply.version)
    if (!snapshot) throw new Error(`Version ${reply.version} of a stored response is missing`)
    const dimensions = readDimensions(snapshot, reply.dimension_percents).map(
      ({ dimension_id, name, percent }) =>
        [dimensionKey({ id: dimension_id, name }, is_same_quiz), percent] as const,
    )
    measured.push({
      person_key: reply.person?.mailbox ?? null,
      group_name: reply.group_name,
      percent: percentOf(snapshot, reply),
      dimensions: new Map(dimensions),
      reply,
    })
    await pause()
  }
  return measured
}
