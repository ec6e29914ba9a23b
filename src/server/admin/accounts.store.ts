import { sql } from 'kysely'
import type { AccountOrder, ListedAccount } from '#contract/admin.ts'
import { ACCOUNTS_PER_PAGE } from '#contract/admin.ts'
import { emailSearchTerm } from '#domain/common/addresses.ts'
import { patternOf } from '#server/auth/admin/admin-users.store.ts'
import type { Db } from '#server/db/database.ts'
import { UUID } from '#server/runtime/uuid.ts'

/** Maximum number of accounts that are counted one by one; beyond it the estimate of the database is shown. */
const MAX_COUNTED_ACCOUNTS = 10_000

/** Column of each order. An account that never signed in comes last. */
const ORDER_COLUMNS: Record<AccountOrder, ReturnType<typeof sql.raw>> = {
  created: sql.raw('created_at'),
  signed_in: sql.raw("coalesce(last_sign_in_at, 'epoch'::timestamptz)"),
}

type AccountFilter = {
  order: AccountOrder
  /** Part of an address; empty for all accounts. */
  search: string
  /** Position of the last account of the previous page. */
  after: string | undefined
  admin_emails: readonly string[]
}

/** Microseconds since 1970, as far as PostgreSQL has days. */
const MICROSECONDS = /^\d{1,18}$/

/** Returns the condition for accounts after a position such as `1764000000000000_id`; any other text stands for the first page. */
const isAfter = (order: AccountOrder, after: string | undefined) => {
  const [micros = '', id = ''] = after?.split('_') ?? []
  if (!MICROSECONDS.test(micros) || !UUID.test(id)) return sql`true`
  return sql`(${ORDER_COLUMNS[order]}, id) <
    ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`
}

/** Columns of a listed account, from a table `page` of accounts. */
const listedColumns = (admin_emails: readonly string[]) => sql`
  page.id, email, phone, is_anonymous, created_at, last_sign_in_at,
  email_confirmed_at is not null or phone_confirmed_at is not null as is_confirmed,
  coalesce(banned_until > now(), false) as is_disabled,
  not is_anonymous and email_proven_by is not null and email_confirmed_at is not null
    and email = any(${admin_emails}::text[]) as is_administrator,
  owned.nb_quizzes, owned.nb_participants`

/** Numbers of quizzes and participants of each account in `page`. The versions count their participants. */
const OWNED = sql`
  left join lateral (
    select count(distinct quizzes.id) as nb_quizzes,
      coalesce(sum(quiz_versions.nb_responses), 0)::bigint as nb_participants
    from quizzes left join quiz_versions on quiz_versions.quiz_id = quizzes.id
    where quizzes.creator_id = page.id
  ) as owned on true`

type AccountRow = Omit<ListedAccount, 'is_administrator'> & { is_administrator: boolean | null }
const shown = ({ is_administrator, ...account }: AccountRow): ListedAccount => ({
  ...account,
  is_administrator: is_administrator === true,
})

/** Returns a page of accounts, newest first, and the position after which the next page begins; null for the last page. */
export const listAccounts = async (
  db: Db,
  { order, search, after, admin_emails }: AccountFilter,
): Promise<{ accounts: ListedAccount[]; next: string | null }> => {
  const pattern = patternOf(emailSearchTerm(search).toLowerCase())
  const column = ORDER_COLUMNS[order]
  const { rows } = await sql<AccountRow & { micros: string }>`
    select ${listedColumns(admin_emails)}, page.micros from (
      select *, (extract(epoch from ${column}) * 1000000)::bigint::text as micros
      from users
      where deleted_at is null and ${isAfter(order, after)}
        and ${search === '' ? sql`true` : sql`email like ${pattern}`}
      order by ${column} desc, id desc
      limit ${ACCOUNTS_PER_PAGE + 1}
    ) as page ${OWNED}
    order by page.micros::bigint desc, page.id desc
  `.execute(db)
  const page = rows.slice(0, ACCOUNTS_PER_PAGE)
  const last = rows.length > ACCOUNTS_PER_PAGE ? page.at(-1) : undefined
  return {
    accounts: page.map(({ micros: _micros, ...row }) => shown(row)),
    next: last ? `${last.micros}_${last.id}` : null,
  }
}

/** Returns one account as it is listed; undefined if it does not exist. */
export const findListedAccount = async (
  db: Db,
  id: string,
  admin_emails: readonly string[],
): Promise<ListedAccount | undefined> => {
  const { rows } = await sql<AccountRow>`
    select ${listedColumns(admin_emails)} from (
      select * from users where id = ${id} and deleted_at is null
    ) as page ${OWNED}
  `.execute(db)
  return rows[0] && shown(rows[0])
}

/** Returns the number of accounts: exact up to ten thousand, otherwise the estimate of the database. */
export const countAccounts = async (
  db: Db,
): Promise<{ nb_accounts: number; is_estimate: boolean }> => {
  const { rows } = await sql<{ counted: number; estimated: number }>`
    select
      (select count(*) from (
        select 1 from users where deleted_at is null limit ${MAX_COUNTED_ACCOUNTS + 1}
      ) as counted_users) as counted,
      (select greatest(reltuples, 0)::bigint from pg_class where oid = 'users'::regclass) as estimated
  `.execute(db)
  const { counted = 0, estimated = 0 } = rows[0] ?? {}
  if (counted <= MAX_COUNTED_ACCOUNTS) return { nb_accounts: counted, is_estimate: false }
  return { nb_accounts: Math.max(counted, estimated), is_estimate: true }
}

/** Returns the number of these addresses whose accounts cannot administer, because they are missing or unproven. */
export const countUnprovenAddresses = async (
  db: Db,
  admin_emails: readonly string[],
): Promise<number> => {
  const { proven } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('proven'))
    .where('email', 'in', admin_emails)
    .where('email_proven_by', 'is not', null)
    .executeTakeFirstOrThrow()
  return admin_emails.length - proven
}
