import type { Caller } from '#server/auth/authenticate.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { callerKey } from '#server/http/throttle.ts'
import { CHALLENGE_SECONDS, insertChallenge } from './challenges.store.ts'
import { factorNotFound, factorTypeOff } from './factor-errors.ts'
import { type Factor, findFactor, listFactors } from './factors.store.ts'
import { creationOptions, requestOptions } from './webauthn.ts'

/** What the kind of factor adds to a challenge: to what is stored of it, and to the answer. */
const detailsOf = async (services: Services, { user }: Caller, factor: Factor) => {
  if (factor.factor_type === 'webauthn') {
    const factors = await listFactors(services.db, user.id)
    const isNew = factor.status === 'unverified'
    const publicKey = isNew
      ? await creationOptions(services, user, factors)
      : await requestOptions(services, factors)
    const credential_options = { publicKey }
    return {
      stored: { webauthn_challenge: publicKey.challenge },
      shown: { webauthn: { type: isNew ? 'create' : 'request', credential_options } },
    }
  }
  if (factor.factor_type !== 'phone') return { stored: {}, shown: {} }
  const { phoneFactor } = services.plugins
  if (!phoneFactor) throw factorTypeOff('phone', 'verify')
  return { stored: { code_hash: await phoneFactor.makeCode(services, factor) }, shown: {} }
}

/** Begins the verification of a factor of the caller: five minutes, from the same place. */
export const challengeFactor = async (
  services: Services,
  caller: Caller,
  { id, ip }: { id: string; ip: string },
) => {
  const factor = await findFactor(services.db, { id, user_id: caller.user.id })
  if (!factor || factor.factor_type === 'recovery_code') throw factorNotFound()
  const { stored, shown } = await detailsOf(services, caller, factor)
  const challenge = await inTransaction(services.db, (db) =>
    insertChallenge(db, { factor_id: factor.id, ip: callerKey(ip), ...stored }),
  )
  const begun = Math.floor(Date.parse(challenge.created_at) / 1000)
  return {
    id: challenge.id,
    type: factor.factor_type,
    expires_at: begun + CHALLENGE_SECONDS,
    ...shown,
  }
}
