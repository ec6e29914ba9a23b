import { sql } from 'kysely'
import { LONGEST_AGE } from '#domain/delivery.ts'
import type { ErasureKind, ErasureStatus } from '#domain/erasure.ts'
import type { ChannelName } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'

type Owned = { quiz_id: string; creator_id: string }

export type ErasureRow = {
  id: string
  provider: ChannelName
  /** The address of a webhook; null of a tool. */
  url: string | null
  kind: ErasureKind | 'event'
  status: ErasureStatus
  created_at: string
  settled_at: string | null
  next_attempt_at: string | null
  last_code: string | null
  can_retry: boolean
}

const CAN_RETRY = sql`
  lease_id is null and sealed_person is not null
  and (erasures.status = 'refused' or (erasures.status = 'pending' and attempts > 0))`

/** The newest erasures of people of a quiz, and what became of each. */
export const listErasures = async (
  db: Db,
  { quiz_id, creator_id }: Owned,
  limit: number,
): Promise<ErasureRow[]> => {
  const { rows } = await sql<ErasureRow>`
    select id, provider, url, kind, status, created_at, settled_at, last_code,
      case when status = 'pending' then next_attempt_at end as next_attempt_at,
      ${CAN_RETRY} as can_retry
    from erasures left join webhooks using (connection_id)
    where user_id = ${creator_id} and ${quiz_id} = any(quiz_ids)
    order by created_at desc, id desc limit ${limit}
  `.execute(db)
  return rows
}

/** Has one tried again now, its time counted anew; false where that cannot be, as nothing of it is kept. */
export const retryErasure = async (
  db: Db,
  { quiz_id, creator_id, erasure_id }: Owned & { erasure_id: string },
): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    update erasures set status = 'pending', attempts = 0, next_attempt_at = now(), settled_at = null,
      give_up_at = now() + interval '${sql.raw(LONGEST_AGE)}', last_code = null
    where id = ${erasure_id} and user_id = ${creator_id} and ${quiz_id} = any(quiz_ids) and ${CAN_RETRY}
  `.execute(db)
  return numAffectedRows > 0n
}

/** Whether a quiz's ledger has this one. */
export const hasErasure = async (
  db: Db,
  { quiz_id, creator_id, erasure_id }: Owned & { erasure_id: string },
): Promise<boolean> => {
  const { rows } = await sql`
    select from erasures
    where id = ${erasure_id} and user_id = ${creator_id} and ${quiz_id} = any(quiz_ids)
  `.execute(db)
  return rows.length > 0
}
