import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Period of the attempt counters. */
const WINDOW = sql`interval '1 hour'`
const isWindowOver = sql`counted.began_at <= now() - ${WINDOW}`

/** Possible counters of an attempt: that of a known network of the account, or that of the account. */
export type Scopes = {
  account: Buffer
  network: { user_id: string; network_hash: Buffer; scope: Buffer } | undefined
}

/**
 * Counts an attempt at the counter of the network if the account knows the network, otherwise at the account's counter.
 * Returns the key of the counter; undefined if its hourly limit is reached.
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
      attempts = case when ${isWindowOver} then 1 else counted.attempts + 1 end,
      began_at = case when ${isWindowOver} then now() else counted.began_at end
    where ${isWindowOver} or counted.attempts < ${max_attempts}
    returning scope`.execute(db)
  return rows[0]?.scope
}

/** Subtracts one attempt from a counter. */
export const removeAttempt = async (db: Db, scope: Buffer): Promise<void> => {
  await db
    .updateTable('recent_attempts')
    .set({ attempts: sql`greatest(attempts - 1, 0)` })
    .where('scope', '=', scope)
    .execute()
}

/** Returns the seconds until a refused caller may try again. */
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
 * Stores a known network of an account. Does nothing if the account has a second factor that was not verified, because a
 * password alone does not prove the owner.
 */
export const saveKnownNetwork = async (
  db: Db,
  { user_id, network_hash }: { user_id: string; network_hash: Buffer },
  { hasVerifiedFactor }: { hasVerifiedFactor: boolean },
): Promise<void> => {
  const { rows } = await sql`
    insert into known_networks (user_id, network_hash)
    select ${user_id}, ${network_hash}
    where ${hasVerifiedFactor} or not exists (
      select from mfa_factors where user_id = ${user_id} and status = 'verified'
    )
    on conflict (user_id, network_hash) do update set seen_at = now()
    where known_networks.seen_at < now() - interval '1 day'
    returning user_id`.execute(db)
  if (rows.length > 0) await deleteOldestNetworks(db, user_id)
}

/** Maximum number of known networks per account, because each network has its own counter of attempts. */
const MAX_NETWORKS = 10

const deleteOldestNetworks = async (db: Db, user_id: string): Promise<void> => {
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
