import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const LIFE = sql`interval '10 minutes'`

const KEPT = sql<string>`now() - interval '1 day'`

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Stores the state of a consent that a creator starts in this browser. */
export const insertConsentState = async (
  db: Db,
  {
    state,
    browser,
    ...rest
  }: {
    state: string
    browser: string
    user_id: string
    code_verifier: string
    return_to: string | null
    may_replace: boolean
  },
): Promise<void> => {
  await db.deleteFrom('integration_states').where('created_at', '<', KEPT).execute()
  await db
    .insertInto('integration_states')
    .values({ state_hash: hashOf(state), browser_hash: hashOf(browser), ...rest })
    .execute()
}

type KitAuthorization = {
  user_id: string
  code_verifier: string
  return_to: string | null
  may_replace: boolean
}

/**
 * Consumes the state that this browser started with. Returns undefined if the state is used, expired or of another
 * browser.
 */
export const consumeConsentState = (
  db: Db,
  { state, browser }: { state: string; browser: string },
): Promise<KitAuthorization | undefined> =>
  db
    .updateTable('integration_states')
    .set({ used_at: sql`now()` })
    .where('state_hash', '=', hashOf(state))
    .where('browser_hash', '=', hashOf(browser))
    .where('used_at', 'is', null)
    .where('created_at', '>', sql<string>`now() - ${LIFE}`)
    .returning(['user_id', 'code_verifier', 'return_to', 'may_replace'])
    .executeTakeFirst()

/** Stores the outcome of a consent, so that the callback page can be reloaded. */
export const storeConsentOutcome = async (
  db: Db,
  state: string,
  outcome: string,
): Promise<void> => {
  await db
    .updateTable('integration_states')
    .set({ outcome })
    .where('state_hash', '=', hashOf(state))
    .execute()
}

/** Returns the outcome of a consent that this browser has already finished, and where it returns to. */
export const findConsentOutcome = (
  db: Db,
  { state, browser }: { state: string; browser: string },
): Promise<{ outcome: string | null; return_to: string | null } | undefined> =>
  db
    .selectFrom('integration_states')
    .select(['outcome', 'return_to'])
    .where('state_hash', '=', hashOf(state))
    .where('browser_hash', '=', hashOf(browser))
    .where('used_at', 'is not', null)
    .executeTakeFirst()
