import { audit } from '#server/audit/audit.ts'
import { forgetNetworks } from '#server/auth/attempts.store.ts'
import { countAttempt } from '#server/auth/attempts.ts'
import { AuthError, validationFailed } from '#server/auth/auth-error.ts'
import type { Caller } from '#server/auth/authenticate.ts'
import type { Text, VerifyFactorBody } from '#server/auth/bodies.ts'
import { enqueueMail } from '#server/auth/mail/mail-jobs.store.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { lockUser } from '#server/auth/users.store.ts'
import type { SessionJson } from '#server/auth/wire.ts'
import { callerKey } from '#server/http/throttle.ts'
import { isUuid } from '#server/uuid.ts'
import { type Challenge, countWrongCode, lockChallenge, markUsed } from './challenges.store.ts'
import {
  challengeExpired,
  challengeNotFound,
  factorNotFound,
  factorTypeOff,
  otherCaller,
  wrongCode,
} from './factor-errors.ts'
import { type Factor, findFactor, listFactors, markVerified, takeStep } from './factors.store.ts'
import { raiseSession } from './raise-session.ts'
import { stepOfCode } from './totp.ts'
import { checkCeremony } from './webauthn.ts'

const METHODS = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const

const isRightTotp = async (services: Services, factor: Factor, code: string): Promise<boolean> => {
  const { id, user_id, sealed_secret } = factor
  const step = sealed_secret && stepOfCode(services, { user_id, sealed_secret }, code)
  return step != null && takeStep(services.db, { id, user_id }, step)
}

/** Whether the answer to a challenge is right; `services` are those of the transaction. */
const isRight = (
  services: Services,
  { factor, challenge }: { factor: Factor; challenge: Challenge },
  { code, webauthn }: VerifyFactorBody,
): Promise<boolean> | boolean => {
  if (factor.factor_type === 'webauthn') {
    if (!webauthn) throw validationFailed('WebAuthn config required')
    return checkCeremony(services, { factor, challenge }, webauthn)
  }
  if (!code) throw validationFailed('code needs to be non-empty')
  if (factor.factor_type === 'totp') return isRightTotp(services, factor, code)
  const { phoneFactor } = services.plugins
  if (!phoneFactor) throw factorTypeOff('phone', 'verify')
  return phoneFactor.isCode(services, { factor, challenge }, code)
}

const findChallenge = async ({ db }: Services, { id: factor_id }: Factor, id: Text) =>
  id && isUuid(id) ? lockChallenge(db, { id, factor_id }) : undefined

const checkChallenge = (challenge: Challenge | undefined, ip: string): Challenge => {
  if (!challenge) throw challengeNotFound()
  if (challenge.verified_at || challenge.ip !== callerKey(ip)) throw otherCaller()
  if (challenge.is_over) throw challengeExpired()
  return challenge
}

/** The first factor of an account is told to its address. */
const announce = async ({ db }: Services, { user }: Caller, factor: Factor): Promise<void> => {
  if (factor.status === 'verified' || !user.email) return
  await enqueueMail(db, { kind: 'factor_added', email: user.email, user_id: user.id })
}

/**
 * Counts a try at a code of the caller's factors before `work` begins its transaction, so that a flood of
 * them waits for no lock of the account. A wrong answer, which is undefined or an error that `work`
 * returns, stays counted. A session that has shown a factor already is counted by itself.
 */
export const tryCode = async <Outcome>(
  services: Services,
  { user, bearer, needs_factor }: Caller,
  work: () => Promise<Outcome>,
): Promise<Outcome> => {
  const takeBack = await countAttempt(services, 'factor', {
    user_id: user.id,
    ...(!needs_factor && { session_id: bearer.session_id }),
  })
  try {
    const outcome = await work()
    if (outcome !== undefined && !(outcome instanceof AuthError)) await takeBack(services.db)
    return outcome
  } catch (error) {
    // Nothing was compared: the factor or its challenge is not there, or the database did not answer.
    await takeBack(services.db)
    throw error
  }
}

/**
 * Answers a challenge: the factor counts from now on, and the session is raised to aal2. 422 when the
 * challenge is unknown, used, another caller's or over, and for a wrong answer; 429 for a code once the
 * account has had its tries of the hour. What a key signs cannot be guessed and is not counted.
 */
export const verifyFactor = async (
  services: Services,
  caller: Caller,
  { id, ip, body }: { id: string; ip: string; body: VerifyFactorBody },
): Promise<SessionJson> => {
  const { db, mailer } = services
  const user_id = caller.user.id
  const by = { actor_id: user_id, session_id: caller.bearer.session_id }
  let isNew = false
  // A wrong answer is returned, not thrown, so that its count is committed.
  const answer = () =>
    inTransaction(db, async (transaction) => {
      const inside = { ...services, db: transaction }
      await lockUser(transaction, user_id)
      const factor = await findFactor(transaction, { id, user_id })
      if (!factor || factor.factor_type === 'recovery_code') throw factorNotFound()
      const challenge = checkChallenge(await findChallenge(inside, factor, body.challenge_id), ip)
      if (!(await isRight(inside, { factor, challenge }, body))) {
        await countWrongCode(transaction, challenge.id)
        return wrongCode(factor.factor_type === 'totp' ? undefined : 'Invalid code entered')
      }
      await markUsed(transaction, challenge.id)
      const factors = await listFactors(transaction, user_id)
      // A network known by a password alone would have its own tries at this factor.
      if (!factors.some(({ status }) => status === 'verified'))
        await forgetNetworks(transaction, user_id)
      await markVerified(transaction, factor)
      isNew = factor.status !== 'verified'
      await announce(inside, caller, factor)
      const method = METHODS[factor.factor_type]
      return raiseSession(inside, caller.bearer, { method, factor_id: factor.id })
    })
  const outcome = body.code ? await tryCode(services, caller, answer) : await answer()
  if (outcome instanceof AuthError) {
    audit('factor_refused', { ...by, outcome: 'refused', object_id: id })
    throw outcome
  }
  mailer.wake()
  audit(isNew ? 'factor_added' : 'factor_shown', { ...by, object_id: id })
  return outcome
}
