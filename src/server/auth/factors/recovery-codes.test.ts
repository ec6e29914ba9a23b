import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'

const app = await createTestApp()
const limited = await createTestApp({ RATE_LIMITS: 'on' })
after(async () => {
  await app.close()
  await limited.close()
})
const clientsOf = async ({ app }: typeof limited) =>
  createAuthClients(await app.listen({ port: 0, host: '127.0.0.1' }))
const clients = await clientsOf(app)

/** Creates an account with a verified factor and an aal2 session. */
const withFactor = async ({ signUpInTab } = clients) => {
  const owner = await signUpInTab()
  const { data } = await owner.client.mfa.enroll({ factorType: 'totp' })
  assert.ok(data?.type === 'totp')
  const code = new TOTP({ secret: data.totp.secret }).generate()
  const verified = await owner.client.mfa.challengeAndVerify({ factorId: data.id, code })
  assert.equal(verified.error, null)
  return { ...owner, factorId: data.id }
}
const withCodes = async () => {
  const owner = await withFactor()
  const { data, error } = await owner.client.mfa.recoveryCodes.generate()
  assert.equal(error, null)
  assert.ok(data)
  return { ...owner, codes: data.codes }
}

test('ten recovery codes are created once for an account with a factor, and the remaining codes are counted', async () => {
  const { client } = await clients.signUpInTab()
  assert.deepEqual(await getAuthError(client.mfa.recoveryCodes.generate()), [
    422,
    'mfa_recovery_codes_sole_factor',
  ])
  const owner = await withCodes()
  assert.equal(new Set(owner.codes).size, 10)
  assert.ok(owner.codes.every((code) => /^[a-z2-9]{16}$/.test(code)))
  const again = owner.client.mfa.recoveryCodes.generate()
  assert.deepEqual(await getAuthError(again), [422, 'mfa_verified_factor_exists'])
  const { data } = await owner.client.mfa.recoveryCodes.getStatus()
  assert.deepEqual([data?.type, data?.total, data?.remaining], ['recovery_code', 10, 10])
})

test('a recovery code works once, whatever its case, spaces and hyphens', async () => {
  const { account, codes } = await withCodes()
  const [code = ''] = codes
  const typed = ` ${code.slice(0, 8).toUpperCase()}-${code.slice(8)} `
  const { client } = await clients.signInInTab(account)
  const { data, error } = await client.mfa.recoveryCodes.verify({ code: typed })
  assert.equal(error, null)
  const claims = decodeJwt(data?.access_token ?? '')
  assert.equal(claims.aal, 'aal2')
  const amr = claims.amr as { method: string }[]
  assert.ok(amr.some(({ method }) => method === 'mfa/recovery_code'))
  assert.equal((await client.mfa.recoveryCodes.getStatus()).data?.remaining, 9)

  const other = await clients.signInInTab(account)
  for (const wrong of [code, 'aaaaaaaaaaaaaaaa'])
    assert.deepEqual(await getAuthError(other.client.mfa.recoveryCodes.verify({ code: wrong })), [
      422,
      'mfa_verification_failed',
    ])
})

test('only one of several concurrent calls with one recovery code succeeds', async () => {
  const { account, codes } = await withCodes()
  const [code = ''] = codes
  const { client } = await clients.signInInTab(account)
  const { data } = await client.getSession()
  const calls = Array.from({ length: 5 }, () =>
    app.raw({
      method: 'POST',
      url: '/auth/v1/factors/recovery-codes/verify',
      headers: { authorization: `Bearer ${data.session?.access_token}` },
      body: { code },
    }),
  )
  const statuses = (await Promise.all(calls)).map(({ statusCode }) => statusCode)
  assert.deepEqual(statuses.sort(), [200, 422, 422, 422, 422])
})

test('new recovery codes replace the old ones, and only an aal2 session can create or remove them', async () => {
  const { client, account, codes } = await withCodes()
  const low = await clients.signInInTab(account)
  const { recoveryCodes } = low.client.mfa
  assert.deepEqual(await getAuthError(recoveryCodes.regenerate()), [403, 'insufficient_aal'])
  assert.deepEqual(await getAuthError(recoveryCodes.unenroll()), [422, 'insufficient_aal'])
  const { data } = await client.mfa.recoveryCodes.regenerate()
  assert.equal(data?.codes.length, 10)
  const [old = ''] = codes
  assert.deepEqual(await getAuthError(recoveryCodes.verify({ code: old })), [
    422,
    'mfa_verification_failed',
  ])
  assert.equal((await recoveryCodes.verify({ code: data.codes[0] ?? '' })).error, null)
})

test('recovery codes are deleted with the last factor and never stored in clear', async () => {
  const { client, factorId, codes } = await withCodes()
  const { rows } = await app.pool.query(
    "select encode(code_hash, 'escape') as text from recovery_codes",
  )
  assert.ok(!rows.some(({ text }) => codes.includes(text)))
  assert.equal((await client.mfa.unenroll({ factorId })).error, null)
  assert.deepEqual(await getAuthError(client.mfa.recoveryCodes.getStatus()), [
    404,
    'mfa_factor_not_found',
  ])
  assert.deepEqual((await client.mfa.listFactors()).data?.all, [])
})

test('factor codes and recovery codes share one attempt limit per account', async () => {
  const slow = await clientsOf(limited)
  const { account, factorId, client: owner } = await withFactor(slow)
  await owner.mfa.recoveryCodes.generate()
  const { client } = await slow.signInInTab(account)
  for (let tries = 0; tries < 5; tries += 1)
    assert.equal(
      (await client.mfa.challengeAndVerify({ factorId, code: '000000' })).error?.code,
      'mfa_verification_failed',
    )
  assert.deepEqual(
    await getAuthError(client.mfa.challengeAndVerify({ factorId, code: '000000' })),
    [429, 'over_request_rate_limit'],
  )
  const recovery = client.mfa.recoveryCodes.verify({ code: 'aaaaaaaaaaaaaaaa' })
  assert.deepEqual(await getAuthError(recovery), [429, 'mfa_recovery_codes_locked'])
})
