import type { PhoneCountry } from '#domain/common/phone-countries.ts'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { AccountField, FieldType } from '#domain/deliveries/account-fields.ts'
import type { Label } from '#domain/deliveries/automations.ts'
import type { LabelKind } from '#domain/deliveries/enrolment-kinds.ts'
import type { ErasureKind } from '#domain/deliveries/erasures.ts'
import type { ContactData } from '#domain/run/contact/contact.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'

/** Opened account at an email tool. The secret must never be logged or sent to clients. */
export type OpenConnection = {
  id: string
  user_id: string
  provider: ProviderName
  /** API key or access token. */
  secret: string
  vendor_account_id: string | null
  /** Returns true after the deadline of the attempt; then no further call may start. */
  isLate?: () => boolean
}

/** Value for a field of a tool. */
export type FieldValue = {
  /** Key of the field at the tool. */
  key: string
  /** Name of the field in the ledger, if the tool refuses the value. */
  name: string
  /** A number only for a field of numbers. */
  value: string | number
  /** True if the field is created again when it is missing. Other fields are then left out. */
  can_recreate?: true
  /** True for the result, which is never left out. */
  is_result?: true
}

/** Participant, as sent to a tool. */
export type Contact = {
  email: string
  /** Names and phone number for the tool's own fields. */
  person: ContactData
  /** Country of the account, with which a phone number without a country code is read. */
  country: PhoneCountry
  /** Fields to write. Other fields of the contact keep their values. */
  fields: readonly FieldValue[]
  labels: readonly Label[]
  /** True for a trial by the creator, which requests recently refused labels again. */
  is_trial?: boolean
}

/** Request to a tool, without the secret. */
export type ToolRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path that starts with a slash; its variable parts are already URL-encoded. */
  path: string
  /** Body, sent as JSON unless the headers name another content type. */
  json?: unknown
}

/** Temporary failure that may be retried, after `wait_ms` if the tool requested a wait. */
export type Transient = {
  kind: 'transient'
  code: string
  wait_ms?: number
  /** True if the whole account is rate-limited. */
  pauses_connection: boolean
}

/** Refusal of the account, which the creator has to repair. Does not count as an attempt. */
export type CredentialProblem = {
  kind: 'credential'
  code: CredentialCode
  /** True if a new key or authorisation is needed. Otherwise the account may recover (address, rights, credits). */
  needs_reconnect: boolean
  /** IP address of this server, if the tool refuses the address. */
  ip?: string
}
/** Reason codes of a refused account or webhook. */
export type CredentialCode =
  | 'invalid_key'
  | 'reconnect'
  | 'ip_blocked'
  | 'forbidden'
  | 'payment_required'
  // Codes of webhooks, which are repaired at the receiver or on this server.
  | 'denied'
  | 'gone'
  | 'redirected'
  | 'private_address'
  | 'unreadable_secret'

/** Missing field, which has to be provisioned before a retry, or missing contact, which has to be created again. */
export type ConfigurationProblem = {
  kind: 'configuration'
  code: 'field_missing' | 'contact_missing'
}
/** Final failure; `code` is the reason: invalid_email, refused. */
export type Permanent = { kind: 'permanent'; code: string }
/** Reply of unknown form. */
export type UnknownReply = { kind: 'unknown'; code: string }

/** Failed call to a tool or a webhook. */
export type Failure =
  | Transient
  | CredentialProblem
  | ConfigurationProblem
  | Permanent
  | UnknownReply

/** Outcome of a delivery, with its completed calls. */
export type DeliveryOutcome = (
  | {
      kind: 'delivered'
      vendor_contact_id: string | null
      warning?: 'label_refused' | 'field_refused'
    }
  | { kind: 'suppressed'; reason: 'cancelled' | 'bounced' | 'complained' | 'unsubscribed' }
  | Failure
) & {
  completed_calls: CompletedCalls
  /** Number of calls after the first. */
  extra_calls?: number
}

/** Person as known to a tool; the id of the tool is null if unknown. */
export type KnownPerson = { email: string; vendor_contact_id: string | null }

