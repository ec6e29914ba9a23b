import { type Selectable, sql } from 'kysely'
import { SECOND_FACTORS } from '#server/auth/sessions/sessions.store.ts'
import type { Db } from '#server/db/database.ts'
import type { OneTimeType, Tables } from '#server/db/tables.ts'
import { markIdentityUsed } from './identities.store.ts'

/** Returns the email address of a creator; null without one or with hosted accounts. */
export const findAccountEmail = async (db: Db, user_id: string): Promise<string | null> => {
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', user_id)
    .executeTakeFirst()
  return user?.email ?? null
}

/** Stored account. */
export type User = Selectable<Tables['users']>
/** Metadata of an account, as JSON. */
export type Metadata = Record<string, unknown>

/** Returns true if an account is suspended or softly deleted. */
export const isBanned = ({
  banned_until,
  deleted_at,
}: Pick<User, 'banned_until' | 'deleted_at'>): boolean =>
  deleted_at !== null || (banned_until !== null && Date.parse(banned_until) > Date.now())

/** Returns true if the address or number of an account is confirmed, or its owner has signed in. */
export const isInUse = ({
  email_confirmed_at,
  phone_confirmed_at,
  last_sign_in_at,
}: User): boolean =>
  email_confirmed_at !== null || phone_confirmed_at !== null || last_sign_in_at !== null

/** Returns the account of a lower-case address; undefined if there is none. */
export const findUserByEmail = (db: Db, email: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

/** Returns the account of a number (digits only); undefined if there is none. */
export const findUserByPhone = (db: Db, phone: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('phone', '=', phone).executeTakeFirst()

/** Returns an account and locks its row until the transaction ends. */
export const lockUser = (db: Db, id: string): Promise<User | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns true if the account exists. */
export const hasUser = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Returns the account of a session if both exist. */
export const findUserOfSession = (
  db: Db,
  { user_id, session_id }: { user_id: string; session_id: string },
): Promise<User | undefined> =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .where('sessions.id', '=', session_id)
    .where('users.id', '=', user_id)
    .executeTakeFirst()

/**
 * Returns the account of a session. `needs_factor` is true if the account has a second factor that this session has not
 * verified. Each call runs the query, so that a new factor is required at once.
 */
export const findCaller = async (
  db: Db,
  { user_id, session_id }: { user_id: string; session_id: string },
): Promise<{ user: User; needs_factor: boolean } | undefined> => {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select((select) =>
      select
        .and([
          select.exists(
            select
              .selectFrom('mfa_factors')
              .select('mfa_factors.id')
              .whereRef('mfa_factors.user_id', '=', 'users.id')
              .where('mfa_factors.status', '=', 'verified'),
          ),
          select.not(
            select.exists(
              select
                .selectFrom('session_amr')
                .select('session_amr.method')
                .whereRef('session_amr.session_id', '=', 'sessions.id')
                .where('session_amr.method', 'in', SECOND_FACTORS),
            ),
          ),
        ])
        .as('needs_factor'),
    )
    .where('sessions.id', '=', session_id)
    .where('users.id', '=', user_id)
    .executeTakeFirst()
  if (!row) return undefined
  const { needs_factor, ...user } = row
  return { user, needs_factor: Boolean(needs_factor) }
}

/** Returns the account of a mail by id or address, and locks its row. `mayRead` is false without a usable account. */
export const lockMailRecipient = async (
  db: Db,
  { user_id, email }: { user_id: string | null; email: string },
): Promise<{ user: User | undefined; mayRead: boolean }> => {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where(user_id === null ? 'email' : 'id', '=', user_id ?? email)
    .forUpdate()
    .executeTakeFirst()
  return { user, mayRead: user !== undefined && !isBanned(user) }
}

/**
 * Records a sign-in by password, and stores `renewed`, a new hash of the same password, if given. Returns undefined if
 * the account was deleted or its password changed since the check.
 */
export const markSignedIn = async (
  db: Db,
  { id, encrypted_password }: Pick<User, 'id' | 'encrypted_password'>,
  renewed = encrypted_password,
): Promise<User | undefined> => {
  const user = await db
    .updateTable('users')
    .set({ encrypted_password: renewed, last_sign_in_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('encrypted_password', '=', encrypted_password)
    .returningAll()
    .executeTakeFirst()
  if (user) await markIdentityUsed(db, id)
  return user
}

/** Records a sign-in by a mailed link or code. */
export const markSignedInByMail = async (db: Db, id: string): Promise<User> => {
  const user = await db
    .updateTable('users')
    .set({ last_sign_in_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await markIdentityUsed(db, id)
  return user
}

/** Stores the metadata and password hash of an account. */
export const saveUser = (
  db: Db,
  {
    id,
    user_metadata,
    encrypted_password,
  }: Pick<User, 'id' | 'encrypted_password'> & {
    user_metadata: Metadata
  },
): Promise<User> =>
  db
    .updateTable('users')
    .set({
      encrypted_password,
      user_metadata: JSON.stringify(user_metadata),
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Column with the time of the last mail or text message, by type of token. */
const SENT_AT_COLUMNS = {
  confirmation: 'confirmation_sent_at',
  recovery: 'recovery_sent_at',
  reauthentication: 'reauthentication_sent_at',
  email_change_current: 'email_change_sent_at',
  email_change_new: 'email_change_sent_at',
  phone_confirmation: 'confirmation_sent_at',
  phone_change: 'phone_change_sent_at',
} as const satisfies Partial<Record<OneTimeType, keyof User>>

/** Records the time of a mail or text message with a token. */
export const markMailSent = async (
  db: Db,
  id: string,
  type: keyof typeof SENT_AT_COLUMNS,
): Promise<void> => {
  await db
    .updateTable('users')
    .set({ [SENT_AT_COLUMNS[type]]: sql`now()` })
    .where('id', '=', id)
    .execute()
}
