import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { CAMPAIGN_LIMITS, type InvitationState } from '#domain/campaigns/campaign.ts'
import type { Person } from '#domain/campaigns/people.ts'
import { mailboxKeyOf } from '#domain/common/addresses.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, notFound } from '#server/http/edge/errors.ts'
import { hashMailbox, listRefusals } from '#server/quiz-mails/mail-limits.store.ts'
import type { CampaignRow } from './campaigns.store.ts'
import { hashInvitationToken, type InvitationLinks } from './invitation-links.ts'

type CampaignKey = Pick<CampaignRow, 'quiz_id' | 'id'>

/** Outcome of adding people: their numbers, and the addresses that the campaign already has. */
export type AddedPeople = { nb_added: number; nb_refused: number; known: string[] }

/**
 * Adds people to a campaign that the caller has locked; their invitations are due at the start of the campaign. People who
 * refuse the creator's mails are stored as refused. Each mailbox is added once. Throws a 409 above the limit.
 */
export const insertInvitations = async (
  db: Db,
  { quiz_id, id: campaign_id, starts_at }: CampaignKey & Pick<CampaignRow, 'starts_at'>,
  people: readonly Person[],
  { creator_id, links, now }: { creator_id: string; links: InvitationLinks; now: Date },
): Promise<AddedPeople> => {
  const { count } = await db
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', campaign_id)
    .executeTakeFirstOrThrow()
  if (Number(count) + people.length > CAMPAIGN_LIMITS.people)
    throw conflict(
      'too_many_people',
      `${CAMPAIGN_LIMITS.people} personnes au plus par campagne : elle en a déjà ${count}`,
    )
  const byMailbox = new Map(people.map((person) => [mailboxKeyOf(person.email), person]))
  const refusals = await listRefusals(db, {
    user_id: creator_id,
    emails: [...byMailbox.values()].map(({ email }) => email),
  })
  const rows = [...byMailbox.values()].map((person) => {
    const id = randomUUID()
    return {
      ...person,
      id,
      has_refused: refusals.has(mailboxKeyOf(person.email)),
      mailbox_hash: hashMailbox(person.email).toString('hex'),
      token_hash: hashInvitationToken(links.write(id)).toString('hex'),
    }
  })
  const due_at = new Date(Math.max(now.getTime(), Date.parse(starts_at)))
  const { rows: added } = await sql<{ email: string; has_refused: boolean }>`
    insert into invitations (
      quiz_id, id, campaign_id, email, mailbox_hash, first_name, last_name, group_name, token_hash, refused_at,
      refusal, next_attempt_at
    )
    select ${quiz_id}, id, ${campaign_id}, email, decode(mailbox_hash, 'hex'), first_name, last_name, group_name,
      decode(token_hash, 'hex'), case when has_refused then ${now}::timestamptz end,
      case when has_refused then 'unsubscribed' end,
      case when not has_refused then ${due_at}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as person(
      id uuid, email text, mailbox_hash text, first_name text, last_name text, group_name text, token_hash text,
      has_refused boolean
    )
    on conflict (quiz_id, campaign_id, mailbox_hash) do nothing
    returning email, refusal is not null as has_refused
  `.execute(db)
  const emails = new Set(added.map(({ email }) => email))
  return {
    nb_added: added.length,
    nb_refused: added.filter(({ has_refused }) => has_refused).length,
    known: rows.map(({ email }) => email).filter((email) => !emails.has(email)),
  }
}

/** Filter of the people of a campaign; `group_name` null selects people without a group. */
export type PeopleFilter = {
  state?: InvitationState | undefined
  group_name?: string | null | undefined
  /** Id after which the page begins. */
  after?: string | undefined
  limit: number
}

/** Person of a campaign, without the link. */
export type InvitedPerson = Person & {
  id: string
  state: InvitationState
  opened_at: string | null
  started_at: string | null
  replied_at: string | null
  refused_at: string | null
  refusal: string | null
  failed_code: string | null
  sent_at: (string | null)[]
  next_attempt_at: string | null
  step: number
  participant_uuid: string | null
}

/** Lists people of a campaign that the caller has loaded, in the order of their random ids. */
export const listPeople = (
  db: Db,
  { quiz_id, id }: CampaignKey,
  { state, group_name, after, limit }: PeopleFilter,
): Promise<InvitedPerson[]> => {
  let query = db
    .selectFrom('invitations')
    .select(['id', 'email', 'first_name', 'last_name', 'group_name', 'state', 'opened_at'])
    .select(['started_at', 'replied_at', 'refused_at', 'refusal', 'failed_code', 'sent_at'])
    .select(['next_attempt_at', 'step', 'participant_uuid'])
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', id)
    .orderBy('id')
    .limit(limit)
  if (state) query = query.where('state', '=', state)
  if (group_name === null) query = query.where('group_name', 'is', null)
  else if (group_name !== undefined) query = query.where('group_name', '=', group_name)
  if (after) query = query.where('id', '>', after)
  return query.execute()
}

/** Removes a person from a campaign that the caller has loaded. Throws a 404 if the campaign has no such person. */
export const deleteInvitation = async (
  db: Db,
  { quiz_id, id: campaign_id }: CampaignKey,
  id: string,
): Promise<void> => {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', campaign_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('Personne introuvable')
}

/**
 * Replaces an address that fails, and makes the mail due again. Throws a 404 if the campaign has no such person, and a 409
 * for a person whose address works or a mailbox that the campaign already has.
 */
export const replaceAddress = async (
  db: Db,
  { quiz_id, id: campaign_id }: CampaignKey,
  { id, email, creator_id, now }: { id: string; email: string; creator_id: string; now: Date },
): Promise<void> => {
  const person = await db
    .selectFrom('invitations')
    .select(['failed_code', 'mailbox_hash'])
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', campaign_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!person) throw notFound('Personne introuvable')
  if (person.failed_code === null)
    throw conflict('address_works', 'Cette adresse n’est pas en échec : elle ne change plus')
  const mailbox_hash = hashMailbox(email)
  const other = await db
    .selectFrom('invitations')
    .select('id')
    .where('quiz_id', '=', quiz_id)
    .where('campaign_id', '=', campaign_id)
    .where('mailbox_hash', '=', mailbox_hash)
    .where('id', '<>', id)
    .executeTakeFirst()
  if (other) throw conflict('already_invited', 'Cette adresse est déjà dans la campagne')
  const refusals = await listRefusals(db, { user_id: creator_id, emails: [email] })
  const has_refused = refusals.size > 0
  await db
    .updateTable('invitations')
    .set({
      email,
      mailbox_hash,
      failed_code: null,
      last_code: null,
      attempts: 0,
      give_up_at: null,
      is_counted: false,
      next_attempt_at: has_refused ? null : now,
      refused_at: has_refused ? now : null,
      refusal: has_refused ? 'unsubscribed' : null,
    })
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', id)
    .execute()
}
