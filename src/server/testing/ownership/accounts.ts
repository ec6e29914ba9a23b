import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { deleteAccount } from '#server/account/account.store.ts'
import {
  exportAccount,
  exportFoldersAndLinks,
  exportQuizzes,
  exportReplyContent,
  exportResponses,
  exportRows,
  exportVersion,
  listQuizIds,
  listVersionNumbers,
  QUIZ_TABLES,
  type QuizTable,
} from '#server/account/export.store.ts'
import {
  clearUnusedPassword,
  confirmUser,
  markHalfConfirmed,
  replaceEmail,
  restorePassword,
  setNewEmail,
} from '#server/auth/accounts/email-accounts.store.ts'
import {
  listIdentities,
  markIdentityUsed,
  putPhoneIdentity,
} from '#server/auth/accounts/identities.store.ts'
import {
  findAccountEmail,
  hasUser,
  lockUser,
  markMailSent,
  markSignedIn,
  markSignedInByMail,
  saveUser,
} from '#server/auth/accounts/users.store.ts'
import {
  changeUser,
  deleteUser,
  findUser,
  forgetUser,
} from '#server/auth/admin/admin-users.store.ts'
import { saveKnownNetwork } from '#server/auth/attempts.store.ts'
import { deleteExpiredRows } from '#server/auth/expired-rows.store.ts'
import {
  deleteIdentities,
  deleteIdentity,
  deletePendingSignIns,
  findUserOfIdentity,
  makePermanent,
  putIdentity,
  saveProviders,
  saveRemainingMethods,
} from '#server/auth/external/external.store.ts'
import { deleteFactors } from '#server/auth/factors/factors.store.ts'
import { setNewPhone, setPhone } from '#server/auth/phones/phone-users.store.ts'
import type { Proof } from './scene.ts'

/** Read functions return data of one account only. */
export const readsOwnAccountOnly: Proof = async ({ db, me, other }) => {
  const { user_id, email } = me
  const read = await exportAccount(db, user_id)
  assert.equal(read.account?.email, email)
  assert.equal(read.identities.length, 2)
  assert.equal(read.sessions.length, 2)
  assert.deepEqual(
    read.connections.map((connection) => connection.vendor_email ?? connection.url).sort(),
    [`brevo-${email}`, `http://127.0.0.1:9999/${me.webhook_id}`].sort(),
  )
  const quiz_ids = [me.quiz_id, other.quiz_id]
  const lists: object[] = [
    await exportFoldersAndLinks(db, user_id),
    await exportQuizzes(db, user_id, quiz_ids),
  ]
  for (const table of Object.keys(QUIZ_TABLES) as QuizTable[])
    lists.push(await exportRows(db, table, { creator_id: user_id, quiz_ids, offset: 0 }))
  assert.ok(!JSON.stringify(lists).includes(other.quiz_id))
  assert.deepEqual(await listQuizIds(db, user_id), [me.quiz_id])
  const foreign = { creator_id: user_id, quiz_id: other.quiz_id }
  assert.deepEqual(await listVersionNumbers(db, foreign), [])
  assert.equal(await exportVersion(db, { ...foreign, version: 1 }), undefined)
  assert.equal(await exportReplyContent(db, { ...foreign, version: 1 }), undefined)
  const [version = 0] = await listVersionNumbers(db, { ...foreign, quiz_id: me.quiz_id })
  assert.ok(await exportVersion(db, { creator_id: user_id, quiz_id: me.quiz_id, version }))
  assert.ok(await exportReplyContent(db, { creator_id: user_id, quiz_id: me.quiz_id, version }))
  assert.equal(read.api_keys.length, 1)
  const responses = await exportResponses(db, user_id, undefined)
  assert.deepEqual(
    responses.map(({ quiz_id }) => quiz_id),
    [me.quiz_id],
  )
  assert.equal((await findUser(db, user_id))?.id, user_id)
  assert.equal((await lockUser(db, user_id))?.id, user_id)
  assert.equal(await hasUser(db, randomUUID()), false)
  assert.equal(await findAccountEmail(db, user_id), email)
  const identities = await listIdentities(db, user_id)
  assert.deepEqual(new Set(identities.map((identity) => identity.user_id)), new Set([user_id]))
  const { provider, subject } = me.identity
  const found = await findUserOfIdentity(db, profileOf({ provider, subject }))
  assert.equal(found?.id, user_id)
}

const profileOf = ({ provider, subject }: { provider: string; subject: string }) => ({
  provider,
  subject,
  email: undefined,
  is_verified: false,
  has_email: false,
  data: { taken: true },
})

