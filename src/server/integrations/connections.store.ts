import { randomUUIDv7 } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import {
  countWaitingDeliveries,
  type ReplacedAccount,
  resetAccountData,
} from './replace-account.store.ts'

/** Connected account of a creator at an email tool. */
export type Connection = Selectable<Tables['integration_connections']> & { provider: ProviderName }
type ConnectionOfTool = { provider: ProviderName }
type ConnectionOfUser = { user_id: string; provider: ProviderName }

const now = sql<string>`now()`
/** SQL expression that increments the generation when the secret or the address changes. */
export const nextGeneration = sql<number>`generation + 1`

/** Returns the connection of a creator to a tool, even if it is disconnected. */
export const findConnection = (
  db: Db,
  { user_id, provider }: ConnectionOfUser,
): Promise<Connection | undefined> =>
  db
    .selectFrom('integration_connections')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('provider', '=', provider)
    .$narrowType<ConnectionOfTool>()
    .executeTakeFirst()

/** Returns a connection by id; undefined if there is none. */
export const loadConnection = (db: Db, id: string): Promise<Connection | undefined> =>
  db
    .selectFrom('integration_connections')
    .selectAll()
    .where('id', '=', id)
    .where('quiz_id', 'is', null)
    .$narrowType<ConnectionOfTool>()
    .executeTakeFirst()

/** Lists the connections that still hold a secret. */
export const listActiveConnections = (db: Db, user_id: string): Promise<Connection[]> =>
  db
    .selectFrom('integration_connections')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('sealed_secret', 'is not', null)
    .where('quiz_id', 'is', null)
    .$narrowType<ConnectionOfTool>()
    .execute()

type NewSecret = {
  secret: string
  vendor_account_id: string | null
  vendor_email: string | null
  token_expires_at: Date | null
}

/**
 * Stores a verified secret; a creator has one row per tool, which keeps its id. Does not replace the secret of another
 * account without permission, and then returns the account to replace (product 11.8).
 */
export const storeConnection = (
  db: Db,
  vault: Vault,
  { user_id, provider, may_replace }: ConnectionOfUser & { may_replace: boolean },
  { secret, ...verified }: NewSecret,
): Promise<ReplacedAccount | undefined> =>
  db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('integration_connections')
      .values({ id: randomUUIDv7(), user_id, provider, status: 'disconnected' })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'provider']).where('quiz_id', 'is', null).doNothing(),
      )
      .execute()
    const row = await transaction
      .selectFrom('integration_connections')
      .select(['id', 'user_id', 'provider', 'key_version'])
      .select(['sealed_secret', 'vendor_account_id', 'vendor_email'])
      .where('user_id', '=', user_id)
      .where('provider', '=', provider)
      .$narrowType<ConnectionOfTool>()
      // This lock does not block inserts of rows that refer to the connection, such as erasures.
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const [before, after] = [row.vendor_account_id, verified.vendor_account_id]
    if (before !== null && after !== null && before !== after && !may_replace) {
      const nb_waiting = await countWaitingDeliveries(transaction, row.id)
      const { vendor_email } = row
      if (row.sealed_secret || nb_waiting > 0) return { nb_waiting, vendor_email }
    }
    // The account may be another one if the tool gives no account id.
    if (before === null || before !== after)
      await resetAccountData(transaction, { ...row, is_other: before !== null && after !== null })
    await transaction
      .updateTable('integration_connections')
      .set({
        ...verified,
        sealed_secret: vault.seal(row, secret),
        status: 'active',
        status_reason: null,
        refresh_lock_until: null,
        paused_until: null,
        notified_at: null,
        generation: nextGeneration,
        updated_at: now,
      })
      .where('id', '=', row.id)
      .execute()
    return undefined
  })

/** Deletes the secret. The row stays because deliveries refer to the connection. */
export const eraseSecret = async (
  db: Db,
  { user_id, provider }: ConnectionOfUser,
): Promise<void> => {
  await db
    .updateTable('integration_connections')
    .set({
      sealed_secret: null,
      status: 'disconnected',
      status_reason: null,
      vendor_email: null,
      token_expires_at: null,
      refresh_lock_until: null,
      paused_until: null,
      updated_at: now,
    })
    .where('user_id', '=', user_id)
    .where('provider', '=', provider)
    .execute()
}

/** Records that the tool refuses this secret. Does nothing if the secret has been replaced. */
export const markConnectionRefused = async (
  db: Db,
  { id, sealed_secret }: Pick<Connection, 'id' | 'sealed_secret'>,
  status_reason: string,
): Promise<void> => {
  await db
    .updateTable('integration_connections')
    .set({ status: 'needs_attention', status_reason, updated_at: now })
    .where('id', '=', id)
    .where('sealed_secret', '=', sealed_secret)
    .execute()
}

/** Records that the tool accepts the account again. */
export const markConnectionWorking = async (db: Db, id: string): Promise<void> => {
  await db
    .updateTable('integration_connections')
    .set({ status: 'active', status_reason: null, notified_at: null, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'needs_attention')
    .execute()
}

/** Locks the token refresh for the given seconds. Returns false if another process holds the lock. */
export const lockRefresh = async (db: Db, id: string, seconds: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('integration_connections')
    .set({ refresh_lock_until: sql<string>`now() + make_interval(secs => ${seconds})` })
    .where('id', '=', id)
    .where((condition) =>
      condition.or([
        condition('refresh_lock_until', 'is', null),
        condition('refresh_lock_until', '<', sql<string>`now()`),
      ]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Releases the lock of the token refresh. */
export const unlockRefresh = async (db: Db, id: string): Promise<void> => {
  await db
    .updateTable('integration_connections')
    .set({ refresh_lock_until: null })
    .where('id', '=', id)
    .execute()
}

/** Stores the refreshed tokens. Returns false if the connection has other tokens by now, or none. */
export const replaceTokens = async (
  db: Db,
  { id, sealed_secret }: Pick<Connection, 'id' | 'sealed_secret'>,
  next: { sealed_secret: Buffer; token_expires_at: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('integration_connections')
    .set({ ...next, refresh_lock_until: null, updated_at: now })
    .where('id', '=', id)
    .where('sealed_secret', '=', sealed_secret)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Lists connections to Kit whose tokens were not refreshed for days, because unused tokens may expire. */
export const listIdleConnections = async (
  db: Db,
  days: number,
  limit: number,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('integration_connections')
    .select('id')
    .where('provider', '=', 'convertkit')
    .where('status', '=', 'active')
    .where('token_expires_at', '<', sql<string>`now() - make_interval(days => ${days})`)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
