import type { Generated } from 'kysely'
import type { ProviderName } from '#domain/vocabulary.ts'
import type { OptionalStamp, Stamp } from './stamps.ts'

type ConnectionStatus = 'active' | 'needs_attention' | 'disconnected'

/** The tables of the email tools (db/tables.ts). */
export type IntegrationTables = {
  integration_connections: {
    id: string
    user_id: string
    provider: ProviderName
    sealed_secret: Buffer | null
    key_version: Generated<number>
    vendor_account_id: string | null
    vendor_email: string | null
    status: ConnectionStatus
    status_reason: string | null
    token_expires_at: OptionalStamp
    refresh_lock_until: OptionalStamp
    paused_until: OptionalStamp
    next_slot_at: OptionalStamp
    notified_at: OptionalStamp
    created_at: Stamp
    updated_at: Stamp
  }
  quiz_integrations: {
    quiz_id: string
    provider: ProviderName
    enabled: Generated<boolean>
    field_key: string | null
    provisioned_at: OptionalStamp
    tag_by_result: boolean
    enabled_since: OptionalStamp
    first_enabled_at: OptionalStamp
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