/** Write functions change data of one account only. */
export const writesOwnAccountOnly: Proof = async ({ db, me, other, expectUntouched }) => {
  const { user_id: id, email } = me
  const user = await findUser(db, id)
  assert.ok(user)
  const writes: [string, () => Promise<unknown>][] = [
    ['setNewEmail', () => setNewEmail(db, id, 'autre@exemple.fr')],
    ['restorePassword', () => restorePassword(db, id, 'hash')],
    ['markHalfConfirmed', () => markHalfConfirmed(db, id, 'new')],
    ['changeUser', () => changeUser(db, id, { user_metadata: { a: 1 } })],
    ['makePermanent', () => makePermanent(db, id, {})],
    ['markSignedIn', () => markSignedIn(db, user)],
    ['markSignedInByMail', () => markSignedInByMail(db, id)],
    ['markMailSent', () => markMailSent(db, id, 'recovery')],
    ['markIdentityUsed', () => markIdentityUsed(db, id)],
    ['setNewPhone', () => setNewPhone(db, id, '33600000000')],
    ['saveUser', () => saveUser(db, { ...user, user_metadata: { b: 1 } })],
    ['replaceEmail', () => replaceEmail(db, user, `nouvelle-${email}`, 'mail')],
    ['setPhone', () => setPhone(db, user, { phone: id.replaceAll(/\D/g, '') })],
    ['putIdentity', () => putIdentity(db, id, profileOf(me.identity))],
    [
      'putIdentity with an identity of the other creator',
      () => putIdentity(db, id, profileOf(other.identity)),
    ],
    [
      'deleteIdentity with an identity of the other creator',
      () => deleteIdentity(db, { ...other.identity, user_id: id }),
    ],
    ['deleteIdentity', () => deleteIdentity(db, { ...me.identity, user_id: id })],
    ['confirmUser', () => confirmUser(db, id, { proven_by: 'mail', drops_password: true })],
    ['saveRemainingMethods', () => saveRemainingMethods(db, id, REMAINING_METHODS)],
    ['putPhoneIdentity', () => putPhoneIdentity(db, id, { sub: id })],
    ['saveProviders', () => saveProviders(db, id)],
    ['deletePendingSignIns', () => deletePendingSignIns(db, id)],
    ['deleteFactors', () => deleteFactors(db, id)],
    ['deleteIdentities', () => deleteIdentities(db, id)],
    ['forgetUser', () => forgetUser(db, id)],
    ['deleteUser', () => deleteUser(db, id)],
  ]
  for (const [what, write] of writes) {
    await write()
    await expectUntouched(what)
  }
  assert.equal(await hasUser(db, id), false)
}

const REMAINING_METHODS = { email: null, keeps_password: false, keeps_phone: false }

/** The provider list of an account contains its own identities only. */
export const listsOwnProviders: Proof = async ({ db, me }) => {
  await db
    .insertInto('identities')
    .values({
      id: randomUUID(),
      user_id: (await insertEmptyAccount(db)).id,
      provider: 'github',
      provider_id: randomUUID(),
    })
    .execute()
  await putIdentity(db, me.user_id, profileOf(me.identity))
  const { app_metadata } = (await findUser(db, me.user_id)) ?? {}
  assert.deepEqual(app_metadata?.providers, ['email', 'google'])
}

const insertEmptyAccount = (db: Parameters<Proof>[0]['db']) =>
  db
    .insertInto('users')
    .values({ id: randomUUID(), email: null, encrypted_password: null })
    .returning('id')
    .executeTakeFirstOrThrow()

/** An unused password is cleared or restored for one account only. */
export const keepsPasswordsApart: Proof = async ({ db }) => {
  const [{ id }, stranger] = [await insertEmptyAccount(db), await insertEmptyAccount(db)]
  const findPasswords = async () => {
    const query = db.selectFrom('users').select('encrypted_password as password')
    const found = [id, stranger.id].map((user_id) =>
      query.where('id', '=', user_id).executeTakeFirstOrThrow(),
    )
    return (await Promise.all(found)).map(({ password }) => password)
  }
  await restorePassword(db, id, 'first')
  assert.deepEqual(await findPasswords(), ['first', null])
  await restorePassword(db, stranger.id, 'second')
  await clearUnusedPassword(db, id)
  assert.deepEqual(await findPasswords(), [null, 'second'])
}

/** The limit of known networks counts and deletes networks of one account only. */
export const keepsNetworksApart: Proof = async ({ db, me, other, expectUntouched }) => {
  const networksOf = (user_id: string) =>
    db.selectFrom('known_networks').select('network_hash').where('user_id', '=', user_id).execute()
  const save = (user_id: string, number: number) =>
    saveKnownNetwork(
      db,
      { user_id, network_hash: Buffer.alloc(32, number) },
      { hasVerifiedFactor: true },
    )
  const { id } = await insertEmptyAccount(db)
  for (let number = 101; number <= 110; number++) await save(id, number)
  await save(me.user_id, 1)
  assert.equal((await networksOf(me.user_id)).length, 2)
  // The eleventh network replaces the oldest one, which the other creator also used.
  for (let number = 2; number <= 10; number++) await save(me.user_id, number)
  const kept = (await networksOf(me.user_id)).map(({ network_hash }) => network_hash[0])
  assert.deepEqual(
    kept.toSorted((a = 0, b = 0) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
  await expectUntouched('saveKnownNetwork')
  assert.equal((await networksOf(other.user_id)).length, 1)
  assert.equal((await networksOf(id)).length, 10)
}

/** Deleting an account deletes its own rows only. */
export const deletesOwnAccountOnly: Proof = async ({ db, me, expectUntouched }) => {
  assert.deepEqual(await deleteAccount(db, me.user_id), [me.quiz_id])
  await expectUntouched('deleteAccount')
  assert.equal(await hasUser(db, me.user_id), false)
}

/** An old unconfirmed account without quizzes is deleted, although other accounts have quizzes. */
export const deletesUnconfirmedAccount: Proof = async ({ db }) => {
  const { id } = await insertEmptyAccount(db)
  await db.updateTable('users').set({ created_at: '2000-01-01' }).where('id', '=', id).execute()
  await deleteExpiredRows(db)
  assert.equal(await hasUser(db, id), false)
}
