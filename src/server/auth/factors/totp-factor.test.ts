import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import type { AuthClient } from '@supabase/auth-js'
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'

const app = await createTestApp()
after(() => app.close())
const origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
const { signUpInTab, signInInTab, openTab } = createAuthClients(origin)

const PERIOD_MS = 30_000
// The clock is fixed in the middle of a period, so that no code expires before its use.
const now = (Math.floor(Date.now() / PERIOD_MS) + 0.5) * PERIOD_MS
mock.timers.enable({ apis: ['Date'], now })
const codeOf = (secret: string, periods = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + periods * PERIOD_MS })

type Client = InstanceType<typeof AuthClient>

const enroll = async (client: Client, friendlyName = 'Téléphone') => {
  const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName })
  assert.equal(error, null)
  assert.ok(data?.type === 'totp')
  return { id: data.id, ...data.totp }
}
/** Creates an account and verifies its factor with the previous code, so that the current code is unused. */
const withFactor = async () => {
  const owner = await signUpInTab()
  const factor = await enroll(owner.client)
  const { error } = await owner.client.mfa.challengeAndVerify({
    factorId: factor.id,
    code: codeOf(factor.secret, -1),
  })
  assert.equal(error, null)
  return { ...owner, factor }
}
const quizzes = (client: Client) =>
  client.getSession().then(({ data }) =>
    app.raw({
      url: '/api/v1/quizzes',
      headers: { authorization: `Bearer ${data.session?.access_token}` },
    }),
  )

test('an authenticator is set up with a QR code and is active after its first code is verified', async () => {
  const { client, user } = await signUpInTab()
  const factor = await enroll(client)
  assert.match(factor.qr_code, /^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/s)
  assert.match(factor.secret, /^[A-Z2-7]{32}$/)
  const uri = new URL(factor.uri)
  assert.deepEqual(
    [uri.protocol, uri.host, uri.searchParams.get('secret'), uri.searchParams.get('issuer')],
    ['otpauth:', 'totp', factor.secret, 'localhost:3000'],
  )
  assert.ok(decodeURIComponent(uri.pathname).endsWith(`:${user.email}`))
  assert.deepEqual((await client.mfa.listFactors()).data?.totp, [])
  assert.equal((await client.mfa.listFactors()).data?.all[0]?.status, 'unverified')
  const before = await client.mfa.getAuthenticatorAssuranceLevel()
  assert.deepEqual([before.data?.currentLevel, before.data?.nextLevel], ['aal1', 'aal1'])
  assert.equal((await quizzes(client)).statusCode, 200)

  const { data: challenge } = await client.mfa.challenge({ factorId: factor.id })
  assert.ok(challenge)
  assert.equal(challenge.type, 'totp')
  assert.ok(Math.abs(challenge.expires_at - Date.now() / 1000 - 300) < 20)
  const old = (await client.getSession()).data.session
  const { data } = await client.mfa.verify({
    factorId: factor.id,
    challengeId: challenge.id,
    code: codeOf(factor.secret),
  })
  assert.ok(data?.access_token)
  const claims = decodeJwt(data.access_token)
  assert.equal(claims.aal, 'aal2')
  assert.equal(claims.session_id, decodeJwt(old?.access_token ?? '').session_id)
  const amr = claims.amr as { method: string }[]
  assert.deepEqual(amr.map(({ method }) => method).sort(), ['password', 'totp'])
  assert.equal((await client.mfa.listFactors()).data?.totp.length, 1)

  const reused = openTab().refreshSession({ refresh_token: old?.refresh_token ?? '' })
  assert.deepEqual(await getAuthError(reused), [400, 'refresh_token_not_found'])
  const refreshed = await client.refreshSession()
  assert.equal(decodeJwt(refreshed.data.session?.access_token ?? '').aal, 'aal2')
})

test('after a sign-in, the account is inaccessible until the factor is verified', async () => {
  const { account, factor, client: first } = await withFactor()
  const { client } = await signInInTab(account)
  const level = await client.mfa.getAuthenticatorAssuranceLevel()
  assert.deepEqual([level.data?.currentLevel, level.data?.nextLevel], ['aal1', 'aal2'])
  const closed = await quizzes(client)
  assert.deepEqual(
    [closed.statusCode, closed.json<{ code: string }>().code],
    [403, 'second_factor_required'],
  )
  assert.deepEqual(await getAuthError(client.updateUser({ password: 'autre-secret' })), [
    401,
    'insufficient_aal',
  ])
  assert.deepEqual(await getAuthError(client.updateUser({ email: 'autre@example.org' })), [
    401,
    'insufficient_aal',
  ])
  assert.equal((await client.updateUser({ data: { name: 'Camille' } })).error, null)
  const second = client.mfa.enroll({ factorType: 'totp', friendlyName: 'Autre' })
  assert.deepEqual(await getAuthError(second), [403, 'insufficient_aal'])
  assert.deepEqual(await getAuthError(client.mfa.unenroll({ factorId: factor.id })), [
    422,
    'insufficient_aal',
  ])

  const verified = await client.mfa.challengeAndVerify({
    factorId: factor.id,
    code: codeOf(factor.secret),
  })
  assert.equal(verified.error, null)
  assert.equal((await quizzes(client)).statusCode, 200)
  assert.equal((await quizzes(first)).statusCode, 200)
})

