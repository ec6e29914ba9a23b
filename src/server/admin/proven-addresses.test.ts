import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { makeLink } from '#server/auth/mail/write-mail.ts'
import { ADMIN_EMAILS, ADMIN_ENV } from '#server/testing/app/administrators.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { fragmentOf } from '#server/testing/people/provider-journeys.ts'

const app = await createTestApp(ADMIN_ENV)
after(() => app.close())

/** Waits until no account mail is queued, because a mail that is written later would replace a link. */
const waitForMails = async (): Promise<void> => {
  const job = await app.db.selectFrom('mail_jobs').select('id').executeTakeFirst()
  if (!job) return
  await new Promise((resolve) => setTimeout(resolve, 20))
  await waitForMails()
}

const [, email] = ADMIN_EMAILS
const overview = (access_token: string) =>
  app.raw({ url: '/api/v1/admin/overview', headers: { authorization: `Bearer ${access_token}` } })

/** Follows a link that the account would get by mail, and returns the access token of its session. */
const followLinkOf = async (
  user_id: string,
  kind: 'recovery' | 'email_change_new',
): Promise<string> => {
  await waitForMails()
  const user = await app.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  const services = { db: app.db, codeKey: Buffer.alloc(32), public_url: app.config.public_url }
  const { url } = await makeLink(services, kind, { user, relates_to: email, details: {} })
  const { pathname, search } = new URL(url)
  const { headers } = await app.raw({ url: pathname + search })
  return fragmentOf(new URL(String(headers.location))).access_token ?? ''
}

test('an account that changes its address to that of an administrator is no administrator', async () => {
  const { user_id, access_token } = await app.signUp()
  const headers = { authorization: `Bearer ${access_token}` }
  const body = { email }
  await app.raw({ method: 'PUT', url: '/auth/v1/user', headers, body })
  const followed = await followLinkOf(user_id, 'email_change_new')
  const user = await app.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow()
  assert.deepEqual([user.email, user.email_proven_by], [email, null])
  assert.ok(user.email_confirmed_at)
  for (const token of [access_token, followed])
    assert.equal((await overview(token)).statusCode, 404)
  await waitForMails()
  await app.db.deleteFrom('users').where('id', '=', user_id).execute()
})

test('a stranger who registers the address first is no administrator, and loses the account to its owner', async () => {
  const stranger = await app.signUp(email)
  const { client } = stranger
  const body = { name: 'Porte', scope: 'écriture', expires_in_days: 30 } as const
  const { secret } = await client.apiKeys.create({ body })
  const factor = { user_id: stranger.user_id, factor_type: 'totp', status: 'verified' } as const
  assert.equal((await overview(stranger.access_token)).statusCode, 404)
  await app.db
    .insertInto('mfa_factors')
    .values({ id: randomUUID(), ...factor })
    .execute()

  const access_token = await followLinkOf(stranger.user_id, 'recovery')
  assert.equal((await overview(access_token)).statusCode, 200)

  assert.equal((await overview(stranger.access_token)).statusCode, 404)
  const signIn = await app.raw({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    body: { email, password: 'secret1' },
  })
  assert.equal(signIn.statusCode, 400)
  const keyed = await app.raw({
    url: '/api/v1/quizzes',
    headers: { authorization: `Bearer ${secret}` },
  })
  assert.equal(keyed.statusCode, 401)
  const events = await listAuditEventNames(app, stranger.user_id)
  assert.ok(events.includes('ways_in_replaced mail'))
})
