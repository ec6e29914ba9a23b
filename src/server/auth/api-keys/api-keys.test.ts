import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import type { KeyScope } from '#domain/accounts/api-key.ts'
import { createApp } from '#server/app.ts'
import { confirmUser } from '#server/auth/accounts/email-accounts.store.ts'
import { forgetUser } from '#server/auth/admin/admin-users.store.ts'
import { openPool } from '#server/db/database.ts'
import { createBackup } from '#server/testing/app/backups.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'

const logged: string[] = []
const answered: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
const app = await createTestApp(
  { LOG_REQUESTS: 'on' },
  { log, onAnswer: (body) => void answered.push(body) },
)
after(() => app.close())

const make = ({ client }: SignedUp, scope: KeyScope = 'lecture') =>
  client.apiKeys.create({ body: { name: 'Tableur', scope, expires_in_days: null } })

/** Returns status and code of a call with this bearer token. */
const ask = async (bearer: string, { app: server }: Pick<typeof app, 'app'> = app) => {
  const headers = { authorization: `Bearer ${bearer}` }
  const reply = await server.inject({ url: '/api/v1/quizzes', headers })
  return [reply.statusCode, reply.statusCode === 200 ? '' : reply.json<{ code: string }>().code]
}
const OPEN = [200, '']
const UNKNOWN = [401, 'unknown_key']

