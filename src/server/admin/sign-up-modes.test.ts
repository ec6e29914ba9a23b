import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { SignUpMode } from '#domain/accounts/sign-up-mode.ts'
import { ADMIN_ENV, signUpAdministrator } from '#server/testing/app/administrators.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { createAuthClients } from '#server/testing/people/auth-clients.ts'
import { startOpenidProvider } from '#server/testing/people/openid-provider.ts'
import {
  createJourneys,
  createProviderUser,
  fragmentOf,
} from '#server/testing/people/provider-journeys.ts'
import { createEthereumWallet } from '#server/testing/people/wallets.ts'

const provider = await startOpenidProvider()
const app = await createTestApp({
  ...ADMIN_ENV,
  AUTH_ANONYMOUS: 'on',
  AUTH_PHONE: 'on',
  AUTH_WEB3: 'on',
  AUTH_EXTERNAL_MAISON_CLIENT_ID: provider.client_id,
  AUTH_EXTERNAL_MAISON_SECRET: provider.secret,
  AUTH_EXTERNAL_MAISON_ISSUER: provider.issuer,
})
after(async () => {
  await app.close()
  await provider.close()
})
const { openTab, browser } = createAuthClients(await app.app.listen({ port: 0, host: '127.0.0.1' }))
const { startSignIn, completeSignIn } = createJourneys(app, provider, browser)

let administrator: SignedUp
before(async () => {
  administrator = await signUpAdministrator(app)
})
const choose = (sign_up_mode: SignUpMode) =>
  administrator.client.admin.setSignUp({ body: { sign_up_mode } })
const newEmail = (): string => `${randomUUID()}@example.org`
const newPhone = (): string => `336${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`

const post = async (path: string, body: object): Promise<string> => {
  const headers = { 'x-supabase-api-version': '2024-01-01' }
  const reply = await app.raw({ method: 'POST', url: `/auth/v1${path}`, headers, body })
  return reply.statusCode < 300 ? 'accepted' : reply.json<{ code: string }>().code
}
const signInByProvider = async (): Promise<string> => {
  provider.person = createProviderUser()
  const target = await completeSignIn(await startSignIn(openTab()))
  const { error_code, access_token } = fragmentOf(new URL(String(target)))
  return access_token ? 'accepted' : (error_code ?? 'no answer')
}
const signInByWallet = async (): Promise<string> => {
  const wallet = createEthereumWallet()
  const { error } = await openTab().signInWithWeb3({
    chain: 'ethereum',
    wallet: wallet.provider as never,
    options: { url: `${app.config.public_url}/login` },
  })
  return error ? String(error.code) : 'accepted'
}

/** Every way in which a person gets an account without being invited. */
const WAYS: Record<string, () => Promise<string>> = {
  'an address with a password': () => post('/signup', { email: newEmail(), password: 'secret1' }),
  'a number with a password': () => post('/signup', { phone: newPhone(), password: 'secret1' }),
  'an anonymous account': () => post('/signup', {}),
  'a code by mail': () => post('/otp', { email: newEmail() }),
  'a code by text message': () => post('/otp', { phone: newPhone() }),
  'an external provider': signInByProvider,
  'a wallet': signInByWallet,
}

/** Waits until no account mail is queued, because the account of a code by mail is created with its mail. */
const waitForMails = async (): Promise<void> => {
  const job = await app.db.selectFrom('mail_jobs').select('id').executeTakeFirst()
  if (!job) return
  await new Promise((resolve) => setTimeout(resolve, 20))
  await waitForMails()
}

const countUsers = async (): Promise<number> => {
  const { rows } = await app.pool.query<{ count: number }>('select count(*) as count from users')
  return Number(rows[0]?.count)
}

