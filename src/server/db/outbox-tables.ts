import type { ColumnType, Generated } from 'kysely'
import type { DeliveryStatus } from '#domain/delivery.ts'
import type { ErasureKind, ErasureStatus } from '#domain/erasure.ts'
import type { ChannelName } from '#domain/vocabulary.ts'
import type { OptionalStamp, Stamp } from './stamps.ts'

/** Calls of a delivery that have succeeded, so that a retry continues after them. */
export type CompletedCalls = {
  vendor_contact_id?: string
  has_contact?: boolean
  /** Names of the tags or lists that were applied, and of those that the tool refused. */
  labels?: string[]
  refused_labels?: string[]
  /** Names of the parameters whose fields the tool refused. */
  refused_fields?: string[]
  /** Whether a mail is counted in the limit of its mailbox, and whether the mail server has accepted it. */
  is_counted?: boolean
  is_mailed?: boolean
}

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
    completed_calls: ColumnType<CompletedCalls | null, string | null | undefined, string | null>
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
  rate_limit_buckets: {
    connection_id: string
    tokens: number
    refilled_at: Stamp
    held_until: OptionalStamp
    blocked_since: OptionalStamp
    last_claimed_at: Stamp
  }
  quiz_mails: {
    quiz_id: string
    subject: string | null
    text: string | null
    daily_since: OptionalStamp
  }
  mail_unsubscribes: { user_id: string; mailbox_hash: Buffer; created_at: Stamp }
  mail_digests: { user_id: string; day: string; until: Stamp }
  mail_day_counts: { day: string; subject_hash: Buffer; count: number }
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
