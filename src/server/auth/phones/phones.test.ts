import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { decodeJwt } from 'jose'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'

const app = await createTestApp({ AUTH_PHONE: 'on', AUTH_MFA_PHONE: 'on' })
after(() => app.close())
const origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
const { openTab, signUpInTab, signInInTab } = createAuthClients(origin)

let numbers = 0
const newPhone = (): string => {
  numbers += 1
  return `336000000${String(numbers).padStart(2, '0')}`
}
/** Returns the code of the last message to a number. */
const lastCode = (phone: string): string => {
  const folder = join(app.config.data_dir, 'texts')
  const texts = readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const text = texts.findLast((candidate) => candidate.startsWith(`+${phone}\n`))
  return /\d{6}$/m.exec(text?.slice(phone.length + 2) ?? '')?.[0] ?? ''
}

test('a code signs in with a phone number and creates the account', async () => {
  const phone = newPhone()
  const client = openTab()
  assert.equal((await client.signInWithOtp({ phone: `+${phone}` })).error, null)
  const wrong = client.verifyOtp({ type: 'sms', phone, token: 'xxxxxx' })
  assert.deepEqual(await getAuthError(wrong), [403, 'otp_expired'])
  const token = lastCode(phone)
  const { data, error } = await client.verifyOtp({ type: 'sms', phone: `+${phone}`, token })
  assert.equal(error, null)
  assert.equal(data.user?.phone, phone)
  assert.ok(data.user.phone_confirmed_at)
  assert.equal(data.user.confirmed_at, data.user.phone_confirmed_at)
  assert.deepEqual(data.user.app_metadata, { provider: 'phone', providers: ['phone'] })
  assert.deepEqual(
    data.user.identities?.map(({ provider, id }) => [provider, id]),
    [['phone', data.user.id]],
  )
  assert.equal(decodeJwt(data.session?.access_token ?? '').phone, phone)
  assert.deepEqual(await getAuthError(client.verifyOtp({ type: 'sms', phone, token })), [
    403,
    'otp_expired',
  ])
  assert.deepEqual(
    await getAuthError(
      openTab().signInWithOtp({ phone: newPhone(), options: { shouldCreateUser: false } }),
    ),
    [422, 'otp_disabled'],
  )
})

test('a sign-up with a phone number and a password must be confirmed with a code', async () => {
  const phone = newPhone()
  const account = { phone, password: 'secret1' }
  const { data, error } = await openTab().signUp(account)
  assert.equal(error, null)
  assert.deepEqual([data.session, data.user?.phone], [null, phone])
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), [
    400,
    'phone_not_confirmed',
  ])
  assert.equal((await openTab().resend({ type: 'sms', phone })).error, null)
  const verified = await openTab().verifyOtp({ type: 'sms', phone, token: lastCode(phone) })
  assert.equal(verified.error, null)
  const signed = await openTab().signInWithPassword(account)
  assert.equal(signed.data.user?.id, data.user?.id)
  assert.deepEqual(
    await getAuthError(openTab().signInWithPassword({ ...account, password: 'non' })),
    [400, 'invalid_credentials'],
  )

  await app.pool.query(
    `update users set invited_at = now(), new_email = 'a@b.fr' where phone = $1`,
    [phone],
  )
  const again = await openTab().signUp({ phone, password: 'autre-secret' })
  const unknown = await openTab().signUp({ phone: newPhone(), password: 'autre-secret' })
  const [fake, real] = [again.data.user, unknown.data.user]
  assert.ok(fake && real)
  assert.notEqual(fake.id, data.user?.id)
  assert.deepEqual(Object.keys(fake), Object.keys(real))
  assert.deepEqual([fake.phone, fake.identities, fake.role], [phone, [], ''])
  assert.deepEqual(fake.app_metadata, real.app_metadata)
  assert.deepEqual(fake.user_metadata, { ...real.user_metadata, sub: fake.id, phone })
  assert.equal((await openTab().signInWithPassword(account)).error, null)
})

test('a code entered in a different browser from the sign-up activates no password', async () => {
  const phone = newPhone()
  const account = { phone, password: 'd-un-inconnu' }
  await createAuthClients(origin).openTab().signUp(account)
  const owner = openTab()
  const token = lastCode(phone)
  assert.equal((await owner.verifyOtp({ type: 'sms', phone, token })).error, null)
  const refused = await getAuthError(openTab().signInWithPassword(account))
  assert.deepEqual(refused, [400, 'invalid_credentials'])
})

test('a sign-in by code removes the password of an earlier sign-up with the number', async () => {
  const phone = newPhone()
  await openTab().signUp({ phone, password: 'de-quelqu-un' })
  const owner = openTab()
  await owner.signInWithOtp({ phone })
  assert.equal((await owner.verifyOtp({ type: 'sms', phone, token: lastCode(phone) })).error, null)
  assert.deepEqual(
    await getAuthError(openTab().signInWithPassword({ phone, password: 'de-quelqu-un' })),
    [400, 'invalid_credentials'],
  )
})

