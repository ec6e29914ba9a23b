import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const WINDOW = sql`interval '1 hour'`
const isOver = sql`counted.began_at <= now() - ${WINDOW}`

/** Counters of an attempt. The caller's network counts if the account knows it, otherwise the account. */
export type Scopes = {
  account: Buffer
  network: { user_id: string; network_hash: Buffer; scope: Buffer } | undefined
}

/**
 * Counts an attempt and returns the counter's key. Returns undefined if the hourly limit of that counter is reached.
 */
export const addAttempt = async (
  db: Db,
  { account, network }: Scopes,
  max_attempts: number,
): Promise<Buffer | undefined> => {
  const { rows } = await sql<{ scope: Buffer }>`
    insert into recent_attempts as counted (scope, attempts)
    select case when exists (
      select from known_networks
      where user_id = ${network?.user_id ?? null}::uuid
        and network_hash = ${network?.network_hash ?? null}::bytea
    ) then ${network?.scope ?? null}::bytea else ${account}::bytea end, 1
    on conflict (scope) do update set
      attempts = case when ${isOver} then 1 else counted.attempts + 1 end,
      began_at = case when ${isOver} then now() else counted.began_at end
    where ${isOver} or counted.attempts < ${max_attempts}
    returning scope`.execute(db)
  return rows[0]?.scope
}

/** Removes a successful attempt from the count. */
export const removeAttempt = async (db: Db, scope: Buffer): Promise<void> => {
  await db
    .updateTable('recent_attempts')
    .set({ attempts: sql`greatest(attempts - 1, 0)` })
    .where('scope', '=', scope)
    .execute()
}

/** Returns the seconds until a refused scope may try again. */
export const secondsToWait = async (db: Db, { account, network }: Scopes): Promise<number> => {
  const row = await db
    .selectFrom('recent_attempts')
    .select(
      sql<number>`ceil(extract(epoch from max(began_at) + ${WINDOW} - now()))::int`.as('wait'),
    )
    .where('scope', 'in', [account, ...(network ? [network.scope] : [])])
    .executeTakeFirst()
  return Math.max(1, row?.wait ?? 1)
}

/**
 * Stores a network from which an account was signed in. With a second factor, a sign-in by password alone does not
 * count.
 */
export const saveKnownNetwork = async (
  db: Db,
  { user_id, network_hash }: { user_id: string; network_hash: Buffer },
  { hasShownFactor }: { hasShownFactor: boolean },
): Promise<void> => {
  const { rows } = await sql`
    insert into known_networks (user_id, network_hash)
    select ${user_id}, ${network_hash}
    where ${hasShownFactor} or not exists (
      select from mfa_factors where user_id = ${user_id} and status = 'verified'
    )
    on conflict (user_id, network_hash) do update set seen_at = now()
    where known_networks.seen_at < now() - interval '1 day'
    returning user_id`.execute(db)
  if (rows.length > 0) await forgetOldestNetworks(db, user_id)
}

/** Maximum number of known networks per account, because each has its own allowance of attempts. */
const MAX_NETWORKS = 10

const forgetOldestNetworks = async (db: Db, user_id: string): Promise<void> => {
  await db
    .deleteFrom('known_networks')
    .where('user_id', '=', user_id)
    .where('network_hash', 'in', (select) =>
      select
        .selectFrom('known_networks')
        .select('network_hash')
        .where('user_id', '=', user_id)
        .orderBy('seen_at', 'desc')
        .offset(MAX_NETWORKS),
    )
    .execute()
}

/** Deletes the known networks of an account. */
export const deleteKnownNetworks = async (db: Db, user_id: string): Promise<void> => {
  await db.deleteFrom('known_networks').where('user_id', '=', user_id).execute()
}
