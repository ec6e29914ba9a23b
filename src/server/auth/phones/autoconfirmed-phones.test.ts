import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'

const autoconfirmed = await createTestApp({ AUTH_PHONE: 'on', AUTH_SMS_AUTOCONFIRM: 'on' })
const withoutFactors = await createTestApp({ AUTH_MFA_TOTP: 'off', AUTH_MFA_WEBAUTHN: 'off' })
after(async () => {
  await autoconfirmed.close()
  await withoutFactors.close()
})
const { openTab, signUpInTab } = createAuthClients(
  await autoconfirmed.app.listen({ port: 0, host: '127.0.0.1' }),
)

test('an autoconfirmed number can sign up, sign in and be added to an account without a message', async () => {
  const account = { phone: '33611111111', password: 'secret1' }
  const { data, error } = await openTab().signUp(account)
  assert.equal(error, null)
  assert.ok(data.session)
  assert.ok(data.user?.phone_confirmed_at)
  assert.deepEqual(
    data.user?.identities?.map(({ provider }) => provider),
    ['phone'],
  )
  assert.equal((await openTab().signInWithPassword(account)).data.user?.id, data.user?.id)
  const again = openTab().signUp({ ...account, password: 'un-autre' })
  assert.deepEqual(await getAuthError(again), [422, 'user_already_exists'])

  const { client } = await signUpInTab()
  const changed = await client.updateUser({ phone: '33622222222' })
  assert.deepEqual(
    [changed.data.user?.phone, changed.data.user?.new_phone],
    ['33622222222', undefined],
  )
  assert.equal(existsSync(join(autoconfirmed.config.data_dir, 'texts')), false)
  const settings = (await autoconfirmed.raw({ url: '/auth/v1/settings' })).json<object>()
  assert.equal('phone_autoconfirm' in settings && settings.phone_autoconfirm, true)
})

test('a disabled kind of second factor cannot be set up', async () => {
  const tabs = createAuthClients(await withoutFactors.app.listen({ port: 0, host: '127.0.0.1' }))
  const { client } = await tabs.signUpInTab()
  const refused = (type: string) => [422, `mfa_${type}_enroll_not_enabled`]
  const { mfa } = client
  assert.deepEqual(
    await getAuthError(mfa.enroll({ factorType: 'totp', friendlyName: 'a' })),
    refused('totp'),
  )
  assert.deepEqual(
    await getAuthError(mfa.enroll({ factorType: 'phone', phone: '+33611111111' })),
    refused('phone'),
  )
  assert.deepEqual(
    await getAuthError(mfa.enroll({ factorType: 'webauthn', friendlyName: 'b' })),
    refused('webauthn'),
  )
  const settings = (await withoutFactors.raw({ url: '/auth/v1/settings' })).json<
    Record<string, unknown>
  >()
  for (const name of ['mfa_totp_enabled', 'mfa_phone_enabled', 'mfa_webauthn_enabled'])
    assert.equal(settings[name], false, name)
})