test('the first verification of a factor ends the sessions without a factor', async () => {
  const owner = await signUpInTab()
  const other = await signInInTab(owner.account)
  const factor = await enroll(owner.client)
  await owner.client.mfa.challengeAndVerify({ factorId: factor.id, code: codeOf(factor.secret) })
  assert.equal((await quizzes(other.client)).statusCode, 401)
  assert.equal((await quizzes(owner.client)).statusCode, 200)
})

test('an authenticator code is accepted once, and a wrong, old or future code is never accepted', async () => {
  const { client, factor } = await withFactor()
  const verify = (code: string) => client.mfa.challengeAndVerify({ factorId: factor.id, code })
  for (const code of ['000000', '', 'abcdef', codeOf(factor.secret, -3), codeOf(factor.secret, 3)])
    assert.deepEqual(
      await getAuthError(verify(code)),
      code === '' ? [400, 'validation_failed'] : [422, 'mfa_verification_failed'],
      code,
    )
  const code = codeOf(factor.secret)
  assert.equal((await verify(code)).error, null)
  assert.deepEqual(await getAuthError(verify(code)), [422, 'mfa_verification_failed'])
})

test('a challenge works once, only for its factor, and expires', async () => {
  const { client, factor } = await withFactor()
  const other = await enroll(client, 'Autre')
  const challenge = async (factorId: string) =>
    (await client.mfa.challenge({ factorId })).data?.id ?? ''
  const verify = (challengeId: string, factorId = factor.id) =>
    client.mfa.verify({ factorId, challengeId, code: codeOf(factor.secret) })

  assert.deepEqual(await getAuthError(verify(await challenge(other.id))), [
    422,
    'mfa_factor_not_found',
  ])
  assert.deepEqual(await getAuthError(verify('pas un uuid')), [422, 'mfa_factor_not_found'])
  const old = await challenge(factor.id)
  await app.pool.query(
    `update mfa_challenges set created_at = now() - interval '6 minutes' where id = $1`,
    [old],
  )
  assert.deepEqual(await getAuthError(verify(old)), [422, 'mfa_challenge_expired'])
  const used = await challenge(factor.id)
  assert.equal((await verify(used)).error, null)
  assert.deepEqual(await getAuthError(verify(used)), [422, 'mfa_ip_address_mismatch'])
})

test('the factor of another account is not found', async () => {
  const { factor } = await withFactor()
  const stranger = await signUpInTab()
  const factorId = factor.id
  assert.deepEqual(await getAuthError(stranger.client.mfa.challenge({ factorId })), [
    404,
    'mfa_factor_not_found',
  ])
  assert.deepEqual(await getAuthError(stranger.client.mfa.unenroll({ factorId })), [
    404,
    'mfa_factor_not_found',
  ])
  const wrong = app.raw({
    method: 'DELETE',
    url: '/auth/v1/factors/x',
    headers: { authorization: `Bearer ${stranger.session.access_token}` },
  })
  assert.equal((await wrong).statusCode, 404)
})

test('factor names are unique, disabled types are refused, and the maximum is ten factors', async () => {
  const { client } = await signUpInTab()
  await enroll(client, 'un')
  const again = client.mfa.enroll({ factorType: 'totp', friendlyName: 'un' })
  assert.deepEqual(await getAuthError(again), [422, 'mfa_factor_name_conflict'])
  const phone = client.mfa.enroll({ factorType: 'phone', phone: '+33612345678' })
  assert.deepEqual(await getAuthError(phone), [422, 'mfa_phone_enroll_not_enabled'])
  for (let count = 2; count <= 10; count += 1) await enroll(client, String(count))
  const eleventh = client.mfa.enroll({ factorType: 'totp', friendlyName: 'onze' })
  assert.deepEqual(await getAuthError(eleventh), [422, 'too_many_enrolled_mfa_factors'])
})

test('a removed factor is no longer required, and its sessions return to aal1', async () => {
  const { client, account, factor } = await withFactor()
  const { data, error } = await client.mfa.unenroll({ factorId: factor.id })
  assert.deepEqual([data, error], [{ id: factor.id }, null])
  const { data: refreshed } = await client.refreshSession()
  assert.equal(decodeJwt(refreshed.session?.access_token ?? '').aal, 'aal1')
  assert.equal(refreshed.user?.factors, undefined)
  assert.equal((await quizzes((await signInInTab(account)).client)).statusCode, 200)
})

test('the secret of a factor is not stored in clear and not shown again', async () => {
  const { client, factor } = await withFactor()
  const { rows } = await app.pool.query('select * from mfa_factors')
  assert.ok(!JSON.stringify(rows).includes(factor.secret))
  assert.ok(!rows.some(({ sealed_secret }) => sealed_secret?.includes(factor.secret)))
  const { data } = await client.getUser()
  assert.deepEqual(Object.keys(data.user?.factors?.[0] ?? {}).sort(), [
    'created_at',
    'factor_type',
    'friendly_name',
    'id',
    'last_challenged_at',
    'phone',
    'status',
    'updated_at',
  ])
})
