import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TOTP } from 'otpauth'
import { createMailApp } from '#server/testing/app/mail-app.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

// Runs in test:all, because its requests are hostile and many.

const t = await createMailApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' })
after(() => t.close())

type Answer = { status: number; code: string | undefined; access_token: string; id: string }

/** Calls from a network; without `from`, from the known network of the account. */
const call = async (
  path: string,
  body: object,
  { from, token }: { from?: string | undefined; token?: string } = {},
): Promise<Answer> => {
  const reply = await t.raw({
    method: path === '/user' ? 'PUT' : 'POST',
    url: `/auth/v1${path}`,
    headers: {
      'x-supabase-api-version': '2024-01-01',
      ...(from && { 'x-forwarded-for': from }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body,
  })
  return { status: reply.statusCode, ...reply.json<Omit<Answer, 'status'>>() }
}
const signIn = (email: string, password: string, from?: string) =>
  call('/token?grant_type=password', { email, password }, { from })
const networks = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `198.51.100.${index + 1}`)
const statusesOf = (answers: Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, some]) => [
      status,
      some.length,
    ]),
  )
const listed = async (token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await t.raw({ url: '/api/v1/quizzes', headers })).statusCode
}

/** Creates an account with a verified authenticator and returns its aal2 session. */
const withFactor = async () => {
  const { client, account } = await t.createConfirmedAccount()
  const { data } = await client.mfa.enroll({ factorType: 'totp' })
  assert.ok(data?.type === 'totp')
  const totp = new TOTP({ secret: data.totp.secret })
  const verified = await client.mfa.challengeAndVerify({
    factorId: data.id,
    code: totp.generate(),
  })
  assert.equal(verified.error, null)
  // The code of the next period, because a code is accepted once. Codes of the neighbouring periods are accepted too.
  const right = () => totp.generate({ timestamp: Date.now() + 30_000 })
  const wrong = () => String((Number(right()) + 1) % 1_000_000).padStart(6, '0')
  return { ...account, id: data.id, session: verified.data?.access_token ?? '', right, wrong }
}
type WithFactor = Awaited<ReturnType<typeof withFactor>>

/** Signs in by password from a network, and returns a function that tries codes of the factor from there. */
const stoppedAtFactor = async ({ email, password, id }: WithFactor, from?: string) => {
  const { access_token: token } = await signIn(email, password, from)
  const by = { from, token }
  const { id: challenge_id } = await call(`/factors/${id}/challenge`, {}, by)
  return (code: string) => call(`/factors/${id}/verify`, { challenge_id, code }, by)
}

testInAll(
  'only five of 180 concurrent second-factor guesses from ten networks are checked',
  async () => {
    const owner = await withFactor()
    const guessers = await Promise.all(networks(10).map((from) => stoppedAtFactor(owner, from)))
    const all = await Promise.all(
      guessers.flatMap((guess) => Array.from({ length: 18 }, () => guess(owner.wrong()))),
    )
    // On a busy machine, some calls are refused with 503 before they are counted.
    const { 422: compared, 429: locked = 0, 503: shed = 0 } = statusesOf(all)
    assert.deepEqual([compared, locked + shed], [5, 175])
    const [guess] = guessers
    assert.equal((await guess?.(owner.right()))?.status, 429, 'nor is the right one tried')
    assert.equal(await listed(owner.session), 200, 'the session that there was is as it was')
    const atHome = await stoppedAtFactor(owner)
    assert.equal(
      (await atHome(owner.right())).status,
      200,
      'a network that the account knows has its own',
    )
  },
)

test('with a second factor, a network becomes known only after the factor is verified', async () => {
  const owner = await withFactor()
  const [from = '', other = ''] = networks(2)
  const guess = await stoppedAtFactor(owner, other)
  for (let tries = 0; tries < 5; tries += 1) assert.equal((await guess(owner.wrong())).status, 422)
  const again = await stoppedAtFactor(owner, from)
  assert.equal((await again(owner.wrong())).status, 429)
})

test('recovery codes and the factor share one attempt limit, and an aal2 session has its own limit', async () => {
  const owner = await withFactor()
  const by = { token: owner.session }
  const { status } = await call('/factors/recovery-codes', {}, by)
  assert.equal(status, 200)
  const [from = ''] = networks(1)
  const { access_token: token } = await signIn(owner.email, owner.password, from)
  const wrong = { code: 'aaaaaaaaaaaaaaaa' }
  const all = await Promise.all(
    Array.from({ length: 12 }, () =>
      call('/factors/recovery-codes/verify', wrong, { from, token }),
    ),
  )
  assert.deepEqual(statusesOf(all), { 422: 5, 429: 7 })
  const guess = await stoppedAtFactor(owner, from)
  assert.equal((await guess(owner.wrong())).status, 429)
  const { id: challenge_id } = await call(`/factors/${owner.id}/challenge`, {}, by)
  const code = owner.right()
  assert.equal((await call(`/factors/${owner.id}/verify`, { challenge_id, code }, by)).status, 200)
})

