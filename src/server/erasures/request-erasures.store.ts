import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { type ChannelName, PROVIDERS, WEBHOOK } from '#domain/common/vocabulary.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { ErasureChoices, ErasureKind } from '#domain/deliveries/erasures.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import type { SealedRow, Vault } from '#server/runtime/sealing.ts'
import { HAS_REACHED } from './erasures.store.ts'

/** Person to erase: by email address at a tool, by participant id at a webhook. */
export type SealedPerson = { email: string } | { participant_uuid: string }

const sealedPerson = z.union([
  z.object({ email: z.string() }),
  z.object({ participant_uuid: z.uuid() }),
])

/** Encrypts a person for storage until the erasure is done. */
export const sealPerson = (vault: Vault, row: SealedRow, person: SealedPerson): Buffer =>
  vault.seal(row, JSON.stringify(person))

/** Decrypts a person. Returns undefined if the value belongs to another row or another SECRET_KEY. */
export const openPerson = (
  vault: Vault,
  row: SealedRow,
  sealed: Buffer,
): SealedPerson | undefined => {
  try {
    return sealedPerson.parse(JSON.parse(vault.open(row, sealed)))
  } catch {
    return undefined
  }
}

type ParticipantKey = { quiz_id: string; participant_uuid: string }

/** Participants to delete, and the kind of erasure to request from each tool. */
export type ErasureRequest = {
  creator_id: string
  participant_keys: readonly ParticipantKey[]
  choices: ErasureChoices
  /** True if the participant asked for the erasure. */
  by_participant?: boolean
  /** True if the participants stay stored, because they only withdrew their consent. Webhooks then get no event. */
  keeps_participants?: boolean
}

/** Locked delivery of the person. */
type LockedDelivery = ParticipantKey & {
  provider: ChannelName
  connection_id: string
  vendor_contact_id: string | null
  /** True if this participant is being deleted. */
  is_deleted: boolean
  has_reached: boolean
  email: string | null
  /** End of the lease of a running call that may write the person. */
  lease_until: string | null
}

/**
 * Maximum clock difference between processes. A contact id stored this soon after an account was replaced may
 * belong to the previous account.
 */
const MAX_CLOCK_DIFFERENCE = sql`interval '1 minute'`

/** Seconds until a new contact appears in the filtered lists of Kit. */
const LIST_LAG_S = 60

/**
 * Inserts the requests to tools and the events for webhooks, within the transaction that deletes the
 * participants. Pending deliveries of the same person to those tools are cancelled; a running delivery finishes
 * first. Throws a 422 if a chosen tool did not receive the person.
 */
export const requestErasures = async (
  db: Db,
  vault: Vault,
  request: ErasureRequest,
): Promise<void> => {
  const { by_participant = false, keeps_participants = false } = request
  const sent = await lockDeliveries(db, request)
  // The participants were already deleted by another call.
  if (sent.length === 0 && !(await existsAny(db, request.participant_keys))) return
  const row = (
    delivery: Pick<LockedDelivery, 'connection_id' | 'provider'>,
    kind: ErasureKind | 'event',
  ) => ({
    id: randomUUIDv7(),
    user_id: request.creator_id,
    key_version: 1,
    kind,
    connection_id: delivery.connection_id,
    provider: delivery.provider,
    by_participant,
  })
  const dueTimeAfter = (lease_until: string | null, lag_s = 0) => sql<string>`
    greatest(now(), ${lease_until}::timestamptz) + make_interval(secs => ${lag_s})`
  const give_up_at = sql<string>`now() + interval '${sql.raw(MAX_DELIVERY_AGE)}'`

  const events = sent
    .filter(
      (delivery) =>
        delivery.provider === WEBHOOK &&
        delivery.is_deleted &&
        delivery.has_reached &&
        !keeps_participants,
    )
    .map(({ quiz_id, participant_uuid, lease_until, ...delivery }) => {
      const made = row(delivery, 'event')
      return {
        ...made,
        quiz_ids: [quiz_id],
        vendor_contact_id: null,
        give_up_at,
        sealed_person: sealPerson(vault, made, { participant_uuid }),
        next_attempt_at: dueTimeAfter(lease_until),
      }
    })
  const requests = PROVIDERS.flatMap((provider) => {
    const kind = request.choices[provider]
    if (!kind) return []
    const sentToTool = sent.filter((delivery) => delivery.provider === provider)
    const rowsToErase = sentToTool.filter((delivery) => delivery.is_deleted && delivery.has_reached)
    const [first] = rowsToErase
    if (!first?.email)
      throw invalid(`Cette personne n’a pas été envoyée à ${PROVIDER_LABELS[provider]}.`, provider)
    const made = row(first, kind)
    const id = rowsToErase.find((delivery) => delivery.vendor_contact_id)?.vendor_contact_id ?? null
    const lease_until =
      sentToTool
        .flatMap((delivery) => delivery.lease_until ?? [])
        .sort()
        .at(-1) ?? null
    const lag_s = provider === 'convertkit' && id === null ? LIST_LAG_S : 0
    const person: SealedPerson = { email: first.email }
    return [
      {
        ...made,
        quiz_ids: [...new Set(rowsToErase.map((delivery) => delivery.quiz_id))],
        give_up_at,
        vendor_contact_id: id,
        sealed_person: sealPerson(vault, made, person),
        next_attempt_at: dueTimeAfter(lease_until, lag_s),
      },
    ]
  })
  const rows = [...requests, ...events]
  const stays = (delivery: LockedDelivery): boolean =>
    !delivery.is_deleted ||
    (keeps_participants && Object.hasOwn(request.choices, delivery.provider))
  if (requests.length > 0) await suppressDeliveries(db, sent, stays)
  if (rows.length > 0) await db.insertInto('erasures').values(rows).execute()
}

