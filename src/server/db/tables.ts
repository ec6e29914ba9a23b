import type { ColumnType, Generated } from 'kysely'
import type { KeyScope } from '#domain/accounts/api-key.ts'
import type { SignUpMode } from '#domain/accounts/sign-up-mode.ts'
import type { CampaignTables } from './campaign-tables.ts'
import type { IntegrationTables, OutboxTables } from './delivery-tables.ts'
import type { QuizTables } from './quiz-tables.ts'
import type {
  CounterTables,
  OptionalTimestamp,
  ResponseTables,
  Timestamp,
} from './response-tables.ts'

/** Event of the audit log as it is stored and printed. */
export type AuditRow = {
  at: string
  event: string
  outcome: 'ok' | 'refused' | 'failed'
  actor_id: string | null
  session_id: string | null
  address: string | null
  object_id: string | null
  request_id: string | null
  email_hmac: string | null
  detail: string | null
}

/** Table of the audit log. */
type AuditTables = { audit_events: AuditRow & { id: Generated<number> } }

type Json = ColumnType<Record<string, unknown>, string | undefined, string>

/** Purpose of a one-time token. A magic link is a recovery that changes no password. */
export type OneTimeType =
  | 'confirmation'
  | 'recovery'
  | 'email_change_current'
  | 'email_change_new'
  | 'reauthentication'
  | 'phone_confirmation'
  | 'phone_change'
  | 'reply_address'

/** Proof that an email address belongs to its account. */
export type EmailProof = 'mail' | 'provider' | 'administrator'

/** Kind of a second factor. */
export type FactorType = 'totp' | 'phone' | 'webauthn' | 'recovery_code'

/** Public data of a WebAuthn credential, as its registration gave it. */
export type StoredCredential = {
  id: string
  public_key: string
  counter: number
  transports: string[]
}

/** Types of all tables, with the names of the migrations. */
export type Tables = AuditTables &
  CampaignTables &
  QuizTables &
  CounterTables &
  IntegrationTables &
  OutboxTables &
  ResponseTables & {
    users: {
      id: string
      email: string | null
      encrypted_password: string | null
      email_confirmed_at: OptionalTimestamp
      email_proven_by: EmailProof | null
      last_sign_in_at: OptionalTimestamp
      is_anonymous: Generated<boolean>
      invited_at: OptionalTimestamp
      confirmation_sent_at: OptionalTimestamp
      recovery_sent_at: OptionalTimestamp
      reauthentication_sent_at: OptionalTimestamp
      new_email: string | null
      phone: string | null
      phone_confirmed_at: OptionalTimestamp
      new_phone: string | null
      phone_change_sent_at: OptionalTimestamp
      email_change_sent_at: OptionalTimestamp
      email_change_confirmed_by: 'current' | 'new' | null
      banned_until: OptionalTimestamp
      deleted_at: OptionalTimestamp
      app_metadata: Json
      user_metadata: Json
      created_at: Timestamp
      updated_at: Timestamp
    }
    identities: {
      id: string
      user_id: string
      provider: string
      provider_id: string
      identity_data: Json
      last_sign_in_at: OptionalTimestamp
      created_at: Timestamp
      updated_at: Timestamp
    }
    sessions: {
      id: string
      user_id: string
      user_agent: string | null
      factor_id: string | null
      created_at: Timestamp
      refreshed_at: Timestamp
    }
    session_amr: { session_id: string; method: string; updated_at: Timestamp }
    refresh_tokens: {
      token_hash: Buffer
      session_id: string
      revoked_at: OptionalTimestamp
      created_at: Timestamp
    }
    flow_states: {
      id: string
      user_id: string
      code_challenge: string
      code_challenge_method: 's256' | 'plain'
      method: string
      code_hash: Buffer | null
      sealed_provider_tokens: Buffer | null
      linking_profile: ColumnType<unknown, string | null | undefined, string | null>
      withheld_password: string | null
      code_issued_at: OptionalTimestamp
      created_at: Timestamp
    }
    one_time_tokens: {
      user_id: string
      type: OneTimeType
      relates_to: string
      link_hash: Buffer
      code_hash: Buffer
      wrong_codes: Generated<number>
      drops_password: Generated<boolean>
      flow_id: string | null
      created_at: Timestamp
    }
    password_origins: {
      user_id: string
      browser_hash: Buffer | null
      code_challenge: string | null
    }
    mail_jobs: {
      id: string
      kind: string
      email: string
      user_id: string | null
      details: Json
      tries: Generated<number>
      due_at: Timestamp
      created_at: Timestamp
    }
    mfa_factors: {
      id: string
      user_id: string
      factor_type: FactorType
      status: Generated<'unverified' | 'verified'>
      friendly_name: Generated<string>
      sealed_secret: Buffer | null
      phone: string | null
      credential: ColumnType<StoredCredential | null, string | null | undefined, string | null>
      last_step: number | null
      last_challenged_at: OptionalTimestamp
      created_at: Timestamp
      updated_at: Timestamp
    }
    mfa_challenges: {
      id: string
      factor_id: string
      ip: string
      webauthn_challenge: string | null
      code_hash: Buffer | null
      wrong_codes: Generated<number>
      verified_at: OptionalTimestamp
      created_at: Timestamp
    }
    installation_settings: { is_only_row: Generated<boolean>; sign_up_mode: SignUpMode }
    creator_settings: {
      user_id: string
      time_zone: string
      country: Generated<string | null>
      sender_name: Generated<string | null>
      reply_to: Generated<string>
    }
    reply_addresses: { id: string; user_id: string; email: string; confirmed_at: Timestamp }
    used_downloads: { id: string; expires_at: Timestamp }
    oauth_states: {
      id: string
      provider: string
      redirect_to: string
      code_challenge: string | null
      code_challenge_method: 's256' | 'plain' | null
      code_verifier: string
      nonce: string
      linking_user_id: string | null
      browser_hash: Buffer | null
      used_at: OptionalTimestamp
      created_at: Timestamp
    }
    recent_attempts: { scope: Buffer; attempts: number; began_at: Timestamp }
    known_networks: { user_id: string; network_hash: Buffer; seen_at: Timestamp }
    web3_messages: { message_hash: Buffer; created_at: Timestamp }
    recovery_codes: { factor_id: string; code_hash: Buffer; used_at: OptionalTimestamp }
    api_keys: {
      id: string
      user_id: string
      name: string
      scope: KeyScope
      key_hash: Buffer
      created_at: Timestamp
      last_used_at: OptionalTimestamp
      expires_at: OptionalTimestamp
    }
    auth_keys: { purpose: string; sealed_jwk: Buffer; created_at: Timestamp }
  }
