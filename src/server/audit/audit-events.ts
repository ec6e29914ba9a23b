/** Names of all events of the audit log (docs/decisions/021). */
export const AUDIT_EVENTS = [
  'server_started',
  'server_stopped',
  'schema_migrated',
  'sign_up',
  'sign_in',
  'sign_in_refused',
  'session_expired',
  'refresh_reused',
  'sign_out',
  'password_changed',
  'email_changed',
  'factor_added',
  'factor_shown',
  'factor_refused',
  'factor_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'identity_linked',
  'identity_unlinked',
  'ways_in_replaced',
  'user_invited',
  'user_created',
  'user_changed',
  'user_deleted',
  'user_disabled',
  'user_enabled',
  'sign_up_mode_changed',
  'token_refused',
  'access_refused',
  'rate_limited',
  'quiz_published',
  'quiz_withdrawn',
  'quiz_trashed',
  'quiz_restored',
  'quiz_deleted',
  'trash_emptied',
  'participant_erased',
  'person_erased',
  'consent_withdrawn',
  'address_confirmed',
  'own_data_downloaded',
  'erasure_settled',
  'responses_expired',
  'export_made',
  'export_downloaded',
  'statistics_shared',
  'statistics_unshared',
  'api_key_made',
  'api_key_revoked',
  'account_exported',
  'account_deleted',
  'integration_connected',
  'integration_key_saved',
  'integration_disconnected',
  'integration_refused',
  'delivery_given_up',
  'automation_added',
  'automation_removed',
  'mapping_added',
  'mapping_changed',
  'mapping_removed',
  'webhook_added',
  'webhook_changed',
  'webhook_secret_changed',
  'webhook_removed',
  'mails_changed',
  'sender_changed',
  'reply_address_added',
  'reply_address_removed',
  'backup_written',
  'backup_restored',
  'secrets_rotated',
] as const
/** Name of an event. */
export type AuditEvent = (typeof AUDIT_EVENTS)[number]

/** Details of an event besides its time and origin. */
export type AuditFacts = {
  outcome?: 'ok' | 'refused' | 'failed'
  actor_id?: string | undefined
  session_id?: string | undefined
  object_id?: string | undefined
  /** Email address, of which only an HMAC is stored. */
  email?: string | undefined
  /** A fixed word or a number, never text that a user typed. */
  detail?: string | undefined
}