/** Returns true if any of the participants is still stored. */
const existsAny = async (db: Db, participant_keys: readonly ParticipantKey[]): Promise<boolean> => {
  const { rows } = await sql`
    select from responses where (quiz_id, participant_uuid) in (
      select quiz_id, participant_uuid from jsonb_to_recordset(${JSON.stringify(participant_keys)}::jsonb)
        as participant_key(quiz_id uuid, participant_uuid uuid)
    ) limit 1
  `.execute(db)
  return rows.length > 0
}

/**
 * Locks and returns the deliveries of the deleted participants. At the chosen tools, deliveries of other
 * participants with the same address are included.
 */
const lockDeliveries = async (
  db: Db,
  { creator_id, participant_keys, choices }: ErasureRequest,
): Promise<LockedDelivery[]> => {
  const { rows } = await sql<LockedDelivery>`
    with deleted_participants as (
      select responses.quiz_id, participant_uuid, email from responses
      join jsonb_to_recordset(${JSON.stringify(participant_keys)}::jsonb)
        as participant_key(quiz_id uuid, participant_uuid uuid) using (quiz_id, participant_uuid)
    ), person_responses as (
      select quiz_id, participant_uuid, email, true as is_deleted from deleted_participants
      union
      select responses.quiz_id, participant_uuid, email, false from responses
      where responses.quiz_id in (select id from all_quizzes where creator_id = ${creator_id})
        and lower(email) in (select lower(email) from deleted_participants)
        and (responses.quiz_id, participant_uuid)
          not in (select quiz_id, participant_uuid from deleted_participants)
    )
    select deliveries.quiz_id, participant_uuid, deliveries.provider, connection_id, is_deleted, email,
      case when (settled_at < account_since + ${MAX_CLOCK_DIFFERENCE}) is not true
        then completed_calls ->> 'vendor_contact_id' end as vendor_contact_id, ${sql.raw(HAS_REACHED)} as has_reached,
      case when lease_id is not null then lease_until end as lease_until
    from person_responses join deliveries using (quiz_id, participant_uuid)
    join integration_connections as connection on connection.id = connection_id
    where connection.user_id = ${creator_id} and connection.status <> 'disconnected'
      and (is_deleted or deliveries.provider = any(${Object.keys(choices)}::text[]))
    order by deliveries.quiz_id, participant_uuid, connection_id
    for update of deliveries
  `.execute(db)
  return rows
}

/**
 * Suppresses deliveries of participants who stay stored and have the address of the person. These deliveries would create
 * the person in the tool again.
 */
const suppressDeliveries = async (
  db: Db,
  sent: readonly LockedDelivery[],
  stays: (one: LockedDelivery) => boolean,
): Promise<void> => {
  const others = sent.filter((delivery) => stays(delivery) && delivery.provider !== WEBHOOK)
  if (others.length === 0) return
  const keys = others.map(({ quiz_id, participant_uuid, connection_id }) => ({
    quiz_id,
    participant_uuid,
    connection_id,
  }))
  // Rows are locked in the same order as in the settlement of deliveries.
  await sql`
    select from delivery_counts where quiz_id = any(${[...new Set(sent.map((delivery) => delivery.quiz_id))]}::uuid[])
    order by quiz_id, connection_id, status for update
  `.execute(db)
  await sql`
    update deliveries as delivery
    set status = 'suppressed', last_code = 'erased', completed_calls = null, next_attempt_at = null,
      lease_id = null, lease_until = null, settled_at = now()
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
      as other_delivery(quiz_id uuid, participant_uuid uuid, connection_id uuid)
    where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
        = (other_delivery.quiz_id, other_delivery.participant_uuid, other_delivery.connection_id)
      and delivery.status in ('pending', 'delivered', 'suppressed', 'refused')
  `.execute(db)
}
