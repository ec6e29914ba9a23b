import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import { createAdminApp } from '#server/testing/app/admin-app.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients } from '#server/testing/people/auth-clients.ts'
import { startOpenidProvider } from '#server/testing/people/openid-provider.ts'
import { createJourneys, createProviderUser } from '#server/testing/people/provider-journeys.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const mailed = await createAdminApp()
const provider = await startOpenidProvider()
const app = await createTestApp({
  AUTH_EXTERNAL_MAISON_CLIENT_ID: provider.client_id,
  AUTH_EXTERNAL_MAISON_SECRET: provider.secret,
  AUTH_EXTERNAL_MAISON_ISSUER: provider.issuer,
  AUTH_MANUAL_LINKING: 'on',
  AUTH_PASSWORD_CHANGE: 'session',
})
after(async () => {
  await mailed.close()
  await app.close()
  await provider.close()
})
const clients = createAuthClients(await app.app.listen({ port: 0, host: '127.0.0.1' }))
const { signUpInTab, signInInTab } = clients

/** Returns the events of an account after the first `from`. */
const since = async (id: string, from = 0): Promise<string[]> =>
  (await listAuditEventNames(app, id)).slice(from)

describe('audit events of signing in and out', () => {
  test('sign-up, sign-in, a wrong password and sign-out are recorded', async () => {
    const { account, user, client } = await signUpInTab()
    await signInInTab(account)
    await clients.openTab().signInWithPassword({ ...account, password: 'faux' })
    await client.signOut({ scope: 'others' })
    assert.deepEqual(await since(user.id), [
      'sign_up',
      'sign_in password',
      'sign_in_refused refused',
      'sign_out others',
    ])
  })

  test('a refused unknown address is recorded as an HMAC only', async () => {
    const email = 'Jamais.Venue@Example.org'
    await clients.openTab().signInWithPassword({ email, password: 'secret1' })
    await clients.openTab().signInWithPassword({ email: email.toLowerCase(), password: 'secret2' })
    const rows = await app.db
      .selectFrom('audit_events')
      .selectAll()
      .where('event', '=', 'sign_in_refused')
      .where('object_id', 'is', null)
      .execute()
    assert.equal(rows.length, 2)
    assert.equal(new Set(rows.map(({ email_hmac }) => email_hmac)).size, 1)
    assert.ok(!JSON.stringify(rows).toLowerCase().includes('jamais'))
    assert.match(rows[0]?.request_id ?? '', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.equal(rows[0]?.address, '127.0.0.0/24')
  })

  test('the reuse of a refresh token and an ended session are recorded', async () => {
    const { session, user } = await signUpInTab()
    const refresh = (refresh_token: string) =>
      app.raw({
        method: 'POST',
        url: '/auth/v1/token?grant_type=refresh_token',
        body: { refresh_token },
      })
    const first = (await refresh(session.refresh_token)).json<{ refresh_token: string }>()
    const second = (await refresh(first.refresh_token)).json<{ refresh_token: string }>()
    await refresh(second.refresh_token)
    await app.pool.query("update refresh_tokens set revoked_at = now() - interval '1 hour'")
    assert.equal((await refresh(session.refresh_token)).statusCode, 400)
    const other = await signUpInTab()
    await app.pool.query(
      "update sessions set created_at = now() - interval '2 years', refreshed_at = now() - interval '2 years' where user_id = $1",
      [other.user.id],
    )
    assert.equal((await refresh(other.session.refresh_token)).statusCode, 400)
    assert.deepEqual(await since(user.id, 1), ['refresh_reused refused'])
    assert.deepEqual(await since(other.user.id, 1), ['session_expired refused'])
  })
})

testInAll('changes of second factors and recovery codes are recorded', async () => {
  const { account, client, user } = await signUpInTab()
  const { data } = await client.mfa.enroll({ factorType: 'totp' })
  assert.ok(data?.type === 'totp')
  const { id: factorId, totp } = data
  const code = (): string => new TOTP({ secret: totp.secret }).generate()
  await client.mfa.challengeAndVerify({ factorId, code: '000000' })
  await client.mfa.challengeAndVerify({ factorId, code: code() })
  const codes = await client.mfa.recoveryCodes.generate()
  const other = await signInInTab(account)
  await other.client.mfa.recoveryCodes.verify({ code: 'abcdefghjkmnpqrs' })
  await other.client.mfa.recoveryCodes.verify({ code: codes.data?.codes[0] ?? '' })
  await app.db.updateTable('mfa_factors').set({ last_step: null }).execute()
  await other.client.mfa.challengeAndVerify({ factorId, code: code() })
  await client.mfa.unenroll({ factorId })
  assert.deepEqual(await since(user.id, 1), [
    'factor_refused refused',
    'factor_added',
    'recovery_codes_made',
    'sign_in password',
    'factor_refused refused recovery_code',
    'recovery_code_used',
    'factor_shown',
    'factor_removed',
  ])
  const secrets = [totp.secret, ...(codes.data?.codes ?? []), account.email]
  const { rows } = await app.pool.query('select * from audit_events')
  for (const secret of secrets) assert.ok(!JSON.stringify(rows).includes(secret))
})

test('the audit log records a new password and linked or unlinked identities', async () => {
  const { client, user } = await signUpInTab()
  await client.updateUser({ password: 'un autre' })
  provider.person = createProviderUser()
  const { linkIdentity } = createJourneys(app, provider, clients.browser)
  await linkIdentity(client)
  const { data } = await client.getUserIdentities()
  const linked = data?.identities.find((identity) => identity.provider === 'maison')
  assert.ok(linked)
  assert.equal((await client.unlinkIdentity(linked)).error, null)
  const events = await since(user.id, 1)
  assert.deepEqual(events[0], 'password_changed')
  assert.ok(events.includes('identity_linked maison'))
  assert.deepEqual(events.at(-1), 'identity_unlinked')
})

test('the takeover of an unverified address by a provider is recorded', async () => {
  const { account, user } = await signUpInTab()
  provider.person = createProviderUser({ email: account.email })
  const { startSignIn, completeSignIn } = createJourneys(app, provider, clients.browser)
  await completeSignIn(await startSignIn(clients.openTab()))
  assert.deepEqual(await since(user.id, 1), ['ways_in_replaced maison', 'sign_in maison'])
})

test('confirmations, changes of address and admin calls are recorded', async () => {
  const { admin, catcher, createConfirmedAccount, followLink, newAccount } = mailed
  const { client, account, user } = await createConfirmedAccount()
  const { email: new_email } = newAccount()
  await client.updateUser({ email: new_email })
  await followLink((await catcher.next(new_email)).link)
  await followLink((await catcher.next(account.email)).link)
  const events = await listAuditEventNames(mailed, user.id)
  assert.equal(events[0], 'sign_up to_confirm')
  assert.ok(events.includes('email_changed'))
  assert.ok(events.includes('sign_in link'))

  const made = await admin.createUser({ ...newAccount(), email_confirm: true })
  const id = made.data.user?.id ?? ''
  await admin.updateUserById(id, { user_metadata: { ville: 'Lyon' } })
  await admin.deleteUser(id)
  assert.deepEqual(await listAuditEventNames(mailed, id), [
    'user_created',
    'user_changed',
    'user_deleted hard',
  ])
  const invited = await admin.inviteUserByEmail(newAccount().email)
  assert.deepEqual(await listAuditEventNames(mailed, invited.data.user?.id ?? ''), ['user_invited'])
})
