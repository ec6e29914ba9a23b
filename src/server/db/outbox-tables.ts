import type { ColumnType, Generated } from 'kysely'
import type { DeliveryStatus } from '#domain/delivery.ts'
import type { ErasureKind, ErasureStatus } from '#domain/erasure.ts'
import type { ChannelName } from '#domain/vocabulary.ts'
import type { OptionalStamp, Stamp } from './stamps.ts'

/** What of a delivery has already been done, so that a repeat goes on from there. */
export type Steps = {
  vendor_contact_id?: string
  has_contact?: boolean
  /** Names of the tags or lists that were applied, and of those that the tool refused. */
  labels?: string[]
  refused_labels?: string[]
  /** Names of the parameters whose fields the tool refused. */
  refused_fields?: string[]
  /** Of a mail: it was counted among those of its mailbox, and the mail server has it. */
  is_counted?: boolean
  is_mailed?: boolean
}
/** The same as it was stored before labels had names: then there was the tag of the result alone. */
export type StoredSteps = Steps & { has_tag?: boolean }

/** What is sent to email tools and webhooks, and by whose leave. */
export type OutboxTables = {
  consent_texts: { quiz_id: string; version: number; text: string; created_at: Stamp }
  consent_counts: { quiz_id: string; consent_version: number; count: number }
  deliveries: {
    quiz_id: string
    participant_uuid: string
    provider: ChannelName
    connection_id: string
    status: DeliveryStatus
    result_name: string | null
    created_at: Stamp
    next_attempt_at: OptionalStamp
    give_up_at: OptionalStamp
    attempts: Generated<number>
    lease_id: string | null
    lease_until: OptionalStamp
    steps: ColumnType<StoredSteps | null, string | null | undefined, string | null>
    last_code: string | null
    is_replaced: Generated<boolean>
    settled_at: OptionalStamp
  }
  delivery_attempts: {
    quiz_id: string
    participant_uuid: string
    connection_id: string
    at: Stamp
    outcome: string
    code: string | null
    ms: number
  }
  delivery_counts: {
    quiz_id: string
    connection_id: string
    provider: ChannelName
    status: DeliveryStatus
    count: number
  }
  delivery_lanes: {
    connection_id: string
    tokens: number
    filled_at: Stamp
    held_until: OptionalStamp
    blocked_since: OptionalStamp
    served_at: Stamp
  }
  quiz_mails: {
    quiz_id: string
    subject: string | null
    text: string | null
    daily_since: OptionalStamp
  }
  mail_refusals: { user_id: string; mailbox: Buffer; created_at: Stamp }
  mail_digests: { user_id: string; day: string; until: Stamp }
  mail_tallies: { day: string; digest_of: Buffer; count: number }
  delivery_pauses: { connection_id: string; since: Stamp; until: Stamp }
  erasures: {
    id: string
    user_id: string
    connection_id: string
    provider: ChannelName
    kind: ErasureKind | 'event'
    quiz_ids: string[]
    sealed_person: Buffer | null
    key_version: Generated<number>
    vendor_contact_id: string | null
    status: Generated<ErasureStatus>
    created_at: Stamp
    next_attempt_at: OptionalStamp
    give_up_at: Stamp
    attempts: Generated<number>
    lease_id: string | null
    lease_until: OptionalStamp
    last_code: string | null
    settled_at: OptionalStamp
  }
  delivery_checks: {
    quiz_id: string
    connection_id: string
    checked_at: Stamp
    nb_checked: number
    nb_missing: number
  }
}
