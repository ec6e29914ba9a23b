import { createHash } from 'node:crypto'
import { audit } from '#server/audit/audit.ts'
import { AuthError, oauthRefusal, validationFailed, web3Disabled } from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/auth-json.ts'
import { isAllowedTarget } from '#server/auth/email-links/redirects.ts'
import { findOrCreateAccount } from '#server/auth/external/account-of-profile.ts'
import type { Profile } from '#server/auth/external/providers.ts'
import { readBody, web3Body } from '#server/auth/request-bodies.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { startSession } from '#server/auth/sessions/sessions.ts'
import type { Db } from '#server/db/database.ts'
import { isSignedBy, readSignature } from './signatures.ts'
import { type Chain, readMessage, type SignedMessage } from './signed-message.ts'

/** Marks a message as used. Returns false if it was used before. */
const markMessageUsed = async (db: Db, message: string): Promise<boolean> => {
  const message_hash = createHash('sha256').update(message).digest()
  const used = await db
    .insertInto('web3_messages')
    .values({ message_hash })
    .onConflict((conflict) => conflict.doNothing())
    .returning('message_hash')
    .executeTakeFirst()
  return used !== undefined
}

const MIN_MESSAGE_BYTES = 64
const MAX_MESSAGE_BYTES = 20_480
/** Maximum age of a message. Its time may also be this far in the future, because clocks of wallets differ. */
const MAX_MESSAGE_AGE_MS = 600_000

const invalidGrant = (message: string): AuthError => oauthRefusal('invalid_grant', message)

const readChain = ({ auth }: Services, chain: string): Chain => {
  if (chain !== 'ethereum' && chain !== 'solana')
    throw new AuthError(400, 'web3_unsupported_chain', 'Unsupported chain')
  if (!auth.web3_chains.includes(chain)) throw web3Disabled()
  return chain
}

const isLocalhost = ({ hostname }: URL): boolean => hostname === 'localhost'

/** Throws 400 if the message was signed for another site, so that other sites cannot sign in with it. */
const checkOrigin = (services: Services, { uri, domain }: SignedMessage): void => {
  if (uri.protocol !== 'https:' && !(uri.protocol === 'http:' && isLocalhost(uri)))
    throw invalidGrant('The signed message is using a URI which does not use HTTPS')
  if (!isAllowedTarget(uri.href, services))
    throw invalidGrant('The signed message is using a URI which is not allowed on this server')
  const named = `${uri.protocol}//${domain}`
  if (!URL.canParse(named) || new URL(named).host !== uri.host)
    throw invalidGrant('The signed message is using a domain that does not match its URI')
}

const checkTime = ({ issued_at, expires_at, not_before }: SignedMessage, now: number): void => {
  if (not_before !== undefined && now < not_before)
    throw invalidGrant('The signed message becomes valid in the future')
  if (expires_at !== undefined && now >= expires_at)
    throw invalidGrant('The signed message is expired')
  if (now > issued_at + MAX_MESSAGE_AGE_MS)
    throw invalidGrant('The message was issued too long ago')
  if (now < issued_at - MAX_MESSAGE_AGE_MS)
    throw invalidGrant('The message was issued too far in the future')
}

const profileOfWallet = (
  chain: Chain,
  { address, network, domain, statement }: SignedMessage,
): Profile => {
  const subject = `web3:${chain}:${address}`
  const custom_claims = { address, chain, network, domain, statement }
  const data = { sub: subject, email_verified: false, phone_verified: false, custom_claims }
  const has_email = false
  return { provider: 'web3', subject, email: undefined, is_verified: false, has_email, data }
}

/**
 * Signs in the owner of a wallet with a signed message (grant type `web3`). A message works once, within ten minutes.
 * Throws 422 `web3_provider_disabled`, 400 `web3_unsupported_chain`, `validation_failed`, or an OAuth
 * error.
 */
export const signInByWallet = async (
  services: Services,
  request_body: unknown,
): Promise<SessionJson> => {
  const body = readBody(web3Body, request_body)
  const chain = readChain(services, body.chain ?? '')
  const text = body.message ?? ''
  const bytes = Buffer.byteLength(text)
  if (bytes < MIN_MESSAGE_BYTES) throw validationFailed('message is too short')
  if (bytes > MAX_MESSAGE_BYTES) throw validationFailed('message must not exceed 20KB')
  const signature = readSignature(chain, body.signature ?? '')
  const message = readMessage(chain, text)
  checkOrigin(services, message)
  checkTime(message, Date.now())
  if (!isSignedBy(chain, text, signature, message))
    throw invalidGrant('Signature does not match address in message')
  const session = await inTransaction(services.db, async (db) => {
    if (!(await markMessageUsed(db, text)))
      throw invalidGrant('The signed message was used already')
    const inside = { ...services, db }
    const user = await findOrCreateAccount(inside, profileOfWallet(chain, message))
    return startSession(inside, user, 'web3')
  })
  audit('sign_in', { actor_id: session.user.id, detail: 'web3' })
  return session
}
