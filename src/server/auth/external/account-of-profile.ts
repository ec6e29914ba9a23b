import { audit } from '#server/audit/audit.ts'
import { requireOpenSignUp } from '#server/auth/accounts/sign-up-mode.store.ts'
import { transferAccount } from '#server/auth/accounts/transfer-account.ts'
import {
  findUserByEmail,
  isBanned,
  lockUser,
  markSignedInByMail,
  type User,
} from '#server/auth/accounts/users.store.ts'
import { AuthError, userBanned } from '#server/auth/auth-error.ts'
import type { Services } from '#server/auth/services.ts'
import type { Db } from '#server/db/database.ts'
import { seal, unseal } from '#server/runtime/sealing.ts'
import {
  findUserOfIdentity,
  insertExternalUser,
  makePermanent,
  putIdentity,
} from './external.store.ts'
import type { Profile } from './providers.ts'

/** Tokens for calls to the external provider. Only the client uses them. */
export type ProviderTokens = { provider_token?: string; provider_refresh_token?: string }

const labelOf = (user_id: string): string => `flow_states/${user_id}`

/** Encrypts provider tokens for storage in a flow, from which the client gets them with its code. */
export const sealProviderTokens = (
  { providerKey }: Pick<Services, 'providerKey'>,
  user_id: string,
  tokens: ProviderTokens,
): Buffer => seal(providerKey, labelOf(user_id), JSON.stringify(tokens))

/** Decrypts the provider tokens of a flow. Returns an empty object for flows by mail. */
export const openProviderTokens = (
  { providerKey }: Pick<Services, 'providerKey'>,
  flow: { user_id: string; sealed_provider_tokens: Buffer | null },
): ProviderTokens => {
  if (!flow.sealed_provider_tokens) return {}
  const { provider_token, provider_refresh_token } = JSON.parse(
    unseal(providerKey, labelOf(flow.user_id), flow.sealed_provider_tokens),
  )
  return { provider_token, ...(provider_refresh_token && { provider_refresh_token }) }
}

/**
 * Returns the account of a provider profile. Searches by identity, then by verified address, then creates an account.
 * An account whose address was never proven loses its other sign-in methods (`transferAccount`).
 */
export const findOrCreateAccount = async (services: Services, profile: Profile): Promise<User> => {
  const { db } = services
  const known = await findUserOfIdentity(db, profile)
  const user = known ?? (await findAccountByAddress(services, profile))
  if (user && isBanned(user)) throw userBanned(400)
  if (!user) await requireOpenSignUp(services)
  const account = user ?? (await createAccount(services, profile))
  await putIdentity(db, account.id, profile)
  return markSignedInByMail(db, account.id)
}

/** Returns the account with the address of a profile; undefined if the provider has not verified the address. */
const findAccountByAddress = async (
  { db }: Services,
  { email, is_verified, provider }: Profile,
): Promise<User | undefined> => {
  const found = email && is_verified ? await findUserByEmail(db, email) : undefined
  const user = found && (await lockUser(db, found.id))
  if (!user || isBanned(user)) return user
  if (user.email_confirmed_at && user.email_proven_by) return user
  return transferAccount(db, user, { proven_by: 'provider', detail: provider })
}

const createAccount = async (
  { db, auth }: Services,
  { email, is_verified, has_email, data, provider }: Profile,
): Promise<User> => {
  if (has_email && !(email && (is_verified || auth.is_autoconfirmed)))
    throw new AuthError(
      422,
      'provider_email_needs_verification',
      'The provider has not verified an email address for this account',
    )
  const isFree = email !== undefined && !(await findUserByEmail(db, email))
  const user = await insertExternalUser(db, { email: isFree ? email : null, is_verified, data })
  audit('sign_up', { actor_id: user.id, detail: provider })
  return user
}

const identityExists = (): AuthError =>
  new AuthError(422, 'identity_already_exists', 'Identity is already linked to another user')

const addressTaken = (): AuthError =>
  new AuthError(400, 'email_exists', 'A user with this email address has already been registered')

/** Throws 422 `identity_already_exists` if the identity is linked to any account, including the caller's own. */
export const assertIdentityIsFree = async (db: Db, profile: Profile): Promise<void> => {
  if (await findUserOfIdentity(db, profile)) throw identityExists()
}

/**
 * Links a profile to a signed-in account. An account without an address gets the verified address of the profile.
 * Throws 422 `identity_already_exists`, 400 `email_exists`.
 */
export const linkProfile = async (
  { db }: Services,
  user_id: string,
  profile: Profile,
): Promise<User> => {
  const user = await lockUser(db, user_id)
  if (!user || isBanned(user)) throw userBanned(403)
  await assertIdentityIsFree(db, profile)
  await putIdentity(db, user_id, profile)
  audit('identity_linked', { actor_id: user_id, detail: profile.provider })
  const isFirstAddress = !user.email && profile.email !== undefined && profile.is_verified
  if (isFirstAddress && (await findUserByEmail(db, profile.email ?? ''))) throw addressTaken()
  return makePermanent(db, user_id, isFirstAddress ? { email: profile.email } : {})
}
