import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readConfig } from '#server/config/config.ts'
import { createAdminApp } from '#server/testing/app/admin-app.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { getAuthError } from '#server/testing/people/auth-clients.ts'
import { startOpenidProvider } from '#server/testing/people/openid-provider.ts'
import {
  createJourneys,
  createProviderUser,
  fragmentOf,
} from '#server/testing/people/provider-journeys.ts'

const provider = await startOpenidProvider()
const external = {
  AUTH_EXTERNAL_MAISON_CLIENT_ID: provider.client_id,
  AUTH_EXTERNAL_MAISON_SECRET: provider.secret,
  AUTH_EXTERNAL_MAISON_ISSUER: provider.issuer,
}
const app = await createAdminApp({ ...external, AUTH_PASSWORDS: 'off', AUTH_SIGNUP: 'off' })
after(async () => {
  await app.close()
  await provider.close()
})
const { admin, browser, openTab } = app
const { startSignIn, completeSignIn } = createJourneys(app, provider, browser)

const REFUSED = [422, 'email_provider_disabled']
const email = 'camille@exemple.fr'
const password = 'un mot de passe'

/** Signs the provider's person in, and returns the fragment of the final address. */
const signInWithProvider = async (tab: ReturnType<typeof openTab>) =>
  fragmentOf(await completeSignIn(await startSignIn(tab)))

test('without passwords, every call that takes or mails a way to set one is refused', async () => {
  const tab = openTab()
  assert.deepEqual(await getAuthError(tab.signInWithPassword({ email, password })), REFUSED)
  assert.deepEqual(await getAuthError(tab.resetPasswordForEmail(email)), REFUSED)
  assert.deepEqual(await getAuthError(tab.signInWithOtp({ email })), REFUSED)
  const { rows } = await app.pool.query('select count(*)::int as n from users')
  assert.deepEqual(rows, [{ n: 0 }])
  const settings = (await app.raw({ url: '/auth/v1/settings' })).json()
  assert.equal(settings.external.email, false)
  assert.equal(settings.external.maison, true)
})

test('without passwords, a sign-up with one is refused', async (t) => {
  const open = await createTestApp({ ...external, AUTH_PASSWORDS: 'off' })
  t.after(() => open.close())
  const body = { email, password }
  const reply = await open.raw({ method: 'POST', url: '/auth/v1/signup', body })
  assert.deepEqual([reply.statusCode, reply.json().error_code], REFUSED)
})

test('without passwords and sign-ups, a provider signs in who was invited, and their account gets no password', async () => {
  provider.person = createProviderUser()
  const tab = openTab()
  assert.equal((await signInWithProvider(tab)).error_code, 'signup_disabled')

  assert.equal((await admin.inviteUserByEmail(String(provider.person.email))).error, null)
  const { access_token = '', refresh_token = '' } = await signInWithProvider(tab)
  const { data } = await tab.setSession({ access_token, refresh_token })
  assert.equal(data.user?.email, provider.person.email)
  assert.deepEqual(await getAuthError(tab.updateUser({ password })), REFUSED)
  assert.equal((await tab.updateUser({ data: { ville: 'Lyon' } })).error, null)
})

test('passwords cannot be off without a provider', () => {
  assert.throws(
    () => readConfig({ AUTH_PASSWORDS: 'off' }),
    /^ConfigError: AUTH_PASSWORDS: off needs/,
  )
  assert.equal(readConfig({ AUTH_PASSWORDS: 'off', ...external }).auth.has_passwords, false)
})
