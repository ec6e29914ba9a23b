import { audit } from '#server/audit/audit.ts'
import { lockUser } from '#server/auth/accounts/users.store.ts'
import { deleteKnownNetworks } from '#server/auth/attempts.store.ts'
import { countAttempt } from '#server/auth/attempts.ts'
import {
  AuthError,
  challengeExpired,
  challengeMismatch,
  challengeNotFound,
  factorNotFound,
  factorTypeDisabled,
  validationFailed,
  wrongCode,
} from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/auth-json.ts'
import type { Caller } from '#server/auth/identify-caller.ts'
import type { Text, VerifyFactorBody } from '#server/auth/request-bodies.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { clientKey } from '#server/http/edge/rate-limits.ts'
import { enqueueMail } from '#server/mails/mail-jobs.store.ts'
import { UUID } from '#server/runtime/uuid.ts'
import {
  CHALLENGE_SECONDS,
  type Challenge,
  countWrongCode,
  insertChallenge,
  lockChallenge,
  markUsed,
} from './challenges.store.ts'
import {
  consumeTotpStep,
  type Factor,
  findFactor,
  listFactors,
  markVerified,
} from './factors.store.ts'
import { stepOfCode } from './totp.ts'
import { upgradeToAal2 } from './upgrade-session.ts'
import { checkWebauthnAnswer, creationOptions, requestOptions } from './webauthn.ts'

/** Returns the fields of a challenge that depend on the type of factor: stored fields and fields of the answer. */
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
  if (!phoneFactor) throw factorTypeDisabled('phone', 'verify')
  return { stored: { code_hash: await phoneFactor.makeCode(services, factor) }, shown: {} }
}

/** Creates a challenge for a factor, which only the same IP address can answer within five minutes. */
export const challengeFactor = async (
  services: Services,
  caller: Caller,
  { id, ip }: { id: string; ip: string },
) => {
  const factor = await findFactor(services.db, { id, user_id: caller.user.id })
  if (!factor || factor.factor_type === 'recovery_code') throw factorNotFound()
  const { stored, shown } = await detailsOf(services, caller, factor)
  const challenge = await inTransaction(services.db, (db) =>
    insertChallenge(db, { factor_id: factor.id, ip: clientKey(ip), ...stored }),
  )
  const issued_at = Math.floor(Date.parse(challenge.created_at) / 1000)
  return {
    id: challenge.id,
    type: factor.factor_type,
    expires_at: issued_at + CHALLENGE_SECONDS,
    ...shown,
  }
}

const METHODS = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const

const isCorrectTotp = async (
  services: Services,
  factor: Factor,
  code: string,
): Promise<boolean> => {
  const { id, user_id, sealed_secret } = factor
  const step = sealed_secret && stepOfCode(services, { user_id, sealed_secret }, code)
  return step != null && consumeTotpStep(services.db, { id, user_id }, step)
}

/** Returns true if the answer to a challenge is correct. `services.db` must be the transaction. */
const isCorrectAnswer = (
  services: Services,
  { factor, challenge }: { factor: Factor; challenge: Challenge },
  { code, webauthn }: VerifyFactorBody,
): Promise<boolean> | boolean => {
  if (factor.factor_type === 'webauthn') {
    if (!webauthn) throw validationFailed('WebAuthn config required')
    return checkWebauthnAnswer(services, { factor, challenge }, webauthn)
  }
  if (!code) throw validationFailed('code needs to be non-empty')
  if (factor.factor_type === 'totp') return isCorrectTotp(services, factor, code)
  const { phoneFactor } = services.plugins
  if (!phoneFactor) throw factorTypeDisabled('phone', 'verify')
  return phoneFactor.isCode(services, { factor, challenge }, code)
}

const findChallenge = async ({ db }: Services, { id: factor_id }: Factor, id: Text) =>
  id && UUID.test(id) ? lockChallenge(db, { id, factor_id }) : undefined

const checkChallenge = (challenge: Challenge | undefined, ip: string): Challenge => {
  if (!challenge) throw challengeNotFound()
  if (challenge.verified_at || challenge.ip !== clientKey(ip)) throw challengeMismatch()
  if (challenge.is_over) throw challengeExpired()
  return challenge
}

/** Queues a mail about a new factor, unless the factor was verified before. */
const queueNotice = async ({ db }: Services, { user }: Caller, factor: Factor): Promise<void> => {
  if (factor.status === 'verified' || !user.email) return
  await enqueueMail(db, { kind: 'factor_added', email: user.email, user_id: user.id })
}

/**
 * Counts an attempt, then runs `work`, which compares a code. Uncounts the attempt if `work` succeeds or throws, but not
 * if it returns undefined or an AuthError. A session at aal2 has its own counter. Throws a 429
 * without running `work` after too many attempts.
 */
export const withCountedAttempt = async <Outcome>(
  services: Services,
  { user, bearer, needs_factor }: Caller,
  work: () => Promise<Outcome>,
): Promise<Outcome> => {
  const uncountAttempt = await countAttempt(services, 'factor', {
    user_id: user.id,
    ...(!needs_factor && { session_id: bearer.session_id }),
  })
  try {
    const outcome = await work()
    if (outcome !== undefined && !(outcome instanceof AuthError)) await uncountAttempt(services.db)
    return outcome
  } catch (error) {
    // No code was compared, so the attempt does not count.
    await uncountAttempt(services.db)
    throw error
  }
}

/**
 * Verifies the answer to a challenge, marks the factor as verified and raises the session to aal2. Throws 422 for an
 * invalid challenge or answer, 429 after too many wrong codes. Security keys have no limit of attempts.
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
      if (!(await isCorrectAnswer(inside, { factor, challenge }, body))) {
        await countWrongCode(transaction, challenge.id)
        return wrongCode(factor.factor_type === 'totp' ? undefined : 'Invalid code entered')
      }
      await markUsed(transaction, challenge.id)
      const factors = await listFactors(transaction, user_id)
      // Known networks are deleted at the first factor, because a password alone was enough to store them.
      if (!factors.some(({ status }) => status === 'verified'))
        await deleteKnownNetworks(transaction, user_id)
      await markVerified(transaction, factor)
      isNew = factor.status !== 'verified'
      await queueNotice(inside, caller, factor)
      const method = METHODS[factor.factor_type]
      return upgradeToAal2(inside, caller.bearer, { method, factor_id: factor.id })
    })
  const outcome = body.code ? await withCountedAttempt(services, caller, answer) : await answer()
  if (outcome instanceof AuthError) {
    audit('factor_refused', { ...by, outcome: 'refused', object_id: id })
    throw outcome
  }
  mailer.wake()
  audit(isNew ? 'factor_added' : 'factor_shown', { ...by, object_id: id })
  return outcome
}
