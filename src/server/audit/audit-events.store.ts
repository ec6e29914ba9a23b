import { sql } from 'kysely'
import type { Db, Queryable } from '#server/db/database.ts'
import type { AuditRow } from '#server/db/tables.ts'

/** Inserts events in one statement. */
export const insertAuditEvents = async (
  db: Queryable,
  rows: readonly AuditRow[],
): Promise<void> => {
  await db.query(
    `insert into audit_events (at, event, outcome, actor_id, session_id, address, object_id,
      request_id, email_hmac, detail)
    select at, event, outcome, actor_id, session_id, address, object_id, request_id, email_hmac, detail
    from jsonb_to_recordset($1::jsonb) as row(at timestamptz, event text, outcome text, actor_id uuid,
      session_id uuid, address cidr, object_id text, request_id text, email_hmac text, detail text)`,
    [JSON.stringify(rows)],
  )
}

type AuditEventFilter = {
  since: Date
  event: string | null
  actor_id: string | null
  email_hmac: string | null
  limit: number
}

/** Returns the events since a moment, oldest first. */
export const listAuditEvents = async (
  db: Queryable,
  { since, event, actor_id, email_hmac, limit }: AuditEventFilter,
): Promise<AuditRow[]> => {
  const { rows } = await db.query<AuditRow>(
    `select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, event, outcome,
      actor_id, session_id, address::text as address, object_id, request_id, email_hmac, detail
    from audit_events
    where at >= $1 and ($2::text is null or event = $2) and ($3::uuid is null or actor_id = $3)
      and ($4::text is null or email_hmac = $4)
    order by at, id limit $5`,
    [since, event, actor_id, email_hmac, limit],
  )
  return rows
}

const MAX_BATCH_SIZE = 10_000n

/** Deletes events older than twelve months; a trigger of the database refuses to delete younger ones. */
export const forgetAuditEvents = async (db: Db): Promise<void> => {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from audit_events where id in (
        select id from audit_events where at < now() - interval '12 months'
        order by at limit ${MAX_BATCH_SIZE}
      )`.execute(db)
    if (numAffectedRows < MAX_BATCH_SIZE) return
  }
}
