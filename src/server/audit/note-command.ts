import type { Queryable } from '#server/db/database.ts'
import { insertAuditEvents } from './audit-events.store.ts'
import { type AuditEvent, newAuditRow } from './events.ts'

/** Records what an operator's command has done; when the database refuses it, a line says so and nothing fails. */
export const noteCommand = async (
  db: Queryable,
  event: AuditEvent,
  detail?: string,
): Promise<void> => {
  try {
    await insertAuditEvents(db, [newAuditRow(event, { detail })])
  } catch (error) {
    console.error(`The audit log was not told: ${error instanceof Error ? error.message : error}`)
  }
}
