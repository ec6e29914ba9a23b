import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'

// Runs in test:all, because it repeats a flow of links and addresses in many orders.

// A trigger raises the errors of a conflict between two transactions. A sequence counts the errors, because a rollback
// does not reset a sequence.
const t = await createTestApp()
after(() => t.close())
const PASSWORD = 'secret1'
const CODES = ['40001', '40P01']

await t.pool.query('create sequence collisions')
const TABLES = ['users', 'sessions', 'refresh_tokens', 'mfa_factors']

/** Makes the next writes to a table fail with this SQL error code. */
const collide = async (table: string, times: number, code: string): Promise<void> => {
  await t.pool.query(`
    alter sequence collisions restart;
    create or replace function collide() returns trigger language plpgsql as $$
    begin
      if nextval('collisions') <= ${times} then raise exception 'met' using errcode = '${code}'; end if;
      return coalesce(new, old);
    end $$;
    create trigger collide before insert or update or delete on ${table}
      for each row execute function collide()`)
}
afterEach(async () => {
  for (const table of TABLES) await t.pool.query(`drop trigger if exists collide on ${table}`)
})

type Creator = Awaited<ReturnType<typeof signUp>>
const signUp = async () => {
  const email = `${randomUUID()}@exemple.fr`
  const { body } = await call('POST', '/signup', { email, password: PASSWORD })
  const { access_token, refresh_token, user } = body
  return { email, access_token, refresh_token, user_id: user.id }
}
const call = async (method: 'POST' | 'PUT', path: string, body: object, access_token?: string) => {
  const headers = access_token ? { authorization: `Bearer ${access_token}` } : {}
  const reply = await t.raw({ method, url: `/auth/v1${path}`, headers, body })
  return {
    status: reply.statusCode,
    retry_after: reply.headers['retry-after'],
    body: reply.body === '' ? undefined : reply.json(),
  }
}

const rowsOf = async (): Promise<number[]> => {
  const counts = TABLES.map((table) => `select count(*)::integer as count from ${table}`)
  const { rows } = await t.pool.query<{ count: number }>(counts.join(' union all '))
  return rows.map(({ count }) => count)
}

type Case = [
  what: string,
  table: string,
  status: number,
  make: (creator: Creator) => ReturnType<typeof call>,
]
const cases: Case[] = [
  ['a sign-up', 'sessions', 200, () => call('POST', '/signup', newAccount())],
  [
    'a sign-in',
    'sessions',
    200,
    ({ email }) => call('POST', '/token?grant_type=password', { email, password: PASSWORD }),
  ],
  [
    'a refresh',
    'refresh_tokens',
    200,
    ({ refresh_token }) => call('POST', '/token?grant_type=refresh_token', { refresh_token }),
  ],
  [
    'a change of password',
    'users',
    200,
    ({ access_token }) => call('PUT', '/user', { password: 'another-secret-1' }, access_token),
  ],
  [
    'a second factor',
    'mfa_factors',
    200,
    ({ access_token }) => call('POST', '/factors', { factor_type: 'totp' }, access_token),
  ],
  [
    'a sign-out',
    'sessions',
    204,
    ({ access_token }) => call('POST', '/logout?scope=local', {}, access_token),
  ],
]
const newAccount = () => ({ email: `${randomUUID()}@exemple.fr`, password: PASSWORD })

for (const [what, table, status, make] of cases)
  describe(`${what} that conflicts with another transaction`, () => {
    for (const code of CODES) {
      test(`${what} succeeds at the third attempt if its transaction conflicts twice (${code})`, async () => {
        const creator = await signUp()
        await collide(table, 2, code)
        assert.equal((await make(creator)).status, status)
      })
      test(`${what} answers 503 if its transaction conflicts three times, writes nothing, and can be repeated (${code})`, async () => {
        const creator = await signUp()
        const before = await rowsOf()
        await collide(table, 3, code)
        const refused = await make(creator)
        assert.equal(refused.status, 503)
        assert.ok(Number(refused.retry_after) > 0)
        assert.equal(refused.body.error_code, 'unexpected_failure')
        assert.doesNotMatch(JSON.stringify(refused.body), /met|40001|40P01|transaction/)
        assert.deepEqual(await rowsOf(), before)
        assert.equal((await make(creator)).status, status)
      })
    }
  })

test('concurrent calls that end each other’s sessions are all answered', async () => {
  const { email, access_token } = await signUp()
  const others = await Promise.all(
    Array.from({ length: 6 }, () =>
      call('POST', '/token?grant_type=password', { email, password: PASSWORD }),
    ),
  )
  const tokens = [access_token, ...others.map(({ body }) => body.access_token)]
  const answers = await Promise.all(
    tokens.map((token) => call('POST', '/logout?scope=others', {}, token)),
  )
  for (const { status } of answers) assert.ok([204, 401, 403].includes(status), String(status))
  assert.ok(answers.some(({ status }) => status === 204))
})