/** Outcome of an erasure (docs/decisions/046). `already_gone` means that the tool does not know the person. */
export type ErasureOutcome = (
  | { kind: 'erased'; code: 'deleted' | 'unsubscribed' | 'already_gone' | 'notified' }
  | Failure
) & {
  /** Number of calls after the first. */
  extra_calls?: number
}

/** Account that a secret opens, as far as the tool identifies the account. */
type Identity = {
  kind: 'valid'
  vendor_account_id: string | null
  vendor_email: string | null
}

/** Key of a field at the tool. */
export type ProvisionedField = {
  kind: 'provisioned'
  field_key: string
  /** Type of the field; text if absent. */
  type?: FieldType
  /** True if the field was created, so that values sent before are lost. */
  is_new?: true
}

/** Field to find or create. */
export type FieldRequest = {
  name: string
  /** Key of the field, if it was known before. */
  key?: string | null
  /** Types that the field may have; text if absent. */
  types?: readonly FieldType[]
}

/** Keys of several fields by requested name, or the reason for each refused field. */
export type ProvisionedFields = {
  kind: 'fields'
  fields: Record<string, ProvisionedField | Permanent>
  /** Number of calls after the first. */
  extra_calls?: number
}

/** Labels of one kind in an account. */
export type AccountLabels = { kind: 'labels'; labels: { vendor_id: string; name: string }[] }

/** Fields of an account, without those of the contact data. */
export type AccountFields = { kind: 'account_fields'; fields: AccountField[] }

/** Reply of a tool, with its text because the text need not be JSON. */
export type OutboundReply = {
  kind: 'reply'
  status: number
  headers: Headers
  text: string
  /** Parsed JSON of the text; undefined if the text is not JSON. */
  json: unknown
}

/** Request to a service of the configuration. */
export type OutboundRequest = ToolRequest & {
  /** Configured base URL, so that no user input is part of the host. */
  base: string
  headers: Record<string, string>
  form?: Record<string, string>
  patience_ms?: number
}

/** Transport of the calls to a service. Returns network failures instead of throwing. */
export type SendRequest = (
  request: OutboundRequest,
) => Promise<OutboundReply | Transient | UnknownReply>

/** Client of an email tool. Returns failures of the tool and the network instead of throwing. */
export type Provider = {
  name: ProviderName
  /** Checks whether a secret opens an account, before the secret is stored. */
  check: (secret: string) => Promise<Identity | Failure>
  /**
   * Finds these fields and creates missing ones. A tool that silently drops values of missing fields calls
   * `beforeMaking` before each creation. The call is idempotent.
   */
  provision: (
    connection: OpenConnection,
    fields: readonly FieldRequest[],
    beforeMaking?: (name: string) => Promise<void>,
  ) => Promise<ProvisionedFields | Failure>
  /** Sends one participant. A repeat with the completed calls of the previous attempt has no further effect. */
  deliver: (
    connection: OpenConnection,
    contact: Contact,
    completed_calls: CompletedCalls,
  ) => Promise<DeliveryOutcome>
  /**
   * Lists the labels of a kind in the account, up to a maximum number of pages. Null means tags or lists. The permanent
   * failure `plan` means that the account lacks the feature.
   */
  listLabels: (
    connection: OpenConnection,
    kind: LabelKind | null,
  ) => Promise<AccountLabels | Failure>
  /** Lists the fields of the account to which a mapping can write. */
  listFields: (connection: OpenConnection) => Promise<AccountFields | Failure>
  /**
   * Returns this client with another transport, for previews. Its caches are empty, and lookups that this client has
   * cached are answered without a call.
   */
  withTransport: (send: SendRequest) => Provider
  /** Deletes or unsubscribes one person. The call is idempotent. */
  erase: (
    connection: OpenConnection,
    person: KnownPerson,
    kind: ErasureKind,
  ) => Promise<ErasureOutcome>
}

/**
 * Opens a stored connection, and refreshes a due token under a lock. `refused_token` is the secret that the tool
 * rejected with a 401. A connection that needs a new secret is opened only with `is_retry`.
 */
export type OpenConnectionOf = (
  connection_id: string,
  refused_token?: string,
  is_retry?: boolean,
) => Promise<{ kind: 'open'; connection: OpenConnection } | Transient | CredentialProblem>
