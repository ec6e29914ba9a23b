import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { pino } from 'pino'
import { createVault } from '#server/runtime/sealing.ts'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import { createIntegrations, type Integrations } from './create-integrations.ts'

const t = await createIntegrationsApp()
after(() => t.close())
afterEach(() => t.kit.heal())

const SECRET = 'a secret that only tests know of'
/** Returns the integrations of another process on the same database. */
const anotherProcess = (): Integrations =>
  createIntegrations({
    db: t.db,
    config: t.config,
    secretKey: SECRET,
    log: pino({ level: 'silent' }),
  })
const first = anotherProcess()
const refreshes = () =>
  t.kit.journal.filter(
    ({ path, body }) => path.endsWith('/token') && body.includes('refresh_token'),
  ).length

const connectedId = async (creator: SignedUp): Promise<string> => {
  await t.connectKit(creator)
  const { rows } = await t.pool.query<{ id: string }>(
    'select id from integration_connections where user_id = $1',
    [creator.user_id],
  )
  return rows[0]?.id ?? ''
}
/** Sets the expiry of the stored token to the near future. */
const letExpire = (id: string, left = '1 minute') =>
  t.pool.query(
    `update integration_connections set token_expires_at = now() + $2::interval where id = $1`,
    [id, left],
  )
const tokenOf = async (integrations: Integrations, id: string, refused?: string) => {
  const opened = await integrations.openConnection(id, refused)
  assert.ok(opened.kind === 'open', JSON.stringify(opened))
  return opened.connection.secret
}

describe('a connection to Kit', () => {
  test('a connection to Kit is opened without a call while its token is valid', async () => {
    const id = await connectedId(await t.signUp())
    const before = refreshes()
    assert.equal(await tokenOf(first, id), await tokenOf(anotherProcess(), id))
    assert.equal(refreshes(), before)
  })

  test('a connection to Kit is refreshed once for all concurrent callers', async () => {
    const id = await connectedId(await t.signUp())
    await letExpire(id)
    const before = refreshes()
    const tokens = await Promise.all(Array.from({ length: 10 }, () => tokenOf(first, id)))
    assert.equal(new Set(tokens).size, 1)
    assert.equal(refreshes(), before + 1)
    assert.equal((await first.providers.convertkit.check(tokens[0] ?? '')).kind, 'valid')
  })

  test('one of two processes refreshes a connection to Kit, and the other uses the old token for a moment', async () => {
    const id = await connectedId(await t.signUp())
    await letExpire(id)
    const before = refreshes()
    await Promise.all([tokenOf(first, id), tokenOf(anotherProcess(), id)])
    assert.equal(refreshes(), before + 1)
  })

  test('a connection to Kit is refreshed after a 401, unless another process has already done so', async () => {
    const id = await connectedId(await t.signUp())
    const old = await tokenOf(first, id)
    const renewed = await tokenOf(first, id, old)
    assert.notEqual(renewed, old)
    const before = refreshes()
    assert.equal(await tokenOf(anotherProcess(), id, old), renewed)
    assert.equal(refreshes(), before)
  })

  test('a connection to Kit uses the old token while Kit cannot refresh, and waits after its expiry', async () => {
    const id = await connectedId(await t.signUp())
    await letExpire(id)
    t.kit.fail({ path: '/v4/oauth/token', status: 503, mode: 'before', times: 2 })
    const old = await tokenOf(first, id)
    await letExpire(id, '-1 minute')
    assert.equal((await first.openConnection(id)).kind, 'transient')
    assert.notEqual(await tokenOf(first, id), old)
  })

  test('a connection to Kit with a lost refresh needs its creator, and works again after a new connection', async () => {
    const creator = await t.signUp()
    const id = await connectedId(creator)
    await letExpire(id, '-1 minute')
    t.kit.fail({ path: '/v4/oauth/token', mode: 'after' })
    assert.equal((await first.openConnection(id)).kind, 'transient')
    const lost = { kind: 'credential', code: 'reconnect', needs_reconnect: true }
    assert.deepEqual(await first.openConnection(id), lost)
    const before = refreshes()
    assert.deepEqual(await first.openConnection(id), lost)
    assert.equal(refreshes(), before)
    const status = await creator.client.integrations.kitStatus()
    assert.deepEqual(
      [status.connected, status.message],
      [true, 'Reconnectez Kit : l’autorisation a expiré ou a été retirée.'],
    )
    assert.equal(await connectedId(creator), id)
    assert.equal((await creator.client.integrations.kitStatus()).needs_attention, false)
    await tokenOf(first, id)
  })

  test('a wrong configuration of this server does not block a connection to Kit', async () => {
    const creator = await t.signUp()
    const id = await connectedId(creator)
    const old = await tokenOf(first, id)
    t.kit.fail({
      path: '/v4/oauth/token',
      status: 401,
      body: { error: 'invalid_client' },
      mode: 'before',
    })
    const outcome = await first.openConnection(id, old)
    assert.deepEqual(
      [outcome.kind, 'code' in outcome && outcome.code],
      ['transient', 'invalid_client'],
    )
    assert.equal((await creator.client.integrations.kitStatus()).needs_attention, false)
  })

  test('a refused call to Kit is repeated once after a refresh', async () => {
    const id = await connectedId(await t.signUp())
    t.kit.endAccess()
    const outcome = await first.use(id, (connection, provider) => provider.check(connection.secret))
    assert.equal(outcome.kind, 'valid')
    t.kit.uninstall()
    const ended = await first.use(id, (connection, provider) => provider.check(connection.secret))
    assert.equal(ended.kind, 'credential')
  })
})

describe('a stored secret', () => {
  test('a stored secret opens only in its own row', async () => {
    const mine = await t.signUp()
    const theirs = await t.signUp()
    for (const { client } of [mine, theirs])
      await client.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
    await t.pool.query(
      `update integration_connections set sealed_secret =
        (select sealed_secret from integration_connections where user_id = $1)
       where user_id = $2`,
      [mine.user_id, theirs.user_id],
    )
    const { rows } = await t.pool.query<{ id: string }>(
      'select id from integration_connections where user_id = any($1) order by user_id = $2',
      [[mine.user_id, theirs.user_id], theirs.user_id],
    )
    assert.equal((await first.openConnection(rows[0]?.id ?? '')).kind, 'open')
    assert.deepEqual(await first.openConnection(rows[1]?.id ?? ''), {
      kind: 'credential',
      code: 'invalid_key',
      needs_reconnect: true,
    })
    assert.equal((await theirs.client.integrations.brevoStatus()).needs_attention, true)
  })

  test('a stored secret does not open under another version of its row', () => {
    const vault = createVault(SECRET)
    const row = { id: 'i', user_id: 'u', provider: 'brevo', key_version: 1 } as const
    const sealed = vault.seal(row, 'key')
    assert.equal(vault.open(row, sealed), 'key')
    assert.throws(() => vault.open({ ...row, key_version: 2 }, sealed))
    assert.throws(() => createVault('another secret').open(row, sealed))
  })
})
