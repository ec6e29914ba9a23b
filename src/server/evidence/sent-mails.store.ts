import { sql } from 'kysely'
import type { SentMail } from '#domain/evidence/journal.ts'
import type { CampaignRow } from '#server/campaigns/campaigns.store.ts'
import type { Db } from '#server/db/database.ts'

/** Lists the mails that left to the people of a campaign that the caller has loaded, in the order of their times. */
export const listSentMails = async (
  db: Db,
  { quiz_id, id }: Pick<CampaignRow, 'quiz_id' | 'id'>,
): Promise<SentMail[]> => {
  const { rows } = await sql<SentMail>`
    select sent.at, (sent.rank - 1)::integer as step, email, first_name, last_name, group_name, state
    from invitations cross join lateral unnest(sent_at) with ordinality as sent(at, rank)
    where quiz_id = ${quiz_id} and campaign_id = ${id} and sent.at is not null
    order by sent.at, email
  `.execute(db)
  return rows
}

/** Returns the times at which versions of a quiz that the caller has loaded were published, newest first. */
export const listPublicationDays = (
  db: Db,
  quiz_id: string,
  versions: readonly number[],
): Promise<{ version: number; published_at: string }[]> =>
  db
    .selectFrom('quiz_versions')
    .select(['version', 'published_at'])
    .where('quiz_id', '=', quiz_id)
    .where('version', 'in', versions)
    .orderBy('version', 'desc')
    .execute()
