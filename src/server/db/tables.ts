import type { ColumnType, Generated } from 'kysely'
import type { KeyScope } from '#domain/api-key.ts'
import type {
  Answer,
  Association,
  Question,
  QuestionOptions,
  QuizAccess,
  QuizColors,
  QuizPage,
  QuizTies,
  Result,
  TextBlock,
} from '#domain/quiz.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import type { ConsentMode, QuizMode, QuizStatus, QuizType } from '#domain/vocabulary.ts'
import type { AuditTables } from './audit-tables.ts'
import type { CounterTables } from './counter-tables.ts'
import type { IntegrationTables } from './integration-tables.ts'
import type { OutboxTables } from './outbox-tables.ts'
import type { ResponseTables } from './response-tables.ts'
import type { OptionalStamp, Stamp } from './stamps.ts'

type Json = ColumnType<Record<string, unknown>, string | undefined, string>

/** What a one-time token is for; a magic link is a recovery that changes no password. */
export type OneTimeType =
  | 'confirmation'
  | 'recovery'
  | 'email_change_current'
  | 'email_change_new'
  | 'reauthentication'
  | 'phone_confirmation'
  | 'phone_change'

/** How an address was shown to be its owner's. */
export type EmailProof = 'mail' | 'provider' | 'administrator'

export type FactorType = 'totp' | 'phone' | 'webauthn' | 'recovery_code'

/** A key that signs for its owner, as its registration gave it; nothing of it is secret. */
export type StoredCredential = {
  id: string
  public_key: string
  counter: number
  transports: string[]
}

/** The data dictionary: one type a table, named and spelled as the migrations have them. */
export type Tables = AuditTables &
  CounterTables &
  IntegrationTables &
  OutboxTables &
  ResponseTables & {
    users: {
      id: string
      email: string | null
      encrypted_password: string | null
      email_confirmed_at: OptionalStamp
      email_proven_by: EmailProof | null
      last_sign_in_at: OptionalStamp
      is_anonymous: Generated<boolean>
      invited_at: OptionalStamp
      confirmation_sent_at: OptionalStamp
      recovery_sent_at: OptionalStamp
      reauthentication_sent_at: OptionalStamp
      new_email: string | null
      phone: string | null
      phone_confirmed_at: OptionalStamp
      new_phone: string | null
      phone_change_sent_at: OptionalStamp
      email_change_sent_at: OptionalStamp
      email_change_confirmed_by: 'current' | 'new' | null
      banned_until: OptionalStamp
      deleted_at: OptionalStamp
      app_metadata: Json
      user_metadata: Json
      created_at: Stamp
      updated_at: Stamp
    }
    identities: {
      id: string
      user_id: string
      provider: string
      provider_id: string
      identity_data: Json
      last_sign_in_at: OptionalStamp
      created_at: Stamp
      updated_at: Stamp
    }
    sessions: {
      id: string
      user_id: string
      user_agent: string | null
      factor_id: string | null
      created_at: Stamp
      refreshed_at: Stamp
    }
    session_amr: { session_id: string; method: string; updated_at: Stamp }
    refresh_tokens: {
      token_hash: Buffer
      session_id: string
      revoked_at: OptionalStamp
      created_at: Stamp
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
      code_issued_at: OptionalStamp
      created_at: Stamp
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
      created_at: Stamp
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
      due_at: Stamp
      created_at: Stamp
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
      last_challenged_at: OptionalStamp
      created_at: Stamp
      updated_at: Stamp
    }
    mfa_challenges: {
      id: string
      factor_id: string
      ip: string
      webauthn_challenge: string | null
      code_hash: Buffer | null
      wrong_codes: Generated<number>
      verified_at: OptionalStamp
      created_at: Stamp
    }
    creator_settings: { user_id: string; time_zone: string }
    used_downloads: { id: string; expires_at: Stamp }
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
      used_at: OptionalStamp
      created_at: Stamp
    }
    recent_attempts: { scope: Buffer; attempts: number; began_at: Stamp }
    known_networks: { user_id: string; network_hash: Buffer; seen_at: Stamp }
    web3_messages: { message_hash: Buffer; created_at: Stamp }
    recovery_codes: { factor_id: string; code_hash: Buffer; used_at: OptionalStamp }
    api_keys: {
      id: string
      user_id: string
      name: string
      scope: KeyScope
      key_hash: Buffer
      created_at: Stamp
      last_used_at: OptionalStamp
      expires_at: OptionalStamp
    }
    auth_keys: { purpose: string; sealed_jwk: Buffer; created_at: Stamp }

    quiz_slugs: { slug: string; quiz_id: string }
    former_slugs: { slug: string; creator_id: string; reserved_until: Stamp }
    quizzes: QuizColors & {
      [Name in keyof (QuizPage & QuizTies & QuizAccess)]: Generated<
        (QuizPage & QuizTies & QuizAccess)[Name]
      >
    } & {
      id: string
      creator_id: string
      name: string
      type: QuizType
      status: Generated<QuizStatus>
      quiz_mode: QuizMode
      kit_custom_field: string | null
      brevo_attribute_name: string | null
      consent_mode: Generated<ConsentMode>
      consent_text: string | null
      published_version: number | null
      revision: Generated<number>
      created_at: Stamp
      updated_at: Stamp
    }
    results: Omit<Result, 'updated_at'> & { created_at: Stamp; updated_at: Stamp }
    questions: Omit<Question, 'answers' | keyof QuestionOptions> & {
      [Name in keyof QuestionOptions]: Generated<QuestionOptions[Name]>
    }
    answers: Omit<Answer, 'associations'> & { quiz_id: string }
    associations: Association & { quiz_id: string }
    text_blocks: TextBlock

    images: {
      id: string
      creator_id: string
      width: number
      height: number
      color: string
      bytes: number
      created_at: Stamp
      used_at: Stamp
    }
    image_files: { image_id: string; size: number; data: Buffer }

    quiz_versions: {
      quiz_id: string
      version: number
      snapshot: ColumnType<Snapshot, string, never>
      image_ids: Generated<string[]>
      choice_questions: Generated<number[]>
      text_questions: Generated<string[]>
      nb_responses: Generated<number>
      nb_deleted: Generated<number>
      published_at: Stamp
    }
    visit_counts: {
      quiz_id: string
      version: number
      quarter: string
      step: number
      count: number
    }
    visit_step_counts: { quiz_id: string; version: number; step: number; count: number }
    version_results: {
      quiz_id: string
      version: number
      results: ColumnType<Snapshot['results'], never, never>
    }
    retention: {
      quiz_id: string
      months: 6 | 12 | 36
      before: OptionalStamp
      due_at: OptionalStamp
    }
    statistics_links: {
      quiz_id: string
      token_hash: Buffer
      sealed_token: Buffer
      created_at: Stamp
      opened_on: string | null
    }
  }
