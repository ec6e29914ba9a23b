import type { Queryable } from '#server/db/database.ts'
import { insertAuditEvents } from './audit-events.store.ts'
import { type AuditEvent, newAuditRow } from './events.ts'

/** Notes what an operator's command has done. It is done: a database that takes no note only gets a word. */
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
