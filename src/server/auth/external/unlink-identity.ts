import { audit } from '#server/audit/audit.ts'
import { type Identity, listIdentities } from '#server/auth/accounts/identities.store.ts'
import { findUserByEmail, lockUser, type User } from '#server/auth/accounts/users.store.ts'
import { AuthError, insufficientAal, sessionNotFound } from '#server/auth/auth-error.ts'
import { clearTokens } from '#server/auth/email-links/one-time-tokens.store.ts'
import type { Caller } from '#server/auth/identify-caller.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import type { Db } from '#server/db/database.ts'
import { UUID } from '#server/runtime/uuid.ts'
import { deleteIdentity, saveRemainingMethods } from './external.store.ts'

/** Throws 404 if manual linking is disabled. */
export const checkManualLinking = ({ auth }: Pick<Services, 'auth'>): void => {
  if (!auth.can_link)
    throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled')
}

const addressInUse = (): AuthError =>
  new AuthError(
    422,
    'email_conflict_identity_not_deletable',
    'Unable to unlink identity due to email conflict',
  )

const hasVerifiedEmail = ({ identity_data }: Identity): boolean =>
  identity_data.email_verified === true

/**
 * Keeps the address of the account if a remaining identity has it, otherwise takes a verified one of a remaining
 * identity. Deletes password and number if no remaining identity uses them. Throws 422
 * `email_conflict_identity_not_deletable`.
 */
const saveMethodsOfRemaining = async (db: Db, user: User, remaining: Identity[]): Promise<void> => {
  const { email: address } = user
  const hasAddress = (identity: Identity) => identity.identity_data.email === address
  const next = remaining.find(hasVerifiedEmail)?.identity_data.email
  const email = remaining.some(hasAddress) ? address : ((next as string | undefined) ?? null)
  if (email && email !== address && (await findUserByEmail(db, email))) throw addressInUse()
  const keeps_phone = remaining.some(({ provider }) => provider === 'phone')
  const keeps_password = keeps_phone || remaining.some(({ provider }) => provider === 'email')
  await saveRemainingMethods(db, user.id, { email, keeps_password, keeps_phone })
  await clearTokens(db, user.id)
}

/** Removes an identity from an account, which must keep at least one. */
export const unlinkIdentity = async (
  services: Services,
  { user, needs_factor }: Caller,
  id: string,
): Promise<void> => {
  checkManualLinking(services)
  if (needs_factor) throw insufficientAal(401)
  if (!UUID.test(id)) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID')
  await inTransaction(services.db, async (db) => {
    const current = await lockUser(db, user.id)
    if (!current) throw sessionNotFound()
    const identities = await listIdentities(db, user.id)
    if (identities.length <= 1)
      throw new AuthError(
        422,
        'single_identity_not_deletable',
        'User must have at least 1 identity after unlinking',
      )
    const removed = identities.find((identity) => identity.id === id.toLowerCase())
    if (!removed) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist")
    await deleteIdentity(db, { id, user_id: user.id })
    const remaining = identities.filter((identity) => identity !== removed)
    await saveMethodsOfRemaining(db, current, remaining)
  })
  audit('identity_unlinked', { actor_id: user.id })
}
