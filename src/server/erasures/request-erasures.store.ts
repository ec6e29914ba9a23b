import { sql } from 'kysely'
import { z } from 'zod'
import { type ChannelName, PROVIDERS, WEBHOOK } from '#domain/common/vocabulary.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { ErasureChoices, ErasureKind } from '#domain/deliveries/erasures.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import type { SealedRow, Vault } from '#server/runtime/sealing.ts'
import { uuidv7 } from '#server/runtime/uuid.ts'
import { HAS_REACHED } from './erasures.store.ts'

/** Whose erasure it is: for a tool their address, for a webhook the participant. */
export type SealedPerson = { email: string } | { participant_uuid: string }

const sealedPerson = z.union([
  z.object({ email: z.string() }),
  z.object({ participant_uuid: z.uuid() }),
])

/** A person as they are stored until their erasure is done. */
export const sealPerson = (vault: Vault, row: SealedRow, person: SealedPerson): Buffer =>
  vault.seal(row, JSON.stringify(person))

/** Undefined where it does not open: it is of another row, or SECRET_KEY is another. */
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

type Taking = { quiz_id: string; participant_uuid: string }

/** Participants who are about to be deleted, and what is asked of the tools for them. */
export type Request = {
  creator_id: string
  takings: readonly Taking[]
  choices: ErasureChoices
}

/** A delivery of the person, locked. */
type Sent = Taking & {
  provider: ChannelName
  connection_id: string
  vendor_contact_id: string | null
  /** Whether the participant is among those who are deleted. */
  is_going: boolean
  has_reached: boolean
  email: string | null
  /** Until when a call that writes them may be under way. */
  lease_until: string | null
}

/** Clocks of processes differ by less: an id that is got so soon after another account may be of the one before. */
const CLOCKS_DIFFER = sql`interval '1 minute'`

/** Written now, a contact is in the filtered lists of Kit from so much later. */
const LIST_LAG_S = 60

/**
 * Writes what tools are asked and webhooks are told, within the transaction that deletes the participants. What waits to
 * be sent of the same person to such a tool is called off, and what is under way there comes first. Throws `invalid()`
 * (422) at a tool that did not get them.
 */
export const requestErasures = async (db: Db, vault: Vault, asked: Request): Promise<void> => {
  const sent = await lockSent(db, asked)
  // Gone already, they were erased by another call.
  if (sent.length === 0 && !(await areThere(db, asked.takings))) return
  const row = (one: Pick<Sent, 'connection_id' | 'provider'>, kind: ErasureKind | 'event') => ({
    ...{ id: uuidv7(), user_id: asked.creator_id, key_version: 1, kind },
    ...{ connection_id: one.connection_id, provider: one.provider },
  })
  const due = (lease_until: string | null, lag_s = 0) => sql<string>`
    greatest(now(), ${lease_until}::timestamptz) + make_interval(secs => ${lag_s})`
  const give_up_at = sql<string>`now() + interval '${sql.raw(MAX_DELIVERY_AGE)}'`

  const events = sent
    .filter((one) => one.provider === WEBHOOK && one.is_going && one.has_reached)
    .map(({ quiz_id, participant_uuid, lease_until, ...one }) => {
      const made = row(one, 'event')
      return {
        ...{ ...made, quiz_ids: [quiz_id], vendor_contact_id: null, give_up_at },
        sealed_person: sealPerson(vault, made, { participant_uuid }),
        next_attempt_at: due(lease_until),
      }
    })
  const requests = PROVIDERS.flatMap((provider) => {
    const kind = asked.choices[provider]
    if (!kind) return []
    const there = sent.filter((one) => one.provider === provider)
    const going = there.filter((one) => one.is_going && one.has_reached)
    const [first] = going
    if (!first?.email)
      throw invalid(`Cette personne n’a pas été envoyée à ${PROVIDER_LABELS[provider]}.`, provider)
    const made = row(first, kind)
    const id = going.find((one) => one.vendor_contact_id)?.vendor_contact_id ?? null
    const lease_until =
      there
        .flatMap((one) => one.lease_until ?? [])
        .sort()
        .at(-1) ?? null
    const lag_s = provider === 'convertkit' && id === null ? LIST_LAG_S : 0
    const person: SealedPerson = { email: first.email }
    return [
      {
        ...{ ...made, quiz_ids: [...new Set(going.map((one) => one.quiz_id))], give_up_at },
        ...{ vendor_contact_id: id, sealed_person: sealPerson(vault, made, person) },
        next_attempt_at: due(lease_until, lag_s),
      },
    ]
  })
  const rows = [...requests, ...events]
  if (requests.length > 0) await callOff(db, sent)
  if (rows.length > 0) await db.insertInto('erasures').values(rows).execute()
}

