import type { ColumnType, Generated } from 'kysely'
import type { ChannelName, OutboxChannel, ProviderName } from '#domain/common/vocabulary.ts'
import type { DeliveryStatus } from '#domain/deliveries/delivery.ts'
import type { RefusedFields } from '#domain/deliveries/delivery-labels.ts'
import type { Enrolment, LabelKind, RefusedEnrolment } from '#domain/deliveries/enrolment-kinds.ts'
import type { ErasureKind, ErasureStatus } from '#domain/deliveries/erasures.ts'
import type { MappedType, MappingSource } from '#domain/deliveries/field-mappings.ts'
import type { PageActionKind } from '#domain/participant-pages/page-actions.ts'
import type { ConsentKind } from '#domain/questionnaire/consent/consent.ts'
import type { OptionalTimestamp, Timestamp } from './response-tables.ts'

/** State of a connection to a tool, a webhook or mailboxes. */
export type ConnectionStatus = 'active' | 'needs_attention' | 'paused' | 'disconnected'

/** Tables of email tools and webhooks. */
export type IntegrationTables = {
  integration_connections: {
    id: string
    user_id: string
    provider: OutboxChannel
    sealed_secret: Buffer | null
    key_version: Generated<number>
    vendor_account_id: string | null
    vendor_email: string | null
    status: ConnectionStatus
    status_reason: string | null
    token_expires_at: OptionalTimestamp
    refresh_lock_until: OptionalTimestamp
    paused_until: OptionalTimestamp
    notified_at: OptionalTimestamp
    created_at: Timestamp
    updated_at: Timestamp
    quiz_id: string | null
    enabled_since: OptionalTimestamp
    account_since: OptionalTimestamp
    generation: Generated<number>
  }
  webhooks: {
    connection_id: string
    url: string
    sealed_previous: Buffer | null
    previous_until: OptionalTimestamp
  }
  quiz_integrations: {
    quiz_id: string
    provider: ProviderName
    enabled: Generated<boolean>
    field_key: string | null
    provisioned_at: OptionalTimestamp
    tag_by_result: boolean
    sends_parameters: Generated<boolean>
    parameter_fields: ColumnType<Record<string, string | null>, string | undefined, string>
    enabled_since: OptionalTimestamp
    first_enabled_at: OptionalTimestamp
  }
  automations: {
    id: string
    quiz_id: string
    provider: ProviderName
    result_id: string | null
    question_id: string | null
    answer_id: string | null
    dimension_id: string | null
    tier_id: string | null
    label_name: string
    label_kind: LabelKind | null
    vendor_id: string | null
    created_at: Timestamp
  }
  field_mappings: {
    id: string
    quiz_id: string
    provider: ProviderName
    source: MappingSource
    question_id: string | null
    dimension_id: string | null
    field_name: string
    field_key: string | null
    field_type: Generated<MappedType>
    refused_code: string | null
    created_at: Timestamp
  }
  integration_states: {
    state_hash: Buffer
    browser_hash: Buffer
    user_id: string
    code_verifier: string
    return_to: string | null
    may_replace: Generated<boolean>
    outcome: string | null
    used_at: OptionalTimestamp
    created_at: Timestamp
  }
}

/** Calls of a delivery that have succeeded, so that a retry continues after them. */
export type CompletedCalls = {
  vendor_contact_id?: string
  has_contact?: boolean
  /** Names of the tags or lists that were applied, and of those that the tool refused. */
  labels?: string[]
  refused_labels?: string[]
  /** Courses, communities, sequences and forms that the contact joined, and those that were left out. */
  enrolments?: Enrolment[]
  refused_enrolments?: RefusedEnrolment[]
  /**
   * Names of the fields and French names of the contact data that the tool refused. Refused values are not sent again.
   */
  refused_fields?: string[]
  /** Keys of the fields written so far, while refused fields are still searched. */
  written_fields?: string[]
  /**
   * For mails: `is_counted` is true when the mail is counted for its mailbox, `is_mailed` when the mail server has
   * accepted the mail.
   */
  is_counted?: boolean
  is_mailed?: boolean
  /** True for the reminder of a mail that asks for a confirmation. */
  is_reminder?: boolean
}

/** Tables of deliveries to email tools, webhooks and mailboxes, and of consents. */
export type OutboxTables = {
  consent_texts: {
    quiz_id: string
    kind: Generated<ConsentKind>
    version: number
    text: string
    created_at: Timestamp
  }
  page_actions: { id: string; quiz_id: string; kind: PageActionKind; created_at: Timestamp }
  consent_counts: { quiz_id: string; consent_version: number; count: number }
  deliveries: {
    quiz_id: string
    participant_uuid: string
    provider: ChannelName
    connection_id: string
    status: DeliveryStatus
    result_name: string | null
    created_at: Timestamp
    next_attempt_at: OptionalTimestamp
    give_up_at: OptionalTimestamp
    attempts: Generated<number>
    lease_id: string | null
    lease_until: OptionalTimestamp
    completed_calls: ColumnType<CompletedCalls | null, string | null | undefined, string | null>
    last_code: string | null
    is_replaced: Generated<boolean>
    settled_at: OptionalTimestamp
  }
  delivery_attempts: {
    quiz_id: string
    participant_uuid: string
    connection_id: string
    at: Timestamp
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
    refilled_at: Timestamp
    held_until: OptionalTimestamp
    blocked_since: OptionalTimestamp
    last_claimed_at: Timestamp
  }
  quiz_mails: {
    quiz_id: string
    subject: string | null
    text: string | null
    daily_since: OptionalTimestamp
    reply_to: Generated<string | null>
    shows_result: Generated<boolean>
  }
  mail_unsubscribes: { user_id: string; mailbox_hash: Buffer; created_at: Timestamp }
  mail_digests: { user_id: string; day: string; until: Timestamp }
  daily_mail_totals: { day: string; subject_hash: Buffer; count: number }
  delivery_pauses: { connection_id: string; since: Timestamp; until: Timestamp }
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
    created_at: Timestamp
    next_attempt_at: OptionalTimestamp
    give_up_at: Timestamp
    attempts: Generated<number>
    lease_id: string | null
    lease_until: OptionalTimestamp
    last_code: string | null
    settled_at: OptionalTimestamp
    by_participant: Generated<boolean>
  }
  delivery_checks: {
    quiz_id: string
    connection_id: string
    checked_at: Timestamp
    nb_checked: number
    nb_missing: number
  }
}

/** Returns the labels and fields of a delivery that the tool refused. */
export const readRefusals = ({
  refused_labels = [],
  refused_enrolments = [],
  refused_fields = [],
}: CompletedCalls): RefusedFields => ({
  labels: refused_labels,
  enrolments: refused_enrolments,
  fields: refused_fields,
})

/** Returns the labels that a delivery applied, and the parts that the tool refused. */
export const readDeliveredLabels = (
  completed_calls: CompletedCalls | null,
): {
  labels: string[]
  enrolments: Pick<Enrolment, 'kind' | 'name'>[]
  refused: RefusedFields
} => ({
  labels: completed_calls?.labels ?? [],
  enrolments: (completed_calls?.enrolments ?? []).map(({ kind, name }) => ({ kind, name })),
  refused: readRefusals(completed_calls ?? {}),
})
