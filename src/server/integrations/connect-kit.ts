import { createHash, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { isKitReturn, type KitReturn } from '#domain/kit-return.ts'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { storeConnection } from './connections.store.ts'
import type { Integrations } from './create-integrations.ts'
import { notOffered } from './sentences.ts'
import { findOutcome, insertState, noteOutcome, takeState } from './states.store.ts'

const KIT = 'https://app.kit.com'

type Needs = { db: Db; integrations: Integrations; log: FastifyBaseLogger }

const random = (): string => randomBytes(32).toString('base64url')

/** An address of Kit's own, else nothing: an installation begun at Kit returns to Kit and nowhere else. */
export const kitAddress = (text: unknown): string | null => {
  if (typeof text !== 'string' || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.origin === KIT && url.username === '' && url.password === '' ? url.href : null
}

/** Begins a consent, whose way back only this browser may take; gives the page at Kit. */
export const beginConsent = async (
  { db, integrations: { oauth } }: Needs,
  {
    user_id,
    browser,
    return_to,
    may_replace,
  }: { user_id: string; browser: string; return_to: unknown; may_replace: boolean },
): Promise<string> => {
  if (!oauth) throw notOffered()
  const state = random()
  const code_verifier = random()
  await insertState(db, {
    state,
    browser,
    user_id,
    code_verifier,
    return_to: kitAddress(return_to),
    may_replace,
  })
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  return oauth.authorizeUrl({ state, code_challenge })
}

/** `refusal` is what Kit says in place of a code. */
export type Callback = { browser: string; state: string; code: string; refusal: string }

/** Ends a consent; gives where the browser is led: never an error of its own. */
export const endConsent = async (needs: Needs, callback: Callback): Promise<string> => {
  const { db, log } = needs
  const taken = await takeState(db, callback)
  if (!taken) {
    const before = await findOutcome(db, callback)
    return settingsAfter(isKitReturn(before) ? before : 'expired')
  }
  const { outcome, reason } = await connect(needs, taken, callback)
  await noteOutcome(db, callback.state, outcome)
  if (outcome === 'ok') return taken.return_to ?? settingsAfter('ok')
  log.warn({ event: 'kit_not_connected', user_id: taken.user_id, outcome, reason })
  return settingsAfter(outcome)
}

const settingsAfter = (outcome: KitReturn): string => `/settings?convertkit=${outcome}`

type Ended = { outcome: KitReturn; reason?: string }

/** Exchanges the code and stores what it gives once Kit has said whose account it is; why not, else. */
const connect = async (
  { db, integrations }: Needs,
  { user_id, code_verifier, may_replace }: NonNullable<Awaited<ReturnType<typeof takeState>>>,
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
