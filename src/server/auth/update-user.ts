import { AuthError, sessionNotFound, validationFailed } from './auth-error.ts'
import { normalizeEmail } from './email-address.ts'
import { checkMetadata, mergeMetadata } from './metadata.ts'
import { checkNewPassword, hashPassword, isPassword } from './passwords.ts'
import type { Services } from './services.ts'
import { deleteSessions } from './sessions.store.ts'
import type { Bearer } from './tokens.ts'
import {
  findUserOfSession,
  listIdentities,
  lockUser,
  type Metadata,
  saveUser,
  type User,
} from './users.store.ts'
import { type UserJson, userJson } from './wire.ts'

type Changes = {
  email?: string | null
  phone?: string | null
  password?: string | null
  data?: Metadata | null
  app_metadata?: unknown
}

const checkChanges = ({ email, phone, password, app_metadata }: Changes, user: User): void => {
  if (email && normalizeEmail(email) !== user.email)
    throw validationFailed('Changing the email address is not supported')
  if (password) checkNewPassword(password)
  if (phone) throw new AuthError(400, 'phone_provider_disabled', 'Phone numbers are disabled')
  if (app_metadata)
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges')
}

/** The hash of a new password; refuses the one that the user has already. */
const hashNewPassword = async (password: string, user: User): Promise<string> => {
  if (await isPassword(password, user.encrypted_password))
    throw new AuthError(
      422,
      'same_password',
      'New password should be different from the old password.',
    )
  return hashPassword(password)
}

/**
 * Changes the password, the metadata (key by key, null removes) or both. A new password ends every other
 * session of the user. 422 `same_password`, 422 `weak_password`.
 */
export const updateUser = async (
  { db, hashing, log }: Services,
  bearer: Bearer,
  { user, changes }: { user: User; changes: Changes },
): Promise<UserJson> => {
  checkChanges(changes, user)
  const { password } = changes
  const encrypted_password = password
    ? await hashing(() => hashNewPassword(password, user))
    : undefined
  return db.transaction().execute(async (transaction) => {
    await lockUser(transaction, user.id)
    const current = await findUserOfSession(transaction, bearer)
    if (!current) throw sessionNotFound()
    const user_metadata = mergeMetadata(current.user_metadata, changes.data ?? {})
    checkMetadata(user_metadata)
    const saved = await saveUser(transaction, {
      id: user.id,
      user_metadata,
      encrypted_password: encrypted_password ?? current.encrypted_password,
    })
    if (encrypted_password) {
      await deleteSessions(transaction, { user_id: user.id, except: bearer.session_id })
      log.info({ event: 'password_changed', ...bearer })
    }
    return userJson(saved, await listIdentities(transaction, user.id))
  })
}
