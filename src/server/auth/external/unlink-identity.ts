import { AuthError } from '#server/auth/auth-error.ts'
import type { Caller } from '#server/auth/authenticate.ts'
import { listIdentities } from '#server/auth/identities.store.ts'
import type { Services } from '#server/auth/services.ts'
import { lockUser } from '#server/auth/users.store.ts'
import { deleteIdentity } from './external.store.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** 404 where nobody links identities by hand. */
export const checkManualLinking = ({ auth }: Pick<Services, 'auth'>): void => {
  if (!auth.can_link)
    throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled')
}

/** Takes a way in from an account, which keeps one at least. */
export const unlinkIdentity = async (
  services: Services,
  { user }: Caller,
  id: string,
): Promise<void> => {
  checkManualLinking(services)
  if (!UUID.test(id)) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID')
  await services.db.transaction().execute(async (db) => {
    await lockUser(db, user.id)
    const identities = await listIdentities(db, user.id)
    if (identities.length <= 1)
      throw new AuthError(
        422,
        'single_identity_not_deletable',
        'User must have at least 1 identity after unlinking',
      )
    if (!identities.some((identity) => identity.id === id.toLowerCase()))
      throw new AuthError(422, 'identity_not_found', "Identity doesn't exist")
    await deleteIdentity(db, { id, user_id: user.id })
  })
  services.log.info({ event: 'identity_unlinked', user_id: user.id })
}