describe('who may sign up', () => {
  for (const mode of ['invitation', 'closed'] as const)
    for (const [way, signUp] of Object.entries(WAYS))
      test(`${way} is refused if sign-ups are ${mode}, and accepted once they are open again`, async () => {
        await choose(mode)
        const before = await countUsers()
        assert.equal(await signUp(), 'signup_disabled')
        assert.equal(await countUsers(), before)
        await choose('open')
        assert.equal(await signUp(), 'accepted')
        await waitForMails()
      })

  test('a queued sign-in mail creates no account after sign-ups were closed', async () => {
    await choose('closed')
    const email = newEmail()
    await app.db
      .insertInto('mail_jobs')
      .values({
        id: randomUUID(),
        kind: 'otp',
        email,
        user_id: null,
        details: JSON.stringify({ create_user: true, redirect_to: app.config.public_url }),
      })
      .execute()
    await post('/recover', { email: administrator.email })
    await waitForMails()
    const { rows } = await app.pool.query('select id from users where email = $1', [email])
    assert.deepEqual(rows, [])
  })

  test('accounts that exist still sign in', async () => {
    const { email } = await app.signUp()
    await choose('closed')
    assert.equal(
      await post('/token?grant_type=password', { email, password: 'secret1' }),
      'accepted',
    )
    assert.equal(await post('/otp', { email, create_user: false }), 'accepted')
  })

  test('the settings of the auth service say the rule before a form is filled in', async () => {
    for (const mode of ['closed', 'invitation', 'open'] as const) {
      await choose(mode)
      const settings = (await app.raw({ url: '/auth/v1/settings' })).json<Record<string, unknown>>()
      assert.deepEqual([settings.sign_up_mode, settings.disable_signup], [mode, mode !== 'open'])
    }
  })

  test('the rule is recorded with its administrator', async () => {
    const events = await listAuditEventNames(app, administrator.user_id)
    for (const mode of ['open', 'invitation', 'closed'])
      assert.ok(events.includes(`sign_up_mode_changed ${mode}`))
  })
})

describe('invitations without a mail server', () => {
  const invite = (email: string) => administrator.client.admin.invite({ body: { email } })
  const follow = async (link: string): Promise<Record<string, string>> => {
    const { pathname, search } = new URL(link)
    const { headers } = await app.raw({ url: pathname + search })
    return fragmentOf(new URL(String(headers.location)))
  }
  const refused = (status: number, code: string) => (error: unknown) => {
    const { status: found, code: said } = error as { status: number; code: string }
    assert.deepEqual([found, said], [status, code])
    return true
  }

  test('an invitation returns a link that opens the account once', async () => {
    await choose('invitation')
    const typed = ` ${newEmail().toUpperCase()} `
    const { account_id, email, link } = await invite(typed)
    assert.equal(email, typed.trim().toLowerCase())
    assert.ok(link)
    const first = await follow(link)
    assert.ok(first.access_token)
    assert.equal(first.type, 'invite')
    assert.ok((await follow(link)).error_code)
    const user = await app.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow()
    assert.ok(user.email_confirmed_at)
    assert.equal(user.encrypted_password, null)
    const events = await listAuditEventNames(app, account_id)
    assert.equal(events[0], 'user_invited')
  })

  test('a second invitation replaces the link of the first', async () => {
    const email = newEmail()
    const first = await invite(email)
    const second = await invite(email)
    assert.equal(first.account_id, second.account_id)
    assert.ok((await follow(first.link ?? '')).error_code)
    assert.ok((await follow(second.link ?? '')).access_token)
  })

  test('an invitation is refused for an address that has an account, and if nobody gets one', async () => {
    const { email, user_id } = await app.signUp()
    await assert.rejects(invite(email), refused(409, 'account_exists'))
    await administrator.client.admin.disable({ accountId: user_id })
    await assert.rejects(invite(email), refused(409, 'account_exists'))
    await choose('closed')
    await assert.rejects(invite(newEmail()), refused(409, 'sign_up_closed'))
    await choose('open')
    for (const wrong of ['camille', 'a@b@c.fr', 'é@exemple.fr', '<script>@x.fr', 'a@127.0.0.1', ''])
      await assert.rejects(invite(wrong), refused(422, 'invalid'))
  })

  test('a link of a disabled account opens nothing', async () => {
    const { account_id, link } = await invite(newEmail())
    await administrator.client.admin.disable({ accountId: account_id })
    assert.ok((await follow(link ?? '')).error_code)
    await administrator.client.admin.enable({ accountId: account_id })
    assert.ok((await follow(link ?? '')).error_code)
  })

  test('the password that a stranger chose for the address is deleted by the invitation', async () => {
    await choose('open')
    const email = newEmail()
    await app.db
      .insertInto('users')
      .values({ id: randomUUID(), email, encrypted_password: 'hash of a stranger' })
      .execute()
    const { account_id } = await invite(email)
    const user = await app.db
      .selectFrom('users')
      .select('encrypted_password')
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow()
    assert.equal(user.encrypted_password, null)
  })
})
