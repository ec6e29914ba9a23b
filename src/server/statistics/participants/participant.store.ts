import { sql } from 'kysely'
import { emailSearchTerm } from '#domain/common/addresses.ts'
import type { ChannelName } from '#domain/common/vocabulary.ts'
import type { DeliveryStatus } from '#domain/deliveries/delivery.ts'
import { deliveryReason, noConsentReason } from '#domain/deliveries/delivery-labels.ts'
import { CONSENT_KINDS, type ConsentKind } from '#domain/questionnaire/consent/consent.ts'
import type { Db } from '#server/db/database.ts'
import { type CompletedCalls, readDeliveredLabels } from '#server/db/delivery-tables.ts'
import {
  type StoredResponse,
  selectResponses,
} from '#server/statistics/selection/responses.store.ts'
import type { ParticipantKey } from './removal.store.ts'

type Person = { creator_id: string; email: string }

const ofPerson = ({ creator_id, email }: Person) => sql<boolean>`
  responses.quiz_id in (select id from all_quizzes where creator_id = ${creator_id})
  and lower(email) in (lower(${emailSearchTerm(email)}), lower(${email}))`

/** Lists all responses of a person to the quizzes of a creator, newest first. */
export const listResponsesOfPerson = (
  db: Db,
  person: Person,
): Promise<(StoredResponse & { quiz_id: string })[]> =>
  selectResponses(db)
    .select('quiz_id')
    .where(ofPerson(person))
    .orderBy('created_at', 'desc')
    .execute()

/** Lists the keys of all responses of a person to the quizzes of a creator. */
export const listParticipantKeysOfPerson = (db: Db, person: Person): Promise<ParticipantKey[]> =>
  db
    .selectFrom('responses')
    .select(['quiz_id', 'participant_uuid'])
    .where(ofPerson(person))
    .execute()

