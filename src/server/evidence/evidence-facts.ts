import type { ShownProgress } from '#contract/progress.ts'
import { completeCounts } from '#domain/campaigns/campaign.ts'
import { dayInWords } from '#domain/common/date-words.ts'
import { localDay } from '#domain/common/time-zone.ts'
import { createResultCounts } from '#domain/evidence/count-results.ts'
import type { EvidenceFacts } from '#domain/evidence/evidence-document.ts'
import { journalOf, sentMailsOf } from '#domain/evidence/journal.ts'
import { createWorkbook, type Workbook } from '#domain/evidence/workbook.ts'
import type { PeopleTable } from '#domain/progress/people-table.ts'
import { earnsCertificate } from '#domain/reports/certificate.ts'
import { unpackReplies } from '#domain/run/stored-replies.ts'
import { type CampaignRow, countGroups, loadCampaign } from '#server/campaigns/campaigns.store.ts'
import type { Db } from '#server/db/database.ts'
import {
  type CampaignReplies,
  loadCampaignReplies,
} from '#server/progress/campaign-replies.store.ts'
import { readCampaigns, showProgress, tableOfPeople } from '#server/progress/compare.ts'
import { findTimeZoneOfQuiz, loadQuiz } from '#server/quizzes/quizzes.store.ts'
import { findVersion } from '#server/quizzes/versions.store.ts'
import { yieldToEventLoop } from '#server/runtime/yield-to-event-loop.ts'
import { listPublicationDays, listSentMails } from './sent-mails.store.ts'

/** Campaign of a creator. */
export type CampaignKey = { quiz_id: string; campaign_id: string; creator_id: string }

/** Content of a file for an audit, before its documents are written. */
export type EvidenceContent = {
  facts: EvidenceFacts
  /** Replies; null if an anonymous campaign has fewer than five. */
  workbook: Workbook | null
  /** Changes of people; null without a comparison of people. */
  people: PeopleTable | null
  journal: ReturnType<typeof journalOf>
  /** Participants with a certificate; an empty list for an anonymous campaign. */
  certified: { participant_uuid: string; name: string | null }[]
}

/** Reads all that a file for an audit states, in the snapshot of the caller. Throws a 404 for a foreign campaign. */
export const readEvidence = async (
  read: Db,
  key: CampaignKey,
  signal: AbortSignal,
): Promise<EvidenceContent> => {
  const { quiz_id } = key
  const campaign = await loadCampaign(read, key)
  const { quiz, published_version } = await loadQuiz(read, key)
  const time_zone = await findTimeZoneOfQuiz(read, quiz_id)
  const loaded = await loadCampaignReplies(read, campaign)
  const [newest] = loaded.versions.values()
  const snapshot = newest ?? (await findVersion(read, quiz_id, published_version ?? 0))
  if (!snapshot) throw new Error(`No version of ${quiz_id} was found`)
  const groups = await countGroups(read, campaign)
  const mails = await listSentMails(read, campaign)
  const { results, certified } = await countReplies(loaded, campaign, signal)
  const compared = campaign.before_campaign_id ? await readCampaigns(read, key, signal) : undefined
  const dayOf = (at: string): string => dayInWords(localDay(new Date(at), time_zone))
  return {
    facts: {
      snapshot,
      versions: await versionsOf(read, campaign, { loaded, published_version, dayOf }),
      campaign: describeCampaign(campaign, dayOf),
      written_on: dayOf(new Date().toISOString()),
      counts: completeCounts(
        groups.flatMap(({ counts }) =>
          Object.entries(counts).map(([state, count]) => ({
            state: state as keyof typeof counts,
            count,
          })),
        ),
      ),
      groups,
      mails: sentMailsOf(mails, dayOf),
      results,
      progress: compared ? shownProgress(showProgress(compared)) : null,
      actions_text: campaign.actions_text,
    },
    workbook: createWorkbook(loaded, {
      is_anonymous: campaign.is_anonymous,
      type: quiz.type,
      time_zone,
    }),
    people: compared?.is_paired ? tableOfPeople(compared, time_zone) : null,
    journal: journalOf(mails, { is_anonymous: campaign.is_anonymous, time_zone }),
    certified,
  }
}

const shownProgress = ({ before, is_paired, nb_people, measures, groups }: ShownProgress) => ({
  before,
  is_paired,
  nb_people,
  measures,
  groups,
})

const describeCampaign = (
  campaign: CampaignRow,
  dayOf: (at: string) => string,
): EvidenceFacts['campaign'] => ({
  name: campaign.name,
  is_anonymous: campaign.is_anonymous,
  starts_on: dayOf(campaign.starts_at),
  ends_on: dayOf(campaign.ended_at ?? campaign.ends_at),
  has_ended: campaign.status === 'ended',
  nb_deleted_replies: campaign.nb_deleted_replies,
  reminder_days: campaign.reminder_days,
})

/** Returns the answered versions with their days; the published version if there are no replies. */
const versionsOf = async (
  read: Db,
  { quiz_id }: CampaignRow,
  {
    loaded,
    published_version,
    dayOf,
  }: { loaded: CampaignReplies; published_version: number | null; dayOf: (at: string) => string },
): Promise<EvidenceFacts['versions']> => {
  const answered = [...loaded.versions.keys()]
  const numbers = answered.length > 0 ? answered : [published_version ?? 0]
  const counts = Map.groupBy(loaded.replies, ({ version }) => version)
  return (await listPublicationDays(read, quiz_id, numbers)).map(({ version, published_at }) => ({
    version,
    published_on: dayOf(published_at),
    nb_replies: counts.get(version)?.length ?? 0,
  }))
}

/** Counts the replies, and finds the participants with a certificate. Lets other calls run in between. */
const countReplies = async (
  { replies, versions }: CampaignReplies,
  { is_anonymous }: CampaignRow,
  signal: AbortSignal,
): Promise<Pick<EvidenceFacts, 'results'> & Pick<EvidenceContent, 'certified'>> => {
  const pause = yieldToEventLoop({ signal })
  const counts = createResultCounts(versions)
  const certified: EvidenceContent['certified'] = []
  for (const reply of replies) {
    counts.add(reply)
    const snapshot = versions.get(reply.version)
    if (!is_anonymous && snapshot && earnsCertificate(snapshot, unpackReplies(snapshot, reply))) {
      const { first_name = null, last_name = null } = reply.person ?? {}
      const name = [first_name, last_name].filter((part) => part !== null).join(' ') || null
      certified.push({ participant_uuid: reply.participant_uuid, name })
    }
    await pause()
  }
  return { results: counts.read(), certified }
}