const areThere = async (db: Db, takings: readonly Taking[]): Promise<boolean> => {
  const { rows } = await sql`
    select from responses where (quiz_id, participant_uuid) in (
      select quiz_id, participant_uuid from jsonb_to_recordset(${JSON.stringify(takings)}::jsonb)
        as taking(quiz_id uuid, participant_uuid uuid)
    ) limit 1
  `.execute(db)
  return rows.length > 0
}

/** The deliveries of those who are deleted, and at the chosen tools of everybody with their address; locked. */
const lockSent = async (db: Db, { creator_id, takings, choices }: Request): Promise<Sent[]> => {
  const { rows } = await sql<Sent>`
    with going as (
      select responses.quiz_id, participant_uuid, email from responses
      join jsonb_to_recordset(${JSON.stringify(takings)}::jsonb)
        as taking(quiz_id uuid, participant_uuid uuid) using (quiz_id, participant_uuid)
    ), person as (
      select quiz_id, participant_uuid, email, true as is_going from going
      union
      select responses.quiz_id, participant_uuid, email, false from responses
      where responses.quiz_id in (select id from quizzes where creator_id = ${creator_id})
        and lower(email) in (select lower(email) from going)
        and (responses.quiz_id, participant_uuid) not in (select quiz_id, participant_uuid from going)
    )
    select deliveries.quiz_id, participant_uuid, deliveries.provider, connection_id, is_going, email,
      case when (settled_at < account_since + ${CLOCKS_DIFFER}) is not true
        then completed_calls ->> 'vendor_contact_id' end as vendor_contact_id, ${sql.raw(HAS_REACHED)} as has_reached,
      case when lease_id is not null then lease_until end as lease_until
    from person join deliveries using (quiz_id, participant_uuid)
    join integration_connections as connected on connected.id = connection_id
    where connected.user_id = ${creator_id} and connected.status <> 'disconnected'
      and (is_going or deliveries.provider = any(${Object.keys(choices)}::text[]))
    order by deliveries.quiz_id, participant_uuid, connection_id
    for update of deliveries
  `.execute(db)
  return rows
}

/** What was sent, or waits, of other participants with the same address would write them again. */
const callOff = async (db: Db, sent: readonly Sent[]): Promise<void> => {
  const others = sent.filter((one) => !one.is_going && one.provider !== WEBHOOK)
  if (others.length === 0) return
  const keys = others.map(({ quiz_id, participant_uuid, connection_id }) => ({
    ...{ quiz_id, participant_uuid, connection_id },
  }))
  // In the order in which they are taken where deliveries are settled.
  await sql`
    select from delivery_counts where quiz_id = any(${[...new Set(sent.map((one) => one.quiz_id))]}::uuid[])
    order by quiz_id, connection_id, status for update
  `.execute(db)
  await sql`
    update deliveries as one
    set status = 'suppressed', last_code = 'erased', completed_calls = null, next_attempt_at = null,
      lease_id = null, lease_until = null, settled_at = now()
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
      as other(quiz_id uuid, participant_uuid uuid, connection_id uuid)
    where (one.quiz_id, one.participant_uuid, one.connection_id)
        = (other.quiz_id, other.participant_uuid, other.connection_id)
      and one.status in ('pending', 'delivered', 'suppressed', 'refused')
  `.execute(db)
}
