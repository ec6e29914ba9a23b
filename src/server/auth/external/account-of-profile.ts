import { audit } from '#server/audit/audit.ts'
import { confirmUser } from '#server/auth/accounts/email-accounts.store.ts'
import { putEmailIdentity } from '#server/auth/accounts/identities.store.ts'
import {
  findUserByEmail,
  isBanned,
  lockUser,
  markSignedInByMail,
  type User,
} from '#server/auth/accounts/users.store.ts'
import { AuthError, signupDisabled, userBanned } from '#server/auth/auth-error.ts'
import { deleteFactors } from '#server/auth/factors/factors.store.ts'
import type { Services } from '#server/auth/services.ts'
import type { Db } from '#server/db/database.ts'
import { enqueueMail } from '#server/mails/mail-jobs.store.ts'
import { seal, unseal } from '#server/runtime/sealing.ts'
import {
  deleteIdentities,
  deletePending,
  findUserOfIdentity,
  insertExternalUser,
  keepAccount,
  putIdentity,
  saveRemainingMethods,
} from './external.store.ts'
import type { Profile } from './providers.ts'

/** Tokens of the external provider, which only the client uses. */
export type ProviderTokens = { provider_token?: string; provider_refresh_token?: string }

const labelOf = (user_id: string): string => `flow_states/${user_id}`

/** Encrypts the provider tokens until the client fetches them with its code. */
export const sealProviderTokens = (
  { providerKey }: Pick<Services, 'providerKey'>,
  user_id: string,
  tokens: ProviderTokens,
): Buffer => seal(providerKey, labelOf(user_id), JSON.stringify(tokens))

/** Returns the provider tokens of a flow; empty for mail flows. */
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
 * Returns the account of a provider profile: by identity, else by verified address, else a new one. An unverified
 * address gives no rights. An account with an unproven address loses its other sign-in methods.
 */
export const findOrCreateAccount = async (services: Services, profile: Profile): Promise<User> => {
  const { db, auth } = services
  const known = await findUserOfIdentity(db, profile)
  const user = known ?? (await accountOfAddress(services, profile))
  if (user && isBanned(user)) throw userBanned(400)
  if (!user && !auth.can_sign_up) throw signupDisabled()
  const account = user ?? (await newAccount(services, profile))
  await putIdentity(db, account.id, profile)
  return markSignedInByMail(db, account.id)
}

const accountOfAddress = async (
  { db }: Services,
  { email, is_verified, provider }: Profile,
): Promise<User | undefined> => {
  const found = email && is_verified ? await findUserByEmail(db, email) : undefined
  const user = found && (await lockUser(db, found.id))
  if (!user || isBanned(user)) return user
  if (user.email_confirmed_at && user.email_proven_by) return user
  return replaceWaysIn(db, user, provider)
}

/**
 * Transfers an account with an unproven address to the verified person: deletes passwords, sessions, factors,
 * identities, number and pending links.
 */
const replaceWaysIn = async (db: Db, user: User, provider: string): Promise<User> => {
  const { id, email } = user
  await deleteIdentities(db, id)
  await deleteFactors(db, id)
  await deletePending(db, id)
  await saveRemainingMethods(db, id, { email, keeps_password: false, keeps_phone: false })
  const replaced = await confirmUser(db, id, { proven_by: 'provider', drops_password: true })
  await putEmailIdentity(db, id, { sub: id, email, phone_verified: false })
  if (email && user.email_confirmed_at)
    await enqueueMail(db, { kind: 'ways_in_replaced', email, user_id: id })
  audit('ways_in_replaced', { actor_id: id, detail: provider })
  return replaced
}

const newAccount = async (
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

/** Throws 422 `identity_already_exists` if another account has the identity. */
export const checkUnlinked = async (db: Db, profile: Profile): Promise<void> => {
  if (await findUserOfIdentity(db, profile)) throw identityExists()
}

/**
 * Links a profile to a signed-in account; an account without an address gets the profile's. Throws 422
 * `identity_already_exists`, 400 `email_exists`.
 */
export const linkProfile = async (
  { db }: Services,
  user_id: string,
  profile: Profile,
): Promise<User> => {
  const user = await lockUser(db, user_id)
  if (!user || isBanned(user)) throw userBanned(403)
  await checkUnlinked(db, profile)
  await putIdentity(db, user_id, profile)
  audit('identity_linked', { actor_id: user_id, detail: profile.provider })
  const isFirstAddress = !user.email && profile.email !== undefined && profile.is_verified
  if (isFirstAddress && (await findUserByEmail(db, profile.email ?? ''))) throw addressTaken()
  return keepAccount(db, user_id, isFirstAddress ? { email: profile.email } : {})
}
