import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { isSessionExpired } from './sessions/sessions.store.ts'

/** Retention of used refresh tokens, which detect copied tokens. Sessions expire if unused for this time. */
const TOKEN_RETENTION = sql`interval '30 days'`
/** Retention of codes, challenges and sign-ins that were started but not completed, and of unverified factors. */
const PENDING_ROW_RETENTION = sql`interval '1 day'`
/** Retention of counted attempts: one hour plus a margin for clock differences. */
const ATTEMPT_RETENTION = sql`interval '2 hours'`
const NETWORK_RETENTION = sql`interval '90 days'`
/** Retention of unconfirmed accounts without content. */
const UNCONFIRMED_RETENTION = sql`interval '30 days'`

const before = (age: typeof TOKEN_RETENTION) => sql<string>`now() - ${age}`

/** Deletes expired sessions, tokens, codes, attempts and networks, and old accounts that were never confirmed or used. */
export const deleteExpiredRows = async (db: Db): Promise<void> => {
  await db.deleteFrom('sessions').where(isSessionExpired).execute()
  await db.deleteFrom('refresh_tokens').where('revoked_at', '<', before(TOKEN_RETENTION)).execute()
  for (const table of [
    'one_time_tokens',
    'flow_states',
    'mfa_challenges',
    'web3_messages',
  ] as const)
    await db.deleteFrom(table).where('created_at', '<', before(PENDING_ROW_RETENTION)).execute()
  await db.deleteFrom('recent_attempts').where('began_at', '<', before(ATTEMPT_RETENTION)).execute()
  await db.deleteFrom('known_networks').where('seen_at', '<', before(NETWORK_RETENTION)).execute()
  await db
    .deleteFrom('mfa_factors')
    .where('status', '=', 'unverified')
    .where('created_at', '<', before(PENDING_ROW_RETENTION))
    .execute()
  await db
    .deleteFrom('users')
    .where('is_anonymous', '=', false)
    .where('email_confirmed_at', 'is', null)
    .where('phone_confirmed_at', 'is', null)
    .where('last_sign_in_at', 'is', null)
    .where('created_at', '<', before(UNCONFIRMED_RETENTION))
    .where(
      sql<boolean>`coalesce(greatest(confirmation_sent_at, invited_at), created_at) < ${before(UNCONFIRMED_RETENTION)}`,
    )
    .where((condition) =>
      condition.not(
        condition.exists(
          condition.selectFrom('all_quizzes').select('id').whereRef('creator_id', '=', 'users.id'),
        ),
      ),
    )
    .execute()
}
