import { audit } from '#server/audit/audit.ts'
import type { Caller } from '#server/auth/authenticate.ts'
import { enqueueMail } from '#server/auth/mail/mail-jobs.store.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { factorNotFound, insufficientAal } from './factor-errors.ts'
import { deleteFactor, findFactor } from './factors.store.ts'

/** Removes a factor of the caller; one that counts, only from a session that a factor was shown for (422). */
export const unenrollFactor = async (
  { db, mailer }: Services,
  { user, needs_factor }: Caller,
  id: string,
): Promise<{ id: string }> => {
  await inTransaction(db, async (transaction) => {
    const factor = await findFactor(transaction, { id, user_id: user.id })
    if (!factor || factor.factor_type === 'recovery_code') throw factorNotFound()
    if (factor.status === 'verified' && needs_factor) throw insufficientAal(422)
    await deleteFactor(transaction, { id, user_id: user.id })
    if (factor.status === 'verified' && user.email)
      await enqueueMail(transaction, {
        kind: 'factor_removed',
        email: user.email,
        user_id: user.id,
      })
  })
  mailer.wake()
  audit('factor_removed', { actor_id: user.id, object_id: id })
  return { id }
}
