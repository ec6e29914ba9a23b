import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createAdminApp } from '#server/testing/app/admin-app.ts'
import { getAuthError } from '#server/testing/people/auth-clients.ts'
import { isPassword, isPasswordHash } from './passwords.ts'

// Runs in test:all, because it repeats a flow of links and addresses in many orders.

const t = await createAdminApp({ AUTH_PASSWORD_CHANGE: 'current' })
after(() => t.close())
const { admin, newAccount, openTab, signInInTab } = t

/** Hashes of « correct horse » from libxcrypt, by bcrypt prefix. */
const HASHES = {
  '2b': '$2b$10$abcdefghijklmnopqrstuu23JPZtHcGhwXSF41f93o/7vBdDut3Xu',
  '2a': '$2a$10$abcdefghijklmnopqrstuu23JPZtHcGhwXSF41f93o/7vBdDut3Xu',
  '2y': '$2y$10$abcdefghijklmnopqrstuu23JPZtHcGhwXSF41f93o/7vBdDut3Xu',
}
const PASSWORD = 'correct horse'

const storedOf = async (email: string) => {
  const query = t.db.selectFrom('users').select('encrypted_password').where('email', '=', email)
  return (await query.executeTakeFirstOrThrow()).encrypted_password ?? ''
}
const moved = async (password_hash: string) => {
  const { email } = newAccount()
  const { data, error } = await admin.createUser({ email, email_confirm: true, password_hash })
  assert.equal(error, null)
  return { email, id: data.user?.id ?? '' }
}

test('an imported account keeps its bcrypt hash until the next sign-in replaces it by argon2id', async () => {
  for (const hash of Object.values(HASHES)) {
    const { email } = await moved(hash)
    const wrong = openTab().signInWithPassword({ email, password: 'correct horsf' })
    assert.deepEqual(await getAuthError(wrong), [400, 'invalid_credentials'])
    assert.equal(await storedOf(email), hash)
    const first = await signInInTab({ email, password: PASSWORD })
    const stored = await storedOf(email)
    assert.match(stored, /^\$argon2id\$/)
    assert.equal(await isPassword(PASSWORD, stored), true)
    await signInInTab({ email, password: PASSWORD })
    assert.equal(await storedOf(email), stored)
    // The password is unchanged, so sessions stay valid.
    assert.equal((await first.client.refreshSession()).error, null)
  }
})

test('concurrent sign-ins with a bcrypt hash all succeed', async () => {
  const { email } = await moved(HASHES['2b'])
  const account = { email, password: PASSWORD }
  const tabs = await Promise.all(
    Array.from({ length: 4 }, () => openTab().signInWithPassword(account)),
  )
  for (const { error } of tabs) assert.equal(error, null)
})

test('a bcrypt hash is checked at a password change and can be set on an existing account', async () => {
  const { email, id } = await moved(HASHES['2a'])
  const { client } = await signInInTab({ email, password: PASSWORD })
  await admin.updateUserById(id, { password_hash: HASHES['2y'] })
  assert.equal(await storedOf(email), HASHES['2y'])
  // A hash set by an administrator counts as a new password, so existing sessions end.
  assert.notEqual((await client.refreshSession()).error, null)
  await t.db.updateTable('users').set({ encrypted_password: HASHES['2y'] }).execute()
  const fresh = await signInInTab({ email, password: PASSWORD })
  await t.db.updateTable('users').set({ encrypted_password: HASHES['2b'] }).execute()
  const same = { password: PASSWORD, current_password: PASSWORD }
  assert.deepEqual(await getAuthError(fresh.client.updateUser(same)), [422, 'same_password'])
  const wrong = { password: 'another1', current_password: 'no' }
  assert.deepEqual(await getAuthError(fresh.client.updateUser(wrong)), [
    400,
    'current_password_invalid',
  ])
})

test('only bcrypt hashes of limited cost are accepted, and checks do not block the event loop', async () => {
  const rest = HASHES['2b'].slice(7)
  for (const cost of ['04', '10', '12'])
    assert.equal(isPasswordHash(`$2b$${cost}$${rest}`), true, cost)
  for (const start of ['$2b$03$', '$2b$13$', '$2b$31$', '$2b$1$', '$2x$10$', '$2$10$'])
    assert.equal(isPasswordHash(`${start}${rest}`), false, start)
  assert.equal(isPasswordHash(`$2b$10$${rest.slice(1)}`), false)
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 5)
  assert.equal(await isPassword('another', `$2b$11$${rest}`), false)
  clearInterval(timer)
  assert.ok(ticks > 5, `${ticks}`)
})