/** Returns the names of these quizzes by id. The caller has checked the owner. */
export const listQuizNames = async (
  db: Db,
  quiz_ids: readonly string[],
): Promise<Map<string, string>> => {
  if (quiz_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('all_quizzes')
    .select(['id', 'name'])
    .where('id', 'in', quiz_ids)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

type Outcome = { provider: ChannelName; connection_id: string; status: DeliveryStatus }

/** Returns the outcomes of the deliveries of these participants, by participant. */
export const listOutcomes = async (
  db: Db,
  quiz_id: string,
  participant_uuids: readonly string[],
): Promise<Map<string, Outcome[]>> => {
  const { rows } = await sql<Outcome & { participant_uuid: string }>`
    select participant_uuid, provider, connection_id, status from deliveries
    where quiz_id = ${quiz_id} and participant_uuid = any(${[...participant_uuids]}::uuid[])
    order by provider, connection_id
  `.execute(db)
  const by_participant = new Map<string, Outcome[]>(participant_uuids.map((uuid) => [uuid, []]))
  for (const { participant_uuid, ...outcome } of rows)
    by_participant.get(participant_uuid)?.push(outcome)
  return by_participant
}

type Delivery = Outcome & {
  /** URL of a webhook; null for an email tool. */
  url: string | null
  attempts: number
  last_attempt_at: string | null
  next_attempt_at: string | null
  settled_at: string | null
  last_code: string | null
  is_replaced: boolean
  completed_calls: CompletedCalls | null
}

/** Lists the deliveries of a participant, with the last attempt and the reason of the status. */
export const listDeliveriesOf = async (
  db: Db,
  quiz_id: string,
  {
    participant_uuid,
    consent_version,
  }: Pick<StoredResponse, 'participant_uuid' | 'consent_version'>,
) => {
  const { rows } = await sql<Delivery>`
    select provider, deliveries.connection_id, url, status, attempts, tried.at as last_attempt_at,
      case when status = 'pending' then next_attempt_at end as next_attempt_at,
      settled_at, last_code, is_replaced, completed_calls
    from deliveries left join lateral (
      select max(at) as at from delivery_attempts as tried
      where tried.quiz_id = deliveries.quiz_id and tried.connection_id = deliveries.connection_id
        and tried.participant_uuid = deliveries.participant_uuid
    ) as tried on true
    left join webhooks on webhooks.connection_id = deliveries.connection_id
    where quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}
    order by provider, deliveries.connection_id
  `.execute(db)
  return rows.map(({ last_code, completed_calls, ...delivery }) => {
    const { refused, ...delivered } = readDeliveredLabels(completed_calls)
    const reason =
      delivery.status === 'no_consent'
        ? noConsentReason(consent_version)
        : deliveryReason(delivery.status, last_code, refused)
    return { ...delivery, ...delivered, reason }
  })
}

/** Consent of a participant, with the wording that was accepted and the time of a withdrawal. */
type GivenConsent = {
  is_given: boolean
  withdrawn_at: string | null
  wording: { version: number; text: string; created_at: string } | null
}

/**
 * Returns both consents of a participant with the texts that were accepted, also before a withdrawal. A consent is null
 * if its box was not shown and nothing was withdrawn.
 */
export const findConsents = async (
  db: Db,
  quiz_id: string,
  {
    consent_version,
    measure_version,
    participant_uuid,
  }: Pick<StoredResponse, 'consent_version' | 'measure_version' | 'participant_uuid'>,
): Promise<{ consent: GivenConsent | null; measure_consent: GivenConsent | null }> => {
  const none = { consent: null, measure_consent: null }
  if (consent_version === null && measure_version === null) return none
  const row = await db
    .selectFrom('responses')
    .select(['consent_withdrawn_at', 'withdrawn_consent_version'])
    .select(['measure_withdrawn_at', 'withdrawn_measure_version'])
    .where('quiz_id', '=', quiz_id)
    .where('participant_uuid', '=', participant_uuid)
    .executeTakeFirst()
  const accepted = {
    forwarding: row?.withdrawn_consent_version ?? consent_version,
    measure: row?.withdrawn_measure_version ?? measure_version,
  }
  const texts = await db
    .selectFrom('consent_texts')
    .select(['kind', 'version', 'text', 'created_at'])
    .where('quiz_id', '=', quiz_id)
    .where((of) =>
      of.or(CONSENT_KINDS.map((kind) => of.and({ kind, version: accepted[kind] ?? 0 }))),
    )
    .execute()
  const consentOf = (
    kind: ConsentKind,
    version: number | null,
    withdrawn_at: string | null = null,
  ): GivenConsent | null => {
    if (version === null) return null
    const found = texts.find((text) => text.kind === kind)
    const wording = found
      ? { version: found.version, text: found.text, created_at: found.created_at }
      : null
    return { is_given: version > 0, withdrawn_at, wording }
  }
  return {
    consent: consentOf('forwarding', consent_version, row?.consent_withdrawn_at),
    measure_consent: consentOf('measure', measure_version, row?.measure_withdrawn_at),
  }
}

/** Returns the request to confirm the address of a participant, with its times; null if the participant was not asked. */
export const findConfirmation = async (
  db: Db,
  quiz_id: string,
  { participant_uuid }: Pick<StoredResponse, 'participant_uuid'>,
) =>
  (await db
    .selectFrom('responses')
    // Without a row, the mail has not left yet.
    .leftJoin('email_confirmations as confirmation', (on) =>
      on
        .onRef('confirmation.quiz_id', '=', 'responses.quiz_id')
        .onRef('confirmation.participant_uuid', '=', 'responses.participant_uuid'),
    )
    .select(({ fn }) => [
      fn.coalesce('confirmation.email', 'responses.email').$notNull().as('email'),
      fn.coalesce('asked_at', 'responses.created_at').$notNull().as('asked_at'),
      'reminded_at',
      'confirmed_at',
      'expired_at',
    ])
    .where('responses.quiz_id', '=', quiz_id)
    .where('responses.participant_uuid', '=', participant_uuid)
    .where('email_confirmation', 'is not', null)
    .executeTakeFirst()) ?? null
