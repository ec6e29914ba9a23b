import type { DetailedCampaign, ShownCampaign, ShownPerson } from '#contract/campaigns.ts'
import { completeCounts, describeFailure } from '#domain/campaigns/campaign.ts'
import { lastSendingTime } from '#domain/campaigns/schedule.ts'
import type { Db } from '#server/db/database.ts'
import { countCreatorMails } from '#server/quiz-mails/mail-limits.store.ts'
import {
  type CampaignOfCreator,
  type CampaignRow,
  countGroups,
  countStates,
  listCampaigns,
  listWaitingMails,
  loadCampaign,
  type QuizOfCreator,
} from './campaigns.store.ts'
import type { InvitedPerson } from './invitations.store.ts'

/** Returns the time at which the last waiting mails of each campaign of a creator leave. */
const findLastSendings = async (
  read: Db,
  creator_id: string,
  mails_per_day: number,
): Promise<Map<string, string>> => {
  const now = new Date()
  const waiting = await listWaitingMails(read, creator_id, now)
  const nb_sent_today = await countCreatorMails(read, { user_id: creator_id, now })
  let nb_before = 0
  return new Map(
    waiting.flatMap(({ campaign_id, nb_waiting, starts_at }) => {
      nb_before += nb_waiting
      const backlog = { nb_waiting: nb_before, nb_sent_today, mails_per_day, starts_at }
      const last = lastSendingTime(backlog, now)
      return last === null ? [] : [[campaign_id, last] as const]
    }),
  )
}

/** Returns the campaigns of a creator's quiz with their people by state, newest first. */
export const showCampaigns = async (
  read: Db,
  owned: QuizOfCreator,
  mails_per_day: number,
): Promise<ShownCampaign[]> => {
  const rows = await listCampaigns(read, owned)
  const counts = await countStates(read, owned)
  const last = await findLastSendings(read, owned.creator_id, mails_per_day)
  return rows.map((row) => ({
    ...shownOf(row),
    counts: counts.get(row.id) ?? completeCounts([]),
    last_sending_at: row.status === 'running' ? (last.get(row.id) ?? null) : null,
  }))
}

/** Returns a campaign with its words and groups. Throws a 404 if it is absent or of another creator. */
export const showCampaign = async (
  read: Db,
  key: CampaignOfCreator,
  mails_per_day: number,
): Promise<DetailedCampaign> => {
  const row = await loadCampaign(read, key)
  const [shown] = (await showCampaigns(read, key, mails_per_day)).filter(({ id }) => id === row.id)
  if (!shown) throw new Error('a campaign is not listed')
  const { invitation_subject, invitation_text, reminder_subject, reminder_text } = row
  return {
    ...shown,
    words: { invitation_subject, invitation_text, reminder_subject, reminder_text },
    groups: await countGroups(read, row),
  }
}

const shownOf = (row: CampaignRow) => {
  const { id, name, is_anonymous, status, reminder_days } = row
  const { starts_at, ends_at, ended_at, created_at, nb_deleted_replies } = row
  return {
    ...{ id, name, is_anonymous, status, reminder_days },
    ...{ starts_at, ends_at, ended_at, created_at, nb_deleted_replies },
  }
}

/** Returns a person as the calls show them, without anything that leads to the link. */
export const shownPersonOf = (
  { failed_code, next_attempt_at, step: _, refusal, ...person }: InvitedPerson,
  { status }: CampaignRow,
): ShownPerson => ({
  ...person,
  refusal: refusal as ShownPerson['refusal'],
  failure: failed_code && describeFailure(failed_code),
  next_mail_at: status === 'ended' ? null : next_attempt_at,
})
