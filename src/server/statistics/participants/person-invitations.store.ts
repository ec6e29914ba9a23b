import { type RawBuilder, sql } from 'kysely'
import type { InvitationState } from '#domain/campaigns/campaign.ts'
import { emailSearchTerm } from '#domain/common/addresses.ts'
import type { Db } from '#server/db/database.ts'

type Person = { creator_id: string; email: string }

/** SQL condition on a row of `invitations`: the invitation is of this person, by a creator. */
const isOfPerson = ({ creator_id, email }: Person): RawBuilder<boolean> => sql<boolean>`
  invitations.quiz_id in (select id from all_quizzes where creator_id = ${creator_id})
  and lower(invitations.email) in (lower(${emailSearchTerm(email)}), lower(${email}))`

/** Invitation of a person, with the names of its campaign and quiz. */
export type PersonInvitation = {
  quiz_id: string
  quiz_name: string
  campaign_name: string
  email: string
  first_name: string | null
  last_name: string | null
  group_name: string | null
  state: InvitationState
  opened_at: string | null
  started_at: string | null
  replied_at: string | null
  refused_at: string | null
}

/** Lists the invitations of a person in all campaigns of a creator, those of quizzes in the trash included. */
export const listInvitationsOfPerson = (db: Db, person: Person): Promise<PersonInvitation[]> =>
  db
    .selectFrom('invitations')
    .innerJoin('campaigns', (join) =>
      join
        .onRef('campaigns.quiz_id', '=', 'invitations.quiz_id')
        .onRef('campaigns.id', '=', 'invitations.campaign_id'),
    )
    .innerJoin('all_quizzes', 'all_quizzes.id', 'invitations.quiz_id')
    .select(['invitations.quiz_id', 'all_quizzes.name as quiz_name'])
    .select(['campaigns.name as campaign_name', 'email', 'first_name', 'last_name', 'group_name'])
    .select(['state', 'opened_at', 'started_at', 'replied_at', 'refused_at'])
    .where(isOfPerson(person))
    .orderBy('invitations.quiz_id')
    .orderBy('invitations.id')
    .execute()

/**
 * Deletes the invitations of a person in all campaigns of a creator, and returns their number. Their links lead nowhere
 * then, and no mail leaves any more. The reply of an anonymous campaign stays, because nothing tells whose it is.
 */
export const deleteInvitationsOfPerson = async (db: Db, person: Person): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where(isOfPerson(person))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * Deletes the people of campaigns that ended before the retention period of their quiz. People whose reply is deleted
 * earlier leave with it, by a trigger.
 */
export const deleteOldInvitations = async (db: Db): Promise<void> => {
  await sql`
    delete from invitations using retention, campaigns as campaign
    where retention.quiz_id = invitations.quiz_id and campaign.quiz_id = invitations.quiz_id
      and campaign.id = campaign_id and ended_at < now() - make_interval(months => months)
  `.execute(db)
}
