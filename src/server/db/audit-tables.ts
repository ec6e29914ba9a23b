import type { Generated } from 'kysely'

/** An event of the audit log as it is stored and printed. */
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

/** What the audit log keeps. */
export type AuditTables = { audit_events: AuditRow & { id: Generated<number> } }
