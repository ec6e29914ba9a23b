import type { ColumnType, Generated } from 'kysely'
import type { ConfirmationState } from '#domain/confirmations/confirmation.ts'
import type { ParameterValues } from '#domain/questionnaire/parameters.ts'
import type { ContactData } from '#domain/run/contact/contact.ts'

/** Column that the database fills; read as ISO 8601 in UTC, updated from SQL or a Date. */
export type Timestamp = ColumnType<string, Date | string | undefined, Date | string>
/** Nullable column of a moment; read as ISO 8601 in UTC. */
export type OptionalTimestamp = ColumnType<
  string | null,
  Date | string | null | undefined,
  Date | string | null
>

/** Tables of the counters. Each changes together with its entry of COUNTER_FAMILIES in counter-families.ts. */
export type CounterTables = {
  choice_counts: {
    quiz_id: string
    version: number
    question_position: number
    answer_position: number
    count: number
  }
  result_counts: { quiz_id: string; version: number; result_position: number; count: number }
  score_counts: { quiz_id: string; score: number; count: number }
  parameter_counts: { quiz_id: string; name: string; value: string; count: number }
  dimension_counts: {
    quiz_id: string
    version: number
    rank: number
    percent: number
    count: number
  }
  confirmation_counts: {
    quiz_id: string
    version: number
    email_confirmation: ConfirmationState
    count: number
  }
  quarter_counts: { quiz_id: string; version: number; quarter: string; count: number }
  duration_counts: { quiz_id: string; seconds: number; count: number }
  text_counts: {
    quiz_id: string
    question_id: string
    digest: Buffer
    text: string
    count: number
  }
}

/** Common columns of participants and trial runs. */
type ReplyColumns = {
  quiz_id: string
  version: number
  created_at: Timestamp
  email: string | null
  result_position: number | null
  score: number | null
  choices: (number | null)[]
  texts: string[]
  elapsed_seconds: number | null
  consent_version: number | null
  /** Accepted wording of the second consent; 0 if declined or withdrawn, null without a box. */
  measure_version: ColumnType<number | null, number | null | undefined, number | null>
  parameters: ColumnType<ParameterValues | null, string | null | undefined, never>
  /** Digest of the secret of the run (responses/run-secret.ts); null if the run has none. */
  run_secret_hash: ColumnType<Buffer | null, Buffer | null | undefined, never>
}

/** Tables of participants, trial runs (docs/decisions/045), confirmations and certificates (docs/decisions/057). */
export type ResponseTables = {
  responses: ReplyColumns &
    ContactData & {
      participant_uuid: string
      is_suspect: Generated<boolean>
      other_values: ColumnType<string[] | null, string[] | null | undefined, never>
      /** Percent of each dimension of the version; null without dimensions. */
      dimension_percents: (number | null)[] | null
      /** Text of a tsvector (responses/contact-index.ts); null without contact data. */
      contact_words: string | null
      consent_withdrawn_at: OptionalTimestamp
      /** State of the confirmation of the address; null if the participant was not asked. */
      email_confirmation: ColumnType<
        ConfirmationState | null,
        ConfirmationState | null | undefined,
        ConfirmationState
      >
      withdrawn_consent_version: ColumnType<number | null, number | null | undefined, number | null>
      measure_withdrawn_at: OptionalTimestamp
      withdrawn_measure_version: ColumnType<number | null, number | null | undefined, number | null>
      /** Campaign and group of the invitation with which the participant replied; null without an invitation. */
      campaign_id: ColumnType<string | null, string | null | undefined, string | null>
      group_name: ColumnType<string | null, string | null | undefined, string | null>
      /** True for a reply of an anonymous campaign, which is never forwarded. */
      is_anonymous: ColumnType<boolean, boolean | undefined, boolean>
    }
  trial_responses: ReplyColumns & { id: string }
  /** Digests of the ids of deleted participants, which no submission can use again (docs/decisions/070). */
  erased_participants: { quiz_id: string; uuid_hash: Buffer }
  /** Requests to confirm an address, and their proofs (docs/decisions/080). */
  email_confirmations: {
    quiz_id: string
    participant_uuid: string
    email: string
    consent_version: number | null
    asked_at: Timestamp
    waits_since_s: number | null
    reminded_at: OptionalTimestamp
    confirmed_at: OptionalTimestamp
    expired_at: OptionalTimestamp
  }
  confirmation_clock: { id: Generated<boolean>; elapsed_s: Generated<number>; read_at: Timestamp }
  certificates: { quiz_id: string; participant_uuid: string; number: Buffer; day: string }
}
