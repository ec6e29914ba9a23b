import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const LIFE = sql`interval '10 minutes'`
const KEPT = sql<string>`now() - interval '1 day'`

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Notes that a creator goes to Kit from this browser. */
export const insertState = async (
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

type Taken = {
  user_id: string
  code_verifier: string
  return_to: string | null
  may_replace: boolean
}

/** Uses up the state that this browser began with; undefined when it was used, is too old or another browser's. */
export const takeState = (
  db: Db,
  { state, browser }: { state: string; browser: string },
): Promise<Taken | undefined> =>
  db
    .updateTable('integration_states')
    .set({ used_at: sql`now()` })
    .where('state_hash', '=', hashOf(state))
    .where('browser_hash', '=', hashOf(browser))
    .where('used_at', 'is', null)
    .where('created_at', '>', sql<string>`now() - ${LIFE}`)
    .returning(['user_id', 'code_verifier', 'return_to', 'may_replace'])
    .executeTakeFirst()

/** Keeps how a consent ended, so that the callback page can be reloaded. */
export const noteOutcome = async (db: Db, state: string, outcome: string): Promise<void> => {
  await db
    .updateTable('integration_states')
    .set({ outcome })
    .where('state_hash', '=', hashOf(state))
    .execute()
}

/** How the consent ended whose state was used up from this browser before. */
export const findOutcome = async (
  db: Db,
  { state, browser }: { state: string; browser: string },
): Promise<string | null> => {
  const row = await db
    .selectFrom('integration_states')
    .select('outcome')
    .where('state_hash', '=', hashOf(state))
    .where('browser_hash', '=', hashOf(browser))
    .where('used_at', 'is not', null)
    .executeTakeFirst()
  return row?.outcome ?? null
}