test('after sign-ups of one number with different passwords, the code activates no password', async () => {
  const phone = newPhone()
  for (const password of ['d-un-inconnu', 'de-son-titulaire', 'd-un-inconnu'])
    await openTab().signUp({ phone, password })
  const owner = openTab()
  assert.equal((await owner.verifyOtp({ type: 'sms', phone, token: lastCode(phone) })).error, null)
  for (const password of ['d-un-inconnu', 'de-son-titulaire'])
    assert.deepEqual(await getAuthError(openTab().signInWithPassword({ phone, password })), [
      400,
      'invalid_credentials',
    ])
})

test('a code sent again does not restore a password removed by a sign-in by code', async () => {
  const phone = newPhone()
  await openTab().signUp({ phone, password: 'd-un-inconnu' })
  const owner = openTab()
  await owner.signInWithOtp({ phone })
  await openTab().resend({ type: 'sms', phone })
  assert.equal((await owner.verifyOtp({ type: 'sms', phone, token: lastCode(phone) })).error, null)
  assert.deepEqual(
    await getAuthError(openTab().signInWithPassword({ phone, password: 'd-un-inconnu' })),
    [400, 'invalid_credentials'],
  )
})

test('a phone number is changed after its code is verified, and a number in use is refused', async () => {
  const { client, user } = await signUpInTab()
  const phone = newPhone()
  const { data, error } = await client.updateUser({ phone })
  assert.equal(error, null)
  assert.deepEqual([data.user?.phone, data.user?.new_phone], ['', phone])
  const token = lastCode(phone)
  const verified = await client.verifyOtp({ type: 'phone_change', phone, token })
  assert.equal(verified.data.user?.id, user.id)
  assert.equal(verified.data.user?.phone, phone)
  const other = await signUpInTab()
  assert.deepEqual(await getAuthError(other.client.updateUser({ phone })), [422, 'phone_exists'])
  assert.deepEqual(await getAuthError(other.client.updateUser({ phone: 'abc' })), [
    400,
    'validation_failed',
  ])
})

test('a code is invalid after five wrong attempts or five minutes', async () => {
  const phone = newPhone()
  await openTab().signInWithOtp({ phone })
  const verify = (token: string) => getAuthError(openTab().verifyOtp({ type: 'sms', phone, token }))
  for (let tries = 0; tries < 5; tries += 1) await verify('xxxxxx')
  assert.deepEqual(await verify(lastCode(phone)), [429, 'over_request_rate_limit'])
  await openTab().signInWithOtp({ phone })
  assert.deepEqual(await verify(lastCode(phone)), [429, 'over_request_rate_limit'])
  await app.pool.query('delete from recent_attempts')
  await app.pool.query(
    `update one_time_tokens set created_at = now() - interval '6 minutes' where relates_to = $1`,
    [phone],
  )
  assert.deepEqual(await verify(lastCode(phone)), [403, 'otp_expired'])
})

test('a phone can be a second factor', async () => {
  const { client, account } = await signUpInTab()
  const phone = newPhone()
  const enrolled = await client.mfa.enroll({ factorType: 'phone', phone: `+${phone}` })
  assert.ok(enrolled.data?.type === 'phone')
  const factorId = enrolled.data.id
  const verify = async (tab: typeof client, code?: string) => {
    const { data } = await tab.mfa.challenge({ factorId })
    return tab.mfa.verify({
      factorId,
      challengeId: data?.id ?? '',
      code: code ?? lastCode(phone),
    })
  }
  assert.deepEqual(await getAuthError(verify(client, 'xxxxxx')), [422, 'mfa_verification_failed'])
  assert.equal((await verify(client)).error, null)
  assert.deepEqual(await getAuthError(client.mfa.enroll({ factorType: 'phone', phone })), [
    422,
    'mfa_verified_factor_exists',
  ])
  const other = await signInInTab(account)
  const { data } = await verify(other.client)
  const amr = decodeJwt(data?.access_token ?? '').amr as { method: string }[]
  assert.ok(amr.some(({ method }) => method === 'mfa/phone'))
})

test('codes are not stored in clear, and at most one code a minute is sent', async () => {
  const phone = newPhone()
  await openTab().signInWithOtp({ phone })
  const { rows } = await app.pool.query('select * from one_time_tokens where relates_to = $1', [
    phone,
  ])
  assert.ok(!JSON.stringify(rows).includes(lastCode(phone)))
  const limited = await createTestApp({ AUTH_PHONE: 'on', RATE_LIMITS: 'on' })
  try {
    const ask = () => limited.raw({ method: 'POST', url: '/auth/v1/otp', body: { phone } })
    assert.equal((await ask()).statusCode, 200)
    const refused = await ask()
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.json<{ error_code: string }>().error_code, 'over_sms_send_rate_limit')
  } finally {
    await limited.close()
  }
})
