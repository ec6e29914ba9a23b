import type { ColumnType, Generated } from 'kysely'
import type { ChannelName, ProviderName } from '#domain/vocabulary.ts'
import type { OptionalStamp, Stamp } from './stamps.ts'

export type ConnectionStatus = 'active' | 'needs_attention' | 'paused' | 'disconnected'

/** The tables of the email tools and the webhooks (db/tables.ts). */
export type IntegrationTables = {
  integration_connections: {
    id: string
    user_id: string
    provider: ChannelName
    sealed_secret: Buffer | null
    key_version: Generated<number>
    vendor_account_id: string | null
    vendor_email: string | null
    status: ConnectionStatus
    status_reason: string | null
    token_expires_at: OptionalStamp
    refresh_lock_until: OptionalStamp
    paused_until: OptionalStamp
    notified_at: OptionalStamp
    created_at: Stamp
    updated_at: Stamp
    quiz_id: string | null
    enabled_since: OptionalStamp
    account_since: OptionalStamp
    generation: Generated<number>
  }
  webhooks: {
    connection_id: string
    url: string
    sealed_previous: Buffer | null
    previous_until: OptionalStamp
  }
  quiz_integrations: {
    quiz_id: string
    provider: ProviderName
    enabled: Generated<boolean>
    field_key: string | null
    provisioned_at: OptionalStamp
    tag_by_result: boolean
    sends_parameters: Generated<boolean>
    parameter_fields: ColumnType<Record<string, string | null>, string | undefined, string>
    enabled_since: OptionalStamp
    first_enabled_at: OptionalStamp
  }
  automations: {
    id: string
    quiz_id: string
    provider: ProviderName
    result_id: string | null
    question_id: string | null
    answer_id: string | null
    label_name: string
    vendor_id: string | null
    created_at: Stamp
  }
  integration_states: {
    state_hash: Buffer
    browser_hash: Buffer
    user_id: string
    code_verifier: string
    return_to: string | null
    may_replace: Generated<boolean>
    outcome: string | null
    used_at: OptionalStamp
    created_at: Stamp
  }
}