test('thirty wrong passwords an hour are allowed per email address over all networks, with or without an account', async () => {
  const { account } = await t.createConfirmedAccount()
  for (const email of [account.email, 'inconnue@example.org']) {
    const all = await Promise.all(networks(40).map((from) => signIn(email, 'wrong', from)))
    assert.deepEqual(statusesOf(all), { 400: 30, 429: 10 }, email)
  }
})

test('an account locked by others keeps the sessions, known networks and email links of its owner', async () => {
  const { account, session, client } = await t.createConfirmedAccount()
  await Promise.all(networks(40).map((from) => signIn(account.email, 'wrong', from)))
  const from = '203.0.113.77'
  assert.equal((await signIn(account.email, account.password, from)).status, 429)
  assert.equal(await listed(session.access_token), 200)
  assert.equal((await client.refreshSession()).error, null)
  assert.equal((await signIn(account.email, account.password)).status, 200)

  await call('/recover', { email: account.email }, { from })
  const { link } = await t.catcher.next(account.email)
  const { pathname, search } = new URL(link)
  const reply = await t.raw({ url: `${pathname}${search}`, headers: { 'x-forwarded-for': from } })
  assert.match(String(reply.headers.location), /#access_token=/)
  assert.equal(
    (await signIn(account.email, account.password, from)).status,
    200,
    'the network that a mail was followed from is known',
  )
  await t.pool.query(`update recent_attempts set began_at = began_at - interval '61 minutes'`)
  assert.equal((await signIn(account.email, account.password, '203.0.113.78')).status, 200)
})

testInAll('correct passwords do not count as attempts', async () => {
  const { account } = await t.createConfirmedAccount()
  for (const from of networks(35))
    assert.equal((await signIn(account.email, account.password, from)).status, 200)
})

test('wrong current passwords are counted per session', async () => {
  const { account, session } = await t.createConfirmedAccount()
  await Promise.all(networks(40).map((from) => signIn(account.email, 'wrong', from)))
  const change = (current_password: string, from: string) =>
    call(
      '/user',
      { password: 'another-one', current_password },
      { from, token: session.access_token },
    )
  const all = await Promise.all(networks(40).map((from) => change('wrong', from)))
  assert.deepEqual(statusesOf(all), { 400: 30, 429: 10 })
  const other = await signIn(account.email, account.password)
  const body = { password: 'another-one', current_password: account.password }
  assert.equal((await call('/user', body, { token: other.access_token })).status, 200)
})

test('stored attempts and known networks reveal no account, email address or network', async () => {
  const { account, user } = await t.createConfirmedAccount()
  await signIn(account.email, 'wrong', '192.0.2.1')
  const { rows: counts } = await t.pool.query('select scope, attempts from recent_attempts')
  const { rows: known } = await t.pool.query('select network_hash from known_networks')
  assert.ok(counts.length > 0 && known.length > 0)
  const stored = JSON.stringify([
    counts.map(({ scope }) => scope.toString('latin1')),
    known.map(({ network_hash }) => network_hash.toString('latin1')),
  ])
  for (const text of [account.email, user.id, '192.0.2.1', '127.0.0.1'])
    assert.ok(!stored.includes(text))
})

testInAll(
  'an account has at most ten known networks, and a new password or a first factor deletes the others',
  async () => {
    const { account, user, client } = await t.createConfirmedAccount()
    const known = async () =>
      (await t.pool.query('select from known_networks where user_id = $1', [user.id])).rows.length
    for (const from of networks(12)) await signIn(account.email, account.password, from)
    assert.equal(await known(), 10)
    assert.equal((await client.updateUser({ password: 'un-autre-1' })).error, null)
    assert.equal(await known(), 1, 'the one in use')
    for (const from of networks(3)) await signIn(account.email, 'un-autre-1', from)
    const { data } = await client.mfa.enroll({ factorType: 'totp' })
    assert.ok(data?.type === 'totp')
    const code = new TOTP({ secret: data.totp.secret }).generate()
    assert.equal((await client.mfa.challengeAndVerify({ factorId: data.id, code })).error, null)
    assert.equal(await known(), 1)
  },
)
