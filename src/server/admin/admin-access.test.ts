import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { RefusedCall } from '#contract/client/client.ts'
import { limitClassOf } from '#server/http/edge/rate-limits.ts'
import { ADMIN_EMAILS, ADMIN_ENV, signUpAdministrator } from '#server/testing/app/administrators.ts'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { contractCalls } from '#server/testing/app/contract-calls.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'

const app = await createBuiltApp({ ...ADMIN_ENV, AUTH_ANONYMOUS: 'on' })
after(() => app.close())

let administrator: SignedUp
let creator: SignedUp
before(async () => {
  administrator = await signUpAdministrator(app)
  creator = await app.signUp()
})

const ADMIN_CALLS = contractCalls.filter(([name]) => name.startsWith('admin.'))
const BODIES: Record<string, object> = {
  'admin.invite': { email: 'zoe@exemple.fr' },
  'admin.remove': { email: 'zoe@exemple.fr' },
  'admin.setSignUp': { sign_up_mode: 'closed' },
}

const send = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  authorization: string | undefined,
  body?: object,
) => {
  const reply = await app.raw({
    method,
    url: `/api/v1${path}`,
    headers: { ...(authorization !== undefined && { authorization }) },
    ...(body && { body }),
  })
  const { date: _date, 'x-request-id': _id, ...headers } = reply.headers
  return { status: reply.statusCode, headers, body: reply.body }
}

/** Checks that each call of administrators answers this caller with the bytes of an unknown path. */
const assertUnknown = async (authorization: string | undefined): Promise<void> => {
  for (const [name, { method, path }] of ADMIN_CALLS) {
    const address = path.replace('{accountId}', creator.user_id)
    const body = method === 'GET' ? undefined : (BODIES[name] ?? {})
    const unknown = address.replace('/admin/', '/admim/')
    const answer = await send(method, address, authorization, body)
    assert.equal(answer.status, 404, `${name}: ${answer.body}`)
    assert.deepEqual(answer, await send(method, unknown, authorization, body), name)
  }
}
const bearer = (token: string): string => `Bearer ${token}`

/** Changes the administrator's account by SQL for one check, and restores it afterwards. */
const checkUnknownWith = async (change: string): Promise<void> => {
  const { user_id, email, access_token } = administrator
  await app.pool.query(`update users set ${change} where id = $1`, [user_id])
  await assertUnknown(bearer(access_token))
  await app.pool.query(
    `update users set email = $2, email_confirmed_at = now(), banned_until = null, is_anonymous = false
    where id = $1`,
    [user_id, email],
  )
  await administrator.client.admin.overview()
}

describe('the calls of administrators look like unknown paths', () => {
  test('to a caller without a token', () => assertUnknown(undefined))
  test('to a caller with an invalid token', async () => {
    for (const text of ['Bearer x', 'Bearer qz_abc', 'Basic eDp5', 'é', ''])
      await assertUnknown(text)
  })
  test('to a creator', () => assertUnknown(bearer(creator.access_token)))
  test('to an account whose address was confirmed automatically', async () => {
    const stranger = await app.signUp(ADMIN_EMAILS[1])
    await assertUnknown(bearer(stranger.access_token))
    assert.equal((await stranger.client.preferences.get()).is_administrator, false)
    await stranger.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
  })
  const CHANGES: Record<string, string> = {
    'without a confirmed address': 'email_confirmed_at = null',
    'whose address changed': "email = 'autre@exemple.fr'",
    'whose account became anonymous': 'is_anonymous = true',
    'who was disabled': "banned_until = now() + interval '1 minute'",
  }
  for (const [state, change] of Object.entries(CHANGES))
    test(`to an administrator ${state}`, () => checkUnknownWith(change))
  test('to an administrator who has not shown the second factor', async () => {
    const factor = {
      user_id: administrator.user_id,
      factor_type: 'totp',
      status: 'verified',
    } as const
    const id = '77777777-7777-4777-8777-777777777777'
    await app.db
      .insertInto('mfa_factors')
      .values({ id, ...factor })
      .execute()
    await assertUnknown(bearer(administrator.access_token))
    await app.db
      .insertInto('session_amr')
      .columns(['session_id', 'method'])
      .expression((query) =>
        query
          .selectFrom('sessions')
          .select(['id', ({ val }) => val('totp').as('method')])
          .where('user_id', '=', administrator.user_id),
      )
      .execute()
    await administrator.client.admin.overview()
    await app.db.deleteFrom('mfa_factors').where('id', '=', id).execute()
  })
  test('to the API keys of an administrator', async () => {
    for (const scope of ['lecture', 'écriture'] as const) {
      const body = { name: scope, scope, expires_in_days: 30 as const }
      const { secret } = await administrator.client.apiKeys.create({ body })
      await assertUnknown(bearer(secret))
      await assertUnknown(bearer(`${secret}x`))
    }
  })
  test('to an administrator who signed out', async () => {
    const reply = await app.raw({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      body: { email: administrator.email, password: 'secret1' },
    })
    const { access_token } = reply.json<{ access_token: string }>()
    const headers = { authorization: bearer(access_token) }
    assert.equal((await app.raw({ url: '/api/v1/admin/overview', headers })).statusCode, 200)
    await app.raw({ method: 'POST', url: '/auth/v1/logout?scope=local', headers, body: {} })
    await assertUnknown(bearer(access_token))
  })
})

test('calls of administrators are counted like unknown paths', () => {
  assert.equal(limitClassOf({ access: 'administrator' }), limitClassOf({ access: 'anyone' }))
})

test('other methods and spellings of the paths are unknown to administrators too', async () => {
  const token = bearer(administrator.access_token)
  for (const [method, path] of [
    ['DELETE', '/admin/accounts'],
    ['PUT', '/admin/overview'],
    ['GET', '/admin'],
    ['GET', '/admin/'],
    ['GET', '/admin/overview/'],
    ['GET', '/Admin/overview'],
    ['GET', '/admin/accounts/x'],
  ] as const)
    assert.equal((await send(method, path, token)).status, 404, `${method} ${path}`)
})

test('an administrator sees that the screen exists, and others do not', async () => {
  assert.equal((await administrator.client.preferences.get()).is_administrator, true)
  assert.equal((await creator.client.preferences.get()).is_administrator, false)
})

test('nothing of the refused calls happened', async () => {
  const { accounts } = await administrator.client.admin.overview()
  assert.equal(accounts.sign_up_mode, 'open')
  const { accounts: listed } = await administrator.client.admin.accounts({ search: 'zoe' })
  assert.deepEqual(listed, [])
  await assert.rejects(administrator.client.admin.disable({ accountId: 'x' }), RefusedCall)
})
