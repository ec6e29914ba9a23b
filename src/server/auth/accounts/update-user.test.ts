import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { hashPassword } from '#server/auth/password/passwords.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'

const t = await createTestApp()
after(() => t.close())
const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
const { openTab, signInInTab, signUpInTab } = createAuthClients(origin)

test('changing the password ends the other sessions and keeps this one', async () => {
  const { client, account } = await signUpInTab()
  const elsewhere = await signInInTab(account)
  const { data, error } = await client.updateUser({ password: 'another1' })
  assert.equal(error, null)
  assert.equal(data.user?.email, account.email)
  assert.equal((await client.getUser()).error, null)
  assert.equal((await client.refreshSession()).error, null)
  assert.equal((await elsewhere.client.getUser()).error?.name, 'AuthSessionMissingError')
  assert.deepEqual(await getAuthError(openTab().refreshSession(elsewhere.session)), [
    400,
    'refresh_token_not_found',
  ])
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), [
    400,
    'invalid_credentials',
  ])
  await signInInTab({ ...account, password: 'another1' })
})

/** Resolves when a query of this database waits for a lock. */
const someoneWaits = async (): Promise<void> => {
  const { rows } = await sql`select 1 from pg_locks
    where not granted and pid in (select pid from pg_stat_activity where datname = current_database())
  `.execute(t.db)
  if (rows.length === 0) await someoneWaits()
}

test('a sign-in is refused if the password changes during the check', async () => {
  const { account, user } = await signUpInTab()
  const signingIn = await t.db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('users')
      .set({ encrypted_password: await hashPassword('another1') })
      .where('id', '=', user.id)
      .execute()
    const pending = openTab().signInWithPassword(account)
    await someoneWaits()
    return { pending }
  })
  assert.deepEqual(await getAuthError(signingIn.pending), [400, 'invalid_credentials'])
})

test('a new password must differ from the old one and must not be weak', async () => {
  const { client, account } = await signUpInTab()
  const change = (password: string) => getAuthError(client.updateUser({ password }))
  assert.deepEqual(await change(account.password), [422, 'same_password'])
  assert.deepEqual(await change('12345'), [422, 'weak_password'])
  await signInInTab(account)
})

test('metadata is merged key by key, and null removes a key', async () => {
  const { client } = await signUpInTab()
  await client.updateUser({ data: { prénom: 'Ada', couleur: 'bleu' } })
  const { data } = await client.updateUser({ data: { couleur: null, ville: 'Lyon' } })
  const { prénom, ville, ...rest } = data.user?.user_metadata ?? {}
  assert.deepEqual([prénom, ville], ['Ada', 'Lyon'])
  assert.ok(!('couleur' in rest))
  const refreshed = await client.refreshSession()
  assert.equal(refreshed.data.user?.user_metadata.ville, 'Lyon')
})

test('concurrent changes of metadata are all kept', async () => {
  const { client } = await signUpInTab()
  const keys = Array.from({ length: 8 }, (_, index) => `key${index}`)
  await Promise.all(keys.map((key) => client.updateUser({ data: { [key]: 1 } })))
  const { data } = await client.getUser()
  assert.deepEqual(
    keys.filter((key) => data.user?.user_metadata[key] !== 1),
    [],
  )
})

test('a user cannot change their phone or roles, or set an invalid email address', async () => {
  const { client, account } = await signUpInTab()
  const change = (changes: object) => getAuthError(client.updateUser(changes))
  assert.deepEqual(await change({ email: 'no address' }), [400, 'validation_failed'])
  assert.deepEqual(await change({ phone: '33600000000' }), [400, 'phone_provider_disabled'])
  assert.deepEqual(await change({ app_metadata: { role: 'admin' } }), [403, 'not_admin'])
  assert.equal(await change({ email: account.email }), undefined)
})
