import { createHash, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { audit } from '#server/audit/audit.ts'
import type { Db } from '#server/db/database.ts'
import { findConnection, storeConnection } from './connections.store.ts'
import type { Integrations } from './create-integrations.ts'
import { notOffered } from './sentences.ts'
import { findUsed, insertState, takeState } from './states.store.ts'

const KIT = 'https://app.kit.com'
const BROWSER = /^[\w-]{43}$/

type Needs = { db: Db; integrations: Integrations; log: FastifyBaseLogger }

const random = (): string => randomBytes(32).toString('base64url')

/** An address of Kit's own, else nothing: whoever came from there goes back there, and nowhere else. */
export const kitAddress = (text: unknown): string | null => {
  if (typeof text !== 'string' || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.origin === KIT && url.username === '' && url.password === '' ? url.href : null
}

/** Begins a consent: the page at Kit, and what this browser has to show on its way back. */
export const beginConsent = async (
  { db, integrations: { oauth } }: Needs,
  { user_id, browser, return_to }: { user_id: string; browser: string; return_to: unknown },
): Promise<{ auth_url: string; browser: string }> => {
  if (!oauth) throw notOffered()
  const known = BROWSER.test(browser) ? browser : random()
  const state = random()
  const code_verifier = random()
  await insertState(db, {
    state,
    browser: known,
    user_id,
    code_verifier,
    return_to: kitAddress(return_to),
  })
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  return { auth_url: oauth.authorizeUrl({ state, code_challenge }), browser: known }
}

export type Comeback = { browser: string; state: string; code: string }

/** Ends a consent; gives where the browser is led: never an error of its own. */
export const endConsent = async (needs: Needs, comeback: Comeback): Promise<string> => {
  const { db, log } = needs
  const taken = await takeState(db, comeback)
  if (!taken) {
    const used = await findUsed(db, comeback)
    const connection = used && (await findConnection(db, { ...used, provider: 'convertkit' }))
    return connection?.status === 'active' ? DONE : FAILED
  }
  if (comeback.code === '') return FAILED
  const reason = await connect(needs, taken, comeback.code)
  if (reason === undefined) return taken.return_to ?? DONE
  log.warn({ event: 'kit_not_connected', user_id: taken.user_id, reason })
  return FAILED
}

const DONE = '/settings?convertkit=ok'
const FAILED = '/settings?convertkit=error'

/** Exchanges the code and stores what it gives once Kit has said whose account it is; why not, else. */
const connect = async (
  { db, integrations }: Needs,
  { user_id, code_verifier }: { user_id: string; code_verifier: string },
  code: string,
): Promise<string | undefined> => {
  const { oauth, providers, vault } = integrations
  if (!oauth) return 'not_configured'
  const grant = await oauth.exchange(code, code_verifier)
  if (grant.kind !== 'tokens') return grant.code
  const identity = await providers.convertkit.check(grant.tokens.access_token)
  if (identity.kind !== 'valid') {
    await oauth.revoke(grant.tokens.access_token)
    return identity.code
  }
  const { vendor_account_id, vendor_email } = identity
  await storeConnection(
    db,
    vault,
    { user_id, provider: 'convertkit' },
    {
      secret: JSON.stringify(grant.tokens),
      vendor_account_id,
      vendor_email,
      token_expires_at: grant.expires_at,
    },
  )
  audit('integration_connected', { actor_id: user_id, detail: 'convertkit' })
  return undefined
}
