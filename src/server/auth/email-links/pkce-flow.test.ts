import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { createMailApp } from '#server/testing/app/mail-app.ts'
import { getAuthError } from '#server/testing/people/auth-clients.ts'

const t = await createMailApp()
after(() => t.close())
const { catcher, createConfirmedAccount, followLink, newAccount, openTab } = t

const methodsOf = (access_token: string): string[] => {
  const { amr } = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString())
  return amr.map(({ method }: { method: string }) => method)
}
const verifier = 'v'.repeat(64)
const s256 = createHash('sha256').update(verifier).digest('base64url')
const post = async (path: string, body: object) => {
  const reply = await t.raw({
    method: 'POST',
    url: `/auth/v1${path}`,
    headers: { 'x-supabase-api-version': '2024-01-01' },
    body,
  })
  return { status: reply.statusCode, body: reply.json() }
}
const exchange = (auth_code: string, code_verifier = verifier) =>
  post('/token?grant_type=pkce', { auth_code, code_verifier })
/** Requests a mail with this challenge and returns the code to which its link redirects. */
const codeFor = async (challenge: object) => {
  const { account } = await createConfirmedAccount()
  assert.equal((await post('/recover', { email: account.email, ...challenge })).status, 200)
  const { link } = await catcher.next(account.email)
  return (await followLink(link)).query.code ?? ''
}

test('a sign-up, a magic link and a recovery return a code that the client exchanges', async () => {
  const account = newAccount()
  const client = openTab('pkce')
  await client.signUp(account)
  const first = await catcher.next(account.email)
  assert.match(new URL(first.link).searchParams.get('token') ?? '', /^pkce_[0-9a-f]{56}$/)
  const confirmation = await followLink(first.link)
  assert.deepEqual(Object.keys(confirmation.query), ['code'])
  assert.equal(confirmation.location.hash, '')
  const one = await client.exchangeCodeForSession(confirmation.query.code ?? '')
  assert.equal(one.error, null)
  assert.ok(one.data.user?.email_confirmed_at)
  assert.deepEqual(methodsOf(one.data.session?.access_token ?? ''), ['email/signup'])

  await client.signInWithOtp({ email: account.email })
  const magic = await followLink((await catcher.next(account.email)).link)
  const two = await client.exchangeCodeForSession(magic.query.code ?? '')
  assert.deepEqual(methodsOf(two.data.session?.access_token ?? ''), ['magiclink'])

  await client.resetPasswordForEmail(account.email)
  const recovery = await followLink((await catcher.next(account.email)).link)
  const events: string[] = []
  client.onAuthStateChange((event) => void events.push(event))
  const three = await client.exchangeCodeForSession(recovery.query.code ?? '')
  assert.deepEqual(methodsOf(three.data.session?.access_token ?? ''), ['recovery'])
  assert.ok(events.includes('PASSWORD_RECOVERY'))
})

test('in a PKCE flow, the code in the mail also works and returns a session directly', async () => {
  const { account } = await createConfirmedAccount()
  const client = openTab('pkce')
  await client.signInWithOtp({ email: account.email })
  const { code: token, link } = await catcher.next(account.email)
  const { data } = await client.verifyOtp({ type: 'email', email: account.email, token })
  assert.ok(data.session)
  const late = await followLink(link)
  assert.equal(late.query.error_code, 'otp_expired')
  assert.deepEqual(late.fragment, { ...late.query, sb: '' })
})

test('verify accepts the token hash of a link, including its prefix', async () => {
  const { account } = await createConfirmedAccount()
  const client = openTab('pkce')
  await client.signInWithOtp({ email: account.email })
  const { link } = await catcher.next(account.email)
  const token_hash = new URL(link).searchParams.get('token') ?? ''
  const { data, error } = await client.verifyOtp({ type: 'magiclink', token_hash })
  assert.equal(error, null)
  assert.ok(data.session)
})

test('only one of twenty concurrent exchanges of one code gets a session', async () => {
  const code = await codeFor({ code_challenge: s256, code_challenge_method: 's256' })
  const all = await Promise.all(Array.from({ length: 20 }, () => exchange(code)))
  assert.equal(all.filter(({ status }) => status === 200).length, 1)
  const refused = all.filter(({ status }) => status !== 200)
  assert.deepEqual(new Set(refused.map(({ body }) => body.code)), new Set(['flow_state_not_found']))
  assert.equal(refused[0]?.status, 404)
})

test('a code can be exchanged only with the verifier of its challenge, and a wrong verifier does not use up the code', async () => {
  const code = await codeFor({ code_challenge: s256, code_challenge_method: 'S256' })
  const wrong = await exchange(code, 'w'.repeat(64))
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'bad_code_verifier'])
  assert.equal((await exchange(code, s256)).status, 400, 'the challenge itself is no verifier')
  assert.equal((await exchange(code)).status, 200)
  const plain = await codeFor({ code_challenge: verifier, code_challenge_method: 'plain' })
  assert.equal((await exchange(plain)).status, 200)
})

test('a code expires five minutes after it was issued, whatever the age of its mail', async () => {
  const { account, user } = await createConfirmedAccount()
  await post('/recover', {
    email: account.email,
    code_challenge: s256,
    code_challenge_method: 's256',
  })
  const { link } = await catcher.next(account.email)
  const age = (column: 'created_at' | 'code_issued_at', ms: number) =>
    t.db
      .updateTable('flow_states')
      .set({ [column]: new Date(Date.now() - ms) })
      .where('user_id', '=', user.id)
      .execute()
  await age('created_at', 3_000_000)
  const { query } = await followLink(link)
  await age('code_issued_at', 301_000)
  const { status, body } = await exchange(query.code ?? '')
  assert.deepEqual([status, body.code], [422, 'flow_state_expired'])
  await age('code_issued_at', 290_000)
  assert.equal((await exchange(query.code ?? '')).status, 200)
})

test('incomplete or invalid challenges and empty or unknown codes are refused', async () => {
  const bad = [400, 'validation_failed']
  const recover = async (challenge: object) => {
    const { status, body } = await post('/recover', { email: 'a@example.org', ...challenge })
    return [status, body.code]
  }
  assert.deepEqual(await recover({ code_challenge: s256 }), bad)
  assert.deepEqual(await recover({ code_challenge_method: 's256' }), bad)
  assert.deepEqual(await recover({ code_challenge: s256, code_challenge_method: 's512' }), bad)
  assert.deepEqual(await recover({ code_challenge: 'court', code_challenge_method: 's256' }), bad)
  const odd = { code_challenge: `${s256}/`, code_challenge_method: 's256' }
  assert.deepEqual(await recover(odd), bad)
  assert.equal((await exchange('')).body.code, 'validation_failed')
  assert.equal((await exchange('code', '')).body.code, 'validation_failed')
  const withoutVerifier = openTab().exchangeCodeForSession('00000000-0000-4000-8000-000000000000')
  assert.deepEqual(await getAuthError(withoutVerifier), [400, 'validation_failed'])
  const unknown = await exchange('00000000-0000-4000-8000-000000000000')
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'flow_state_not_found'])
})

test('codes are not stored in clear', async () => {
  const code = await codeFor({ code_challenge: s256, code_challenge_method: 's256' })
  const rows = await t.db.selectFrom('flow_states').selectAll().execute()
  assert.ok(
    rows.some(({ code_hash }) => code_hash?.equals(createHash('sha256').update(code).digest())),
  )
  assert.ok(!JSON.stringify(rows).includes(code))
})
