import { createHash, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { isKitReturn, type KitReturn } from '#domain/deliveries/integrations.ts'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { createNotOfferedError } from './connection-errors.ts'
import { storeConnection } from './connections.store.ts'
import type { Integrations } from './create-integrations.ts'

const LIFE = sql`interval '10 minutes'`
const KEPT = sql<string>`now() - interval '1 day'`

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Notes that a creator goes to Kit from this browser. */
const insertConsentState = async (
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
const consumeConsentState = (
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
const storeConsentOutcome = async (db: Db, state: string, outcome: string): Promise<void> => {
  await db
    .updateTable('integration_states')
    .set({ outcome })
    .where('state_hash', '=', hashOf(state))
    .execute()
}

/** How the consent ended whose state was used up from this browser before. */
const findConsentOutcome = async (
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

const KIT = 'https://app.kit.com'

type Needs = { db: Db; integrations: Integrations; log: FastifyBaseLogger }

const random = (): string => randomBytes(32).toString('base64url')

/** An address of Kit's own, else nothing: an installation begun at Kit returns to Kit and nowhere else. */
export const parseKitUrl = (text: unknown): string | null => {
  if (typeof text !== 'string' || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.origin === KIT && url.username === '' && url.password === '' ? url.href : null
}

/** Begins a consent, whose way back only this browser may take; gives the page at Kit. */
export const startKitConsent = async (
  { db, integrations: { oauth } }: Needs,
  {
    user_id,
    browser,
    return_to,
    may_replace,
  }: { user_id: string; browser: string; return_to: unknown; may_replace: boolean },
): Promise<string> => {
  if (!oauth) throw createNotOfferedError()
  const state = random()
  const code_verifier = random()
  await insertConsentState(db, {
    state,
    browser,
    user_id,
    code_verifier,
    return_to: parseKitUrl(return_to),
    may_replace,
  })
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  return oauth.authorizeUrl({ state, code_challenge })
}

/** `refusal` is what Kit says in place of a code. */
export type Callback = { browser: string; state: string; code: string; refusal: string }

/** Ends a consent; gives where the browser is led: never an error of its own. */
export const finishKitConsent = async (needs: Needs, callback: Callback): Promise<string> => {
  const { db, log } = needs
  const taken = await consumeConsentState(db, callback)
  if (!taken) {
    const before = await findConsentOutcome(db, callback)
    return settingsAfter(isKitReturn(before) ? before : 'expired')
  }
  const { outcome, reason } = await connect(needs, taken, callback)
  await storeConsentOutcome(db, callback.state, outcome)
  if (outcome === 'ok') return taken.return_to ?? settingsAfter('ok')
  log.warn({ event: 'kit_not_connected', user_id: taken.user_id, outcome, reason })
  return settingsAfter(outcome)
}

const settingsAfter = (outcome: KitReturn): string => `/settings?convertkit=${outcome}`

type Ended = { outcome: KitReturn; reason?: string }

/** Exchanges the code and stores what it gives once Kit has said whose account it is; why not, else. */
const connect = async (
  { db, integrations }: Needs,
  {
    user_id,
    code_verifier,
    may_replace,
  }: NonNullable<Awaited<ReturnType<typeof consumeConsentState>>>,
  { code, refusal }: Callback,
): Promise<Ended> => {
  const { oauth, providers, vault } = integrations
  if (refusal !== '' || code === '')
    return { outcome: refusal === 'access_denied' ? 'denied' : 'error' }
  if (!oauth) return { outcome: 'error', reason: 'not_configured' }
  const grant = await oauth.exchange(code, code_verifier)
  if (grant.kind !== 'tokens') return { outcome: returnOf(grant), reason: grant.code }
  const identity = await providers.convertkit.check(grant.tokens.access_token)
  if (identity.kind !== 'valid') {
    await oauth.revoke(grant.tokens.access_token)
    return { outcome: returnOf(identity), reason: identity.code }
  }
  const { vendor_account_id, vendor_email } = identity
  const replaced = await storeConnection(
    db,
    vault,
    { user_id, provider: 'convertkit', may_replace },
    {
      secret: JSON.stringify(grant.tokens),
      vendor_account_id,
      vendor_email,
      token_expires_at: grant.expires_at,
    },
  )
  if (replaced) {
    // Agreeing to it needs another consent: no token of an account that may be unwanted is kept.
    await oauth.revoke(grant.tokens.access_token)
    return { outcome: 'other' }
  }
  audit('integration_connected', { actor_id: user_id, detail: 'convertkit' })
  return { outcome: 'ok' }
}

const returnOf = ({ kind, code }: { kind: string; code: string }): KitReturn => {
  if (kind === 'transient' || kind === 'unknown') return 'silent'
  return code === 'invalid_grant' ? 'expired' : 'error'
}
