import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '#server/testing/app/test-app.ts'

const t = await createTestApp()
after(() => t.close())

type Tokens = { access_token: string; refresh_token: string }

let accounts = 0
const signUp = async (): Promise<Tokens> => {
  accounts += 1
  const reply = await t.app.inject({
    method: 'POST',
    url: '/auth/v1/signup',
    body: { email: `createur${accounts}@example.org`, password: 'secret1' },
  })
  assert.equal(reply.statusCode, 200)
  return reply.json<Tokens>()
}

const post = async (refresh_token: unknown) => {
  const reply = await t.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=refresh_token',
    headers: { 'x-supabase-api-version': '2024-01-01' },
    body: { refresh_token },
  })
  return {
    status: reply.statusCode,
    body: reply.json<Tokens & { code?: string; message?: string }>(),
  }
}

/** Refreshes successfully and returns the new refresh token. */
const refreshed = async (token: string): Promise<string> => {
  const { status, body } = await post(token)
  assert.equal(status, 200)
  return body.refresh_token
}

const refusal = async (token: unknown) => {
  const { status, body } = await post(token)
  return [status, body.code]
}

const getUser = async (access_token: string): Promise<number> => {
  const reply = await t.app.inject({
    url: '/auth/v1/user',
    headers: { authorization: `Bearer ${access_token}` },
  })
  return reply.statusCode
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()
/** Sets the replacement of a token to three days ago. */
const ageReplacement = (token: string) =>
  t.db
    .updateTable('refresh_tokens')
    .set({ revoked_at: sql`now() - interval '3 days'` })
    .where('token_hash', '=', hashOf(token))
    .execute()

test('twenty concurrent refreshes of one token return the same new token', async () => {
  const { refresh_token } = await signUp()
  const all = await Promise.all(Array.from({ length: 20 }, () => post(refresh_token)))
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]))
  const [next, ...others] = new Set(all.map(({ body }) => body.refresh_token))
  assert.deepEqual(others, [])
  const valid = await t.db
    .selectFrom('refresh_tokens')
    .select('token_hash')
    .where('revoked_at', 'is', null)
    .where('session_id', 'in', (query) =>
      query
        .selectFrom('refresh_tokens as used')
        .select('used.session_id')
        .where('used.token_hash', '=', hashOf(refresh_token)),
    )
    .execute()
  assert.deepEqual(valid, [{ token_hash: hashOf(next ?? '') }])
})

test('a replaced token of any age returns its successor while the successor is unused', async () => {
  const { refresh_token } = await signUp()
  const next = await refreshed(refresh_token)
  await ageReplacement(refresh_token)
  assert.equal(await refreshed(refresh_token), next)
  assert.equal(await refreshed(refresh_token), next)
  assert.notEqual(await refreshed(next), next)
})

test('a token replaced a moment ago is accepted even after several further refreshes', async () => {
  const { refresh_token } = await signUp()
  const third = await refreshed(await refreshed(await refreshed(refresh_token)))
  assert.equal(await refreshed(refresh_token), third)
})

test('the use of an old token ends the session and its access token', async () => {
  const { refresh_token, access_token } = await signUp()
  const second = await refreshed(refresh_token)
  const third = await refreshed(second)
  await ageReplacement(refresh_token)
  assert.equal(await getUser(access_token), 200)
  assert.deepEqual(await refusal(refresh_token), [400, 'refresh_token_already_used'])
  assert.deepEqual(await refusal(third), [400, 'refresh_token_not_found'])
  assert.deepEqual(await refusal(second), [400, 'refresh_token_not_found'])
  assert.equal(await getUser(access_token), 403)
})

test('concurrent use of an old and the valid token ends the session', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { refresh_token, access_token } = await signUp()
    const valid = await refreshed(await refreshed(refresh_token))
    await ageReplacement(refresh_token)
    const calls = [refresh_token, ...Array<string>(6).fill(valid)]
    const all = await Promise.all(calls.map(post))
    assert.equal(all[0]?.body.code, 'refresh_token_already_used')
    const given = all.map(({ body }) => body.refresh_token).filter(Boolean)
    for (const token of [valid, ...given])
      assert.deepEqual(await refusal(token), [400, 'refresh_token_not_found'])
    assert.equal(await getUser(access_token), 403)
  }
})

test('the use of an old token does not end another session of the user', async () => {
  const { refresh_token } = await signUp()
  const reply = await t.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    body: { email: `createur${accounts}@example.org`, password: 'secret1' },
  })
  const other = reply.json<Tokens>()
  await refreshed(await refreshed(refresh_token))
  await ageReplacement(refresh_token)
  assert.deepEqual(await refusal(refresh_token), [400, 'refresh_token_already_used'])
  assert.notEqual(await refreshed(other.refresh_token), other.refresh_token)
})

test('a session ends 30 days after its last refresh and 90 days after its sign-in', async () => {
  const age = (column: 'created_at' | 'refreshed_at', token: string, days: number) =>
    t.db
      .updateTable('sessions')
      .set({ [column]: sql`now() - make_interval(days => ${days})` })
      .where('id', 'in', (query) =>
        query
          .selectFrom('refresh_tokens')
          .select('session_id')
          .where('token_hash', '=', hashOf(token)),
      )
      .execute()
  const idle = await signUp()
  await age('refreshed_at', idle.refresh_token, 29)
  const next = await refreshed(idle.refresh_token)
  await age('refreshed_at', next, 31)
  assert.deepEqual(await refusal(next), [400, 'session_expired'])

  const old = await signUp()
  await age('created_at', old.refresh_token, 91)
  assert.deepEqual(await refusal(old.refresh_token), [400, 'session_expired'])
  assert.deepEqual(await refusal(old.refresh_token), [400, 'refresh_token_not_found'])
})

test('malformed and unknown tokens are refused with 400 and different error codes', async () => {
  const { status, body } = await post('invalid-refresh-token')
  assert.deepEqual([status, body.code], [400, 'validation_failed'])
  assert.match(body.message ?? '', /Refresh token is not valid/)
  assert.deepEqual(await refusal(undefined), [400, 'validation_failed'])
  assert.deepEqual(await refusal(null), [400, 'validation_failed'])
  assert.deepEqual(await refusal(7), [400, 'bad_json'])
  assert.deepEqual(await refusal('A'.repeat(43)), [400, 'refresh_token_not_found'])
  assert.match((await post('A'.repeat(43))).body.message ?? '', /Invalid Refresh Token/)
})

test('a refresh token has 256 bits and cannot be read from the database', async () => {
  const { refresh_token } = await signUp()
  assert.match(refresh_token, /^[A-Za-z0-9_-]{43}$/)
  const rows = await t.db.selectFrom('refresh_tokens').selectAll().execute()
  assert.ok(rows.some(({ token_hash }) => token_hash.equals(hashOf(refresh_token))))
  assert.ok(!JSON.stringify(rows).includes(refresh_token))
})
