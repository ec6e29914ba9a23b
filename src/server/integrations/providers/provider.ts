import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Label } from '#domain/deliveries/automations.ts'
import type { ErasureKind } from '#domain/deliveries/erasures.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'

/** An account at an email tool, ready to be used. It holds a secret: never logged, never answered. */
export type OpenConnection = {
  id: string
  user_id: string
  provider: ProviderName
  /** The API key, or the access token. */
  secret: string
  vendor_account_id: string | null
  /** Whether the time is up of what it was opened for: no further call is begun then. */
  isLate?: () => boolean
}

/** A value for a field of a tool, which has its key as the tool calls it. */
type FieldValue = { key: string; value: string }

/** A participant as a tool gets them. */
export type Contact = {
  email: string
  /** What is not in it is left as it is: of a newer result, say, nothing is wiped. */
  fields: readonly FieldValue[]
  labels: readonly Label[]
  /** Of a creator who tries the tool: labels that it has refused lately are asked for again. */
  is_trial?: boolean
}

/** A call to a tool as data, without its secret. */
export type ToolRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Begins with a slash; whatever it holds of others is encoded already. */
  path: string
  /** Sent as JSON, unless the headers name another kind of it. */
  json?: unknown
}

/** Nothing was lost, and the same again may work; not before `wait_ms` when the tool named a time. */
export type Transient = {
  kind: 'transient'
  code: string
  wait_ms?: number
  /** The account as a whole is rate-limited, not this contact. */
  pauses_connection: boolean
}

/** The account itself is refused; the creator has to act. Attempts are not consumed. */
export type CredentialProblem = {
  kind: 'credential'
  code: CredentialCode
  /** A new key or authorisation is needed; otherwise the same may work later (address, rights, credits). */
  needs_reconnect: boolean
  /** Our address as the tool sees it, when that is what it refuses. */
  ip?: string
}
export type CredentialCode =
  | 'invalid_key'
  | 'reconnect'
  | 'ip_blocked'
  | 'forbidden'
  | 'payment_required'
  // Of webhooks: what is to be mended at the address, or here.
  | 'denied'
  | 'gone'
  | 'redirected'
  | 'private_address'
  | 'unreadable_secret'

/** A field is gone: provision again, then repeat. Or the contact is, before it got its labels: begin again. */
export type ConfigurationProblem = {
  kind: 'configuration'
  code: 'field_missing' | 'contact_missing'
}
/** The same again fails the same way; `code` says why: invalid_email, refused. */
export type Permanent = { kind: 'permanent'; code: string }
/** An answer of unknown form. */
export type Unknown = { kind: 'unknown'; code: string }

export type Failure = Transient | CredentialProblem | ConfigurationProblem | Permanent | Unknown

/** How a delivery ended (one class each, with what was done on the way). */
export type DeliveryOutcome = (
  | {
      kind: 'delivered'
      vendor_contact_id: string | null
      warning?: 'label_refused' | 'parameter_refused'
    }
  | { kind: 'suppressed'; reason: 'cancelled' | 'bounced' | 'complained' | 'unsubscribed' }
  | Failure
) & {
  completed_calls: CompletedCalls
  /** Calls that it took beyond the one that every delivery is. */
  extra_calls?: number
}

/** A person as a tool was given them; the id is its own, where it is known. */
export type KnownPerson = { email: string; vendor_contact_id: string | null }

/** How an erasure ended (docs/decisions/046): `already_gone` of a person whom the tool does not know (any more). */
export type ErasureOutcome = (
  | { kind: 'erased'; code: 'deleted' | 'unsubscribed' | 'already_gone' | 'notified' }
  | Failure
) & {
  /** Calls that it took beyond the first. */
  extra_calls?: number
}

/** Whose account a secret opens, as far as the tool says. */
type Identity = {
  kind: 'valid'
  vendor_account_id: string | null
  vendor_email: string | null
}

/** What a field is called at the tool from now on. */
export type Provisioned = {
  kind: 'provisioned'
  field_key: string
  /** It was not there: values that were sent into it before are lost. */
  is_new?: true
}

/** The same of several fields, each by the name that it was asked for with, or why the tool does not accept it. */
export type ProvisionedFields = {
  kind: 'fields'
  fields: Record<string, Provisioned | Permanent>
  /** Calls that it took beyond the first. */
  extra_calls?: number
}

/** Tags or lists that an account has. */
export type AccountLabels = { kind: 'labels'; labels: { vendor_id: string; name: string }[] }

/** One email tool. Nothing is thrown for what the tool or the network does: it is in the answer. */
export type Provider = {
  name: ProviderName
  /** Whether a secret opens an account; it is asked before it is stored. */
  check: (secret: string) => Promise<Identity | Failure>
  /**
   * Makes sure that fields of these names exist; repeatable. A tool that takes values for a field that is gone without a
   * word has `beforeMaking` called with the name of each that is not there.
   */
  provision: (
    connection: OpenConnection,
    names: readonly string[],
    beforeMaking?: (name: string) => Promise<void>,
  ) => Promise<ProvisionedFields | Failure>
  /** Brings one participant there; a repeat with the steps of the last try has no further effect. */
  deliver: (
    connection: OpenConnection,
    contact: Contact,
    completed_calls: CompletedCalls,
  ) => Promise<DeliveryOutcome>
  /** The tags or lists of the account, as far as they are read. */
  listLabels: (connection: OpenConnection) => Promise<AccountLabels | Failure>
  /**
   * The calls of a delivery for a contact whom the tool does not know yet. What its answers give is in capitals:
   * CONTACT_ID, TAG_ID, LIST_ID.
   */
  requestsOf: (contact: Contact) => ToolRequest[]
  /** Deletes or unsubscribes one person there; repeatable. */
  erase: (
    connection: OpenConnection,
    person: KnownPerson,
    kind: ErasureKind,
  ) => Promise<ErasureOutcome>
}

/**
 * Opens a stored connection, refreshing its token when that is due, under a lock. `refused` is the secret
 * that the tool has just answered 401 to: what is stored since is used, else it is refreshed; for an API
 * key that is the end, and the connection needs attention. One that needs a new secret is not opened, unless
 * its creator wants it tried `again`.
 */
export type OpenConnectionOf = (
  connection_id: string,
  refused?: string,
  again?: 'again',
) => Promise<{ kind: 'open'; connection: OpenConnection } | Transient | CredentialProblem>
