import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { findCaller, findUserOfSession } from '#server/auth/accounts/users.store.ts'
import { insertFlow } from '#server/auth/email-links/flow-states.store.ts'
import {
  clearChangeTokens,
  clearTokens,
  consumeToken,
  tryCodes,
} from '#server/auth/email-links/one-time-tokens.store.ts'
import { insertChallenge, lockChallenge } from '#server/auth/factors/challenges.store.ts'
import {
  consumeRecoveryCode,
  consumeTotpStep,
  countCodes,
  deleteAal1Sessions,
  deleteAbandonedFactors,
  deleteFactor,
  findFactor,
  findRecoveryFactor,
  listFactors,
  markAal2,
  markVerified,
  putCodes,
  saveCredential,
} from '#server/auth/factors/factors.store.ts'
import {
  deletePasswordOrigin,
  findPasswordOrigin,
  storePasswordOrigin,
} from '#server/auth/password/password-origins.store.ts'
import {
  deleteSession,
  deleteSessions,
  insertSession,
  listSessions,
} from '#server/auth/sessions/sessions.store.ts'
import type { Proof } from './scene.ts'

/** Session functions read, mark and delete sessions of one account only. */
export const keepsSessionsApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const { user_id, session_id } = me
  const mixed = { user_id, session_id: other.session_id }
  assert.equal(await findUserOfSession(db, mixed), undefined)
  assert.equal(await findCaller(db, mixed), undefined)
  assert.equal((await findUserOfSession(db, me))?.id, user_id)
  assert.equal((await findCaller(db, me))?.user.id, user_id)
  const listed = await listSessions(db, user_id)
  assert.deepEqual(
    listed.map(({ id }) => id),
    [session_id],
  )
  await markAal2(db, mixed, me.factor_id)
  await expectUntouched('markAal2 with a session of the other creator')
  const id = randomUUID()
  await insertSession(db, { id, user_id, method: 'password', user_agent: null })
  await expectUntouched('insertSession')
  await deleteAal1Sessions(db, me)
  await expectUntouched('deleteAal1Sessions')
  await deleteSession(db, { id: other.session_id, user_id })
  await expectUntouched('deleteSession with a session of the other creator')
  await deleteSessions(db, { user_id, except: session_id })
  await expectUntouched('deleteSessions')
  await deleteSessions(db, { user_id })
  await expectUntouched('deleteSessions without an exception')
  assert.deepEqual(await listSessions(db, user_id), [])
}

/** An account without a factor needs no second factor, even if another account has one. */
export const asksOwnFactor: Proof = async ({ db, me }) => {
  await db.deleteFrom('mfa_factors').where('user_id', '=', me.user_id).execute()
  await db.deleteFrom('session_amr').where('session_id', '=', me.session_id).execute()
  assert.equal((await findCaller(db, me))?.needs_factor, false)
}

/** Factor functions find, use and delete factors of one account only. */
export const keepsFactorsApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const { user_id } = me
  const theirs = { id: other.factor_id, user_id }
  const listed = await listFactors(db, user_id)
  assert.deepEqual(new Set(listed.map((session) => session.user_id)), new Set([user_id]))
  assert.equal(await findFactor(db, theirs), undefined)
  assert.equal((await findRecoveryFactor(db, user_id))?.id, me.recovery_id)
  assert.equal(await consumeTotpStep(db, theirs, 1), false)
  await saveCredential(db, theirs, { id: 'x', public_key: 'x', counter: 1, transports: [] })
  await expectUntouched('saveCredential with a factor of the other creator')
  await markVerified(db, { ...theirs, factor_type: 'totp' })
  await expectUntouched('markVerified with a factor of the other creator')
  await deleteAbandonedFactors(db, user_id)
  await expectUntouched('deleteAbandonedFactors')
  await deleteFactor(db, theirs)
  await expectUntouched('deleteFactor with a factor of the other creator')
  await deleteFactor(db, { id: randomUUID(), user_id })
  assert.equal(
    (await findCaller(db, me))?.needs_factor,
    false,
    'deleting another factor keeps the session at aal2',
  )
  await deleteFactor(db, { id: me.factor_id, user_id })
  await expectUntouched('deleteFactor')
  // The recovery codes end with the last factor, although the other creator still has a factor.
  assert.deepEqual(await listFactors(db, user_id), [])
}

/** Link and code functions try, consume and delete tokens of one account only. */
export const keepsLinksApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const { user_id } = me
  const theirs = await db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('link_hash', '=', other.link_hash)
    .executeTakeFirstOrThrow()
  assert.equal(await consumeToken(db, { ...theirs, user_id }), false)
  await expectUntouched('consumeToken with a token of the other creator')
  const tried = await tryCodes(db, { user_id }, ['recovery'])
  assert.deepEqual(
    tried.map((session) => session.user_id),
    [user_id],
  )
  await expectUntouched('tryCodes')
  const challenge = { code_challenge: 'x', code_challenge_method: 's256' as const }
  await insertFlow(db, { challenge, user_id, method: 'magiclink' })
  await expectUntouched('insertFlow')
  assert.equal((await findPasswordOrigin(db, user_id, other.user_id)).isCaller, false)
  assert.equal((await findPasswordOrigin(db, user_id, user_id)).isCaller, true)
  await storePasswordOrigin(db, user_id, { browser: 'another' })
  await expectUntouched('storePasswordOrigin')
  await deletePasswordOrigin(db, user_id)
  await expectUntouched('deletePasswordOrigin')
  await clearChangeTokens(db, user_id)
  await expectUntouched('clearChangeTokens')
  await clearTokens(db, user_id)
  await expectUntouched('clearTokens')
}

/** Challenge and recovery code functions read and write rows of one factor only. */
export const keepsVerificationsApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const { factor_id, recovery_id } = me
  assert.equal(await lockChallenge(db, { id: other.challenge_id, factor_id }), undefined)
  await insertChallenge(db, { factor_id, ip: '127.0.0.1' })
  await expectUntouched('insertChallenge')
  assert.equal(await consumeRecoveryCode(db, recovery_id, other.code_hash), false)
  assert.deepEqual(await countCodes(db, recovery_id), { total: 1, remaining: 1 })
  await putCodes(db, recovery_id, [me.link_hash])
  await expectUntouched('putCodes')
}
