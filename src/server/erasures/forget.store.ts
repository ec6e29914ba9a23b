import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** How long a person is kept, sealed, of whom nothing could be done; and how long the ledger says what was. */
const PERSON_KEPT = sql`interval '30 days'`
const LEDGER_KEPT = sql`interval '1 year'`

/** Wipes whose erasures could not be carried out for thirty days, and deletes what is a year old or of no quiz any more. */
export const forgetErasures = async (db: Db, now: Date): Promise<void> => {
  await sql`
    update erasures
    set status = 'refused', last_code = case status when 'pending' then 'expired' else last_code end,
      sealed_person = null, vendor_contact_id = null, next_attempt_at = null, lease_id = null,
      lease_until = null, settled_at = coalesce(settled_at, ${now})
    where status <> 'done' and sealed_person is not null
      and created_at < ${now}::timestamptz - ${PERSON_KEPT}
  `.execute(db)
  await sql`
    delete from erasures
    where status <> 'pending' and (
      created_at < ${now}::timestamptz - ${LEDGER_KEPT}
      or not exists (select from quizzes where quizzes.id = any(quiz_ids))
    )
  `.execute(db)
}
