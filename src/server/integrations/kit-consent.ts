import { createHash, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import {
  isKitReturn,
  type KitReturn,
  type KitScreen,
  kitReturnQuery,
  kitScreenPath,
} from '#domain/deliveries/integrations.ts'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { createNotOfferedError } from './connection-errors.ts'
import { storeConnection } from './connections.store.ts'
import type { Integrations } from './create-integrations.ts'
import {
  consumeConsentState,
  findConsentOutcome,
  insertConsentState,
  storeConsentOutcome,
} from './kit-consent.store.ts'

const KIT = 'https://app.kit.com'

type Dependencies = { db: Db; integrations: Integrations; log: FastifyBaseLogger }

const random = (): string => randomBytes(32).toString('base64url')

/** Returns the URL if it belongs to Kit, else null, so that an installation started at Kit returns only there. */
export const parseKitUrl = (text: unknown): string | null => {
  if (typeof text !== 'string' || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.origin === KIT && url.username === '' && url.password === '' ? url.href : null
}

/** Starts a consent that only this browser can finish. Returns the URL of the consent page at Kit. */
export const startKitConsent = async (
  { db, integrations: { oauth } }: Dependencies,
  {
    user_id,
    browser,
    return_to,
    quiz_id,
    screen = 'integrations',
    may_replace,
  }: {
    user_id: string
    browser: string
    return_to: unknown
    quiz_id: string | undefined
    screen: KitScreen | undefined
    may_replace: boolean
  },
): Promise<string> => {
  if (!oauth) throw createNotOfferedError()
  const state = random()
  const code_verifier = random()
  await insertConsentState(db, {
    state,
    browser,
    user_id,
    code_verifier,
    return_to: kitScreenPath(screen, quiz_id) ?? parseKitUrl(return_to),
    may_replace,
  })
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  return oauth.authorizeUrl({ state, code_challenge })
}

/** Query of the return from Kit. `refusal` is the error that Kit sends instead of a code. */
export type Callback = { browser: string; state: string; code: string; refusal: string }

/** Finishes a consent and returns the URL to redirect to. Reports failures in that URL instead of throwing. */
export const finishKitConsent = async (deps: Dependencies, callback: Callback): Promise<string> => {
  const { db, log } = deps
  const consent_state = await consumeConsentState(db, callback)
  if (!consent_state) {
    const before = await findConsentOutcome(db, callback)
    const outcome = before?.outcome ?? null
    return pathAfter(isKitReturn(outcome) ? outcome : 'expired', before?.return_to)
  }
  const { outcome, reason } = await connect(deps, consent_state, callback)
  await storeConsentOutcome(db, callback.state, outcome)
  const { return_to, user_id } = consent_state
  if (outcome === 'ok') return parseKitUrl(return_to) ?? pathAfter(outcome, return_to)
  log.warn({ event: 'kit_not_connected', user_id, outcome, reason })
  return pathAfter(outcome, return_to)
}

/** Returns the path of the screen on which the consent was started, or else of the account, with the outcome. */
const pathAfter = (outcome: KitReturn, return_to: string | null = null): string => {
  const path = return_to?.startsWith('/') ? return_to : '/settings'
  return `${path}${path.includes('?') ? '&' : '?'}${kitReturnQuery(outcome)}`
}

type CallbackOutcome = { outcome: KitReturn; reason?: string }

/** Exchanges the code and stores the tokens after Kit has identified the account. Returns the reason if this fails. */
const connect = async (
  { db, integrations }: Dependencies,
  {
    user_id,
    code_verifier,
    may_replace,
  }: NonNullable<Awaited<ReturnType<typeof consumeConsentState>>>,
  { code, refusal }: Callback,
): Promise<CallbackOutcome> => {
  const { oauth, providers, vault } = integrations
  if (refusal !== '' || code === '')
    return { outcome: refusal === 'access_denied' ? 'denied' : 'error' }
  if (!oauth) return { outcome: 'error', reason: 'not_configured' }
  const grant = await oauth.exchange(code, code_verifier)
  if (grant.kind !== 'tokens') return { outcome: toKitReturn(grant), reason: grant.code }
  const identity = await providers.convertkit.check(grant.tokens.access_token)
  if (identity.kind !== 'valid') {
    await oauth.revoke(grant.tokens.access_token)
    return { outcome: toKitReturn(identity), reason: identity.code }
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
    // The tokens are revoked because the creator did not agree to replace the account. Agreement
    // needs a new consent.
    await oauth.revoke(grant.tokens.access_token)
    return { outcome: 'other' }
  }
  audit('integration_connected', { actor_id: user_id, detail: 'convertkit' })
  return { outcome: 'ok' }
}

const toKitReturn = ({ kind, code }: { kind: string; code: string }): KitReturn => {
  if (kind === 'transient' || kind === 'unknown') return 'silent'
  return code === 'invalid_grant' ? 'expired' : 'error'
}