/** Returns the whole database as text. */
const everythingStored = async (): Promise<string> => {
  const { rows: tables } = await app.pool.query(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await app.pool.query(`select t::text as row from ${name} as t`)
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

test('an API key is shown once and is never stored, logged, audited, exported or backed up', async () => {
  const creator = await app.signUp()
  const { key, secret } = await make(creator, 'écriture')
  assert.match(secret, /^qz_[0-9A-Za-z]{40}$/)
  assert.deepEqual(await ask(secret), OPEN)
  assert.deepEqual(await ask(`${secret.slice(0, -1)}é`), [401, 'mistyped_key'])
  const { keys } = await creator.client.apiKeys.list()
  assert.deepEqual(
    keys.map(({ id, name, scope, is_expired }) => ({ id, name, scope, is_expired })),
    [{ id: key.id, name: 'Tableur', scope: 'écriture', is_expired: false }],
  )
  const { api_keys } = await creator.client.account.exportData()
  assert.deepEqual(
    api_keys.map(({ name, scope }) => [name, scope]),
    [['Tableur', 'écriture']],
  )
  assert.equal(answered.filter((body) => body.includes(secret)).length, 1)
  const lines = logged.join('')
  assert.ok(!lines.includes(secret) && lines.includes('api_key_made'))
  // Random part of the key, without prefix and checksum.
  const random = secret.slice(3, 37)
  assert.ok(!(await everythingStored()).includes(random))
  const client = new pg.Client(app.connection)
  await client.connect()
  const backup = await createBackup(client)
  await client.end()
  assert.ok(!backup.includes(random) && backup.includes(key.id))
  await creator.client.apiKeys.revoke({ id: key.id })
  assert.deepEqual((await listAuditEventNames(app, key.id)).slice(-2), [
    'api_key_made écriture',
    'api_key_revoked',
  ])
})

test('invalid input is refused with the name of its field and creates no key', async () => {
  const creator = await app.signUp()
  const good = { name: 'A', scope: 'lecture', expires_in_days: 30 }
  const headers = { authorization: `Bearer ${creator.access_token}` }
  for (const [field, value] of [
    ['name', ''],
    ['name', '  '],
    ['name', 'x'.repeat(101)],
    ['name', 'a\0b'],
    ['scope', 'tout'],
    ['expires_in_days', 31],
    ['expires_in_days', -1],
    ['expires_in_days', '30'],
  ] as const) {
    const body = { ...good, [field]: value }
    const reply = await app.raw({ method: 'POST', url: '/api/v1/account/keys', headers, body })
    assert.equal(reply.statusCode, 422, reply.body)
    assert.match(reply.json<{ error: string }>().error, new RegExp(`« ${field} »`))
  }
  assert.deepEqual((await creator.client.apiKeys.list()).keys, [])
})

test('an account has at most twenty keys, also after concurrent requests', async () => {
  const creator = await app.signUp()
  const made = await Promise.allSettled(Array.from({ length: 25 }, () => make(creator)))
  const refused = made.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 5)
  await refuses(make(creator), 409, 'too_many_keys')
  const { keys } = await creator.client.apiKeys.list()
  assert.equal(keys.length, 20)
  await creator.client.apiKeys.revoke({ id: keys[0]?.id ?? '' })
  assert.ok(await make(creator))
})

test('the last use of a key is updated at most once a minute, and not by refused calls', async () => {
  const creator = await app.signUp()
  const { key, secret } = await make(creator)
  const lastUse = async () => (await creator.client.apiKeys.list()).keys[0]?.last_used_at
  const headers = { authorization: `Bearer ${secret}` }
  const body = { name: 'Non', type: 'quiz' }
  await app.raw({ method: 'POST', url: '/api/v1/quizzes', headers, body })
  assert.equal(await lastUse(), null)
  await Promise.all(Array.from({ length: 10 }, () => ask(secret)))
  const first = await lastUse()
  assert.ok(first)
  await ask(secret)
  assert.equal(await lastUse(), first)
  const earlier = new Date(Date.now() - 61_000)
  await app.db
    .updateTable('api_keys')
    .set({ last_used_at: earlier })
    .where('id', '=', key.id)
    .execute()
  await ask(secret)
  assert.ok(Date.parse((await lastUse()) ?? '') > earlier.getTime())
})

test('a call with a key runs one SQL statement on keys, and a call with a session runs none', async (context) => {
  const creator = await app.signUp()
  const { secret } = await make(creator)
  await ask(secret)
  const nbStatements = async (bearer: string): Promise<string[]> => {
    const query = context.mock.method(pg.Client.prototype, 'query')
    assert.deepEqual(await ask(bearer), OPEN)
    const texts = query.mock.calls.map(({ arguments: [sent] }) =>
      String(typeof sent === 'string' ? sent : (sent as unknown as { text: unknown }).text).trim(),
    )
    query.mock.restore()
    return texts.filter((text) => text !== 'select 1')
  }
  const byKey = await nbStatements(secret)
  const bySession = await nbStatements(creator.access_token)
  assert.equal(byKey.filter((text) => text.includes('api_keys')).length, 1)
  assert.equal(byKey.length, bySession.length)
  assert.ok(!bySession.some((text) => text.includes('api_keys')))
})

test('another process refuses a key as soon as its revocation is answered, even during calls', async () => {
  const database = openPool(app.connection, log)
  const secretKey = app.config.secret_key ?? ''
  const deps = { config: app.config, database, secretKey, log, has_pages: false }
  const other = { app: await createApp(deps) }
  try {
    const creator = await app.signUp()
    const { key, secret } = await make(creator)
    assert.deepEqual(await ask(secret, other), OPEN)
    const during = Array.from({ length: 40 }, () => ask(secret, other))
    await creator.client.apiKeys.revoke({ id: key.id })
    assert.deepEqual(await ask(secret, other), UNKNOWN)
    for (const answer of await Promise.all(during))
      assert.ok([200, 401].includes(Number(answer[0])), String(answer))
    await refuses(creator.client.apiKeys.revoke({ id: key.id }), 404, 'not_found')
  } finally {
    await other.app.close()
    await database.close()
  }
})

describe('an API key whose account changes', () => {
  const suspended = (until: string | null) => ({ banned_until: until })

  test('a key is refused while its account is suspended', async () => {
    const { user_id, ...creator } = await app.signUp()
    const { secret } = await make({ user_id, ...creator })
    const change = (values: { banned_until: string | null }) =>
      app.db.updateTable('users').set(values).where('id', '=', user_id).execute()
    await change(suspended('2999-01-01'))
    assert.deepEqual(await ask(secret), [401, 'blocked_account'])
    await change(suspended(null))
    assert.deepEqual(await ask(secret), OPEN)
  })

  test('a key is refused after its account is deleted, softly or completely', async () => {
    const [one, two] = [await app.signUp(), await app.signUp()]
    const [first, second] = [await make(one), await make(two)]
    await one.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
    assert.deepEqual(await ask(first.secret), UNKNOWN)
    await forgetUser(app.db, two.user_id)
    assert.deepEqual(await ask(second.secret), UNKNOWN)
  })

  test('a key is refused after another person proves that they own the email address', async () => {
    const creator = await app.signUp()
    const { secret } = await make(creator)
    await confirmUser(app.db, creator.user_id, { proven_by: 'mail', drops_password: true })
    assert.deepEqual(await ask(secret), UNKNOWN)
  })

  test('a key stays valid after a password change and a sign-out of all sessions', async () => {
    const creator = await app.signUp()
    const { secret } = await make(creator)
    const headers = { authorization: `Bearer ${creator.access_token}` }
    const body = { password: 'un autre secret', current_password: 'secret1' }
    const changed = await app.raw({ method: 'PUT', url: '/auth/v1/user', headers, body })
    assert.equal(changed.statusCode, 200, changed.body)
    const url = '/auth/v1/logout?scope=global'
    assert.equal((await app.raw({ method: 'POST', url, headers })).statusCode, 204)
    assert.equal((await ask(creator.access_token))[0], 401)
    assert.deepEqual(await ask(secret), OPEN)
  })
})

describe('an API key in a request', () => {
  test('a key in a query parameter, a cookie or another header is refused', async () => {
    const { secret } = await make(await app.signUp())
    for (const [url, headers] of [
      [`/api/v1/quizzes?api_key=${secret}`, {}],
      [`/api/v1/quizzes?access_token=${secret}`, {}],
      ['/api/v1/quizzes', { 'x-api-key': secret }],
      ['/api/v1/quizzes', { cookie: `access_token=${secret}` }],
      ['/api/v1/quizzes', { authorization: secret }],
      ['/api/v1/quizzes', { authorization: `Basic ${secret}` }],
    ] as const)
      assert.equal((await app.raw({ url, headers })).statusCode, 401, url)
  })

  test('CORS does not let pages of other sites send a key', async () => {
    const { secret } = await make(await app.signUp())
    const origin = 'https://ailleurs.example'
    const asked = await app.raw({
      method: 'OPTIONS',
      url: '/api/v1/quizzes',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    const sent = await app.raw({
      url: '/api/v1/quizzes',
      headers: { origin, authorization: `Bearer ${secret}` },
    })
    for (const { headers } of [asked, sent])
      assert.equal(headers['access-control-allow-origin'], undefined)
    assert.ok(asked.statusCode >= 400)
  })
})
