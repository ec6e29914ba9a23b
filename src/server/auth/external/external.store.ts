import { createHash, randomUUID, randomUUIDv7 } from 'node:crypto'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { User } from '#server/auth/accounts/users.store.ts'
import { deleteKnownNetworks } from '#server/auth/attempts.store.ts'
import { clearTokens } from '#server/auth/email-links/one-time-tokens.store.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Profile } from './providers.ts'

const STATE_MAX_AGE = sql`interval '5 minutes'`

/** Stored OAuth state: one started sign-in with an identity provider. */
export type OauthState = Selectable<Tables['oauth_states']> & { is_over: boolean }

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Stores a state for this browser and returns its id. */
export const insertState = async (
  db: Db,
  {
    browser,
    ...state
  }: Omit<Insertable<Tables['oauth_states']>, 'id' | 'browser_hash'> & { browser: string },
): Promise<string> => {
  await db
    .deleteFrom('oauth_states')
    .where('created_at', '<', sql<string>`now() - interval '1 day'`)
    .execute()
  const id = randomUUID()
  await db
    .insertInto('oauth_states')
    .values({ id, browser_hash: hashOf(browser), ...state })
    .execute()
  return id
}

/**
 * Marks a state as used and returns it. Returns undefined if it was used or started in another browser. The browser is
 * not checked for a linking with a PKCE challenge, because the exchange requires the verifier.
 */
export const consumeState = (
  db: Db,
  { id, browser }: { id: string; browser: string },
): Promise<OauthState | undefined> =>
  db
    .updateTable('oauth_states')
    .set({ used_at: sql`now()` })
    .where('id', '=', id)
    .where(({ eb, and, or }) =>
      or([
        eb('browser_hash', '=', hashOf(browser)),
        and([eb('linking_user_id', 'is not', null), eb('code_challenge', 'is not', null)]),
      ]),
    )
    .where('used_at', 'is', null)
    .returningAll()
    .returning(sql<boolean>`created_at < now() - ${STATE_MAX_AGE}`.as('is_over'))
    .executeTakeFirst()

/** Returns true if a state was consumed before. */
export const wasStateUsed = async (db: Db, id: string): Promise<boolean> =>
  (await db
    .selectFrom('oauth_states')
    .select('id')
    .where('id', '=', id)
    .where('used_at', 'is not', null)
    .executeTakeFirst()) !== undefined

/** Returns the account of a provider identity. */
export const findUserOfIdentity = (
  db: Db,
  { provider, subject }: Profile,
): Promise<User | undefined> =>
  db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('identities.provider', '=', provider)
    .where('identities.provider_id', '=', subject)
    .executeTakeFirst()

/** Creates an identity or updates its provider data. */
export const putIdentity = async (
  db: Db,
  user_id: string,
  { provider, subject, data }: Profile,
): Promise<void> => {
  const identity_data = JSON.stringify(data)
  await db
    .insertInto('identities')
    .values({
      id: randomUUIDv7(),
      user_id,
      provider,
      provider_id: subject,
      identity_data,
      last_sign_in_at: sql`now()`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'provider_id'])
        .doUpdateSet({ identity_data, last_sign_in_at: sql`now()`, updated_at: sql`now()` })
        .where('identities.user_id', '=', user_id),
    )
    .execute()
  await saveProviders(db, user_id)
}

/** Updates the provider list of an account from its identities, oldest first. */
export const saveProviders = async (db: Db, user_id: string): Promise<void> => {
  await sql`
    update users set updated_at = now(), app_metadata = app_metadata || coalesce((
      select jsonb_build_object('provider', (array_agg(provider order by first))[1],
        'providers', jsonb_agg(provider order by first))
      from (select provider, min(created_at) as first from identities
        where user_id = ${user_id} group by provider) as providers
    ), '{}') where id = ${user_id}`.execute(db)
}

/** Creates an account for a provider profile. */
export const insertExternalUser = (
  db: Db,
  {
    email,
    is_verified,
    data,
  }: { email: string | null; is_verified: boolean; data: Record<string, unknown> },
): Promise<User> =>
  db
    .insertInto('users')
    .values({
      id: randomUUIDv7(),
      email,
      encrypted_password: null,
      email_confirmed_at: email ? sql`now()` : null,
      email_proven_by: email && is_verified ? 'provider' : null,
      user_metadata: JSON.stringify(data),
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Ends the anonymous status of an account, and sets its address if a verified one is given. */
export const makePermanent = (
  db: Db,
  id: string,
  { email }: { email?: string | undefined },
): Promise<User> =>
  db
    .updateTable('users')
    .set({
      is_anonymous: false,
      updated_at: sql`now()`,
      ...(email && { email, email_confirmed_at: sql`now()`, email_proven_by: 'provider' as const }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

type RemainingMethods = { email: string | null; keeps_password: boolean; keeps_phone: boolean }

/** Stores the remaining address and deletes password, number and pending address that are not remaining. */
export const saveRemainingMethods = async (
  db: Db,
  id: string,
  remaining: RemainingMethods,
): Promise<void> => {
  await db
    .updateTable('users')
    .set({
      email: remaining.email,
      ...(remaining.email === null && { email_confirmed_at: null }),
      ...(!remaining.keeps_password && { encrypted_password: null }),
      ...(!remaining.keeps_phone && { phone: null, phone_confirmed_at: null, new_phone: null }),
      new_email: null,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute()
}

/** Deletes an identity of a user and updates the provider list. */
export const deleteIdentity = async (
  db: Db,
  { id, user_id }: { id: string; user_id: string },
): Promise<void> => {
  await db.deleteFrom('identities').where('id', '=', id).where('user_id', '=', user_id).execute()
  await saveProviders(db, user_id)
}

/** Deletes all identities of a user. */
export const deleteIdentities = async (db: Db, user_id: string): Promise<void> => {
  await db.deleteFrom('identities').where('user_id', '=', user_id).execute()
}

/**
 * Deletes pending links, codes and flows and the known networks of a user, because another person could use them to
 * sign in.
 */
export const deletePendingSignIns = async (
  db: Db,
  user_id: string,
  { except_flow = null }: { except_flow?: string | null } = {},
): Promise<void> => {
  await clearTokens(db, user_id)
  await db
    .deleteFrom('flow_states')
    .where('user_id', '=', user_id)
    .where('id', 'is distinct from', except_flow)
    .execute()
  await db.deleteFrom('oauth_states').where('linking_user_id', '=', user_id).execute()
  await deleteKnownNetworks(db, user_id)
}
