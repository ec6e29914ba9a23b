import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { applyRetention } from '#server/statistics/participants/retention.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { databaseUrl } from '#server/testing/server-process.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { insertAuditEvents, listAuditEvents } from './audit-events.store.ts'
import { createAuditLog, newAuditRow } from './audit-log.ts'

const app = await createTestApp()
after(() => app.close())
const run = promisify(execFile)
const ALL = { since: new Date(0), event: null, actor_id: null, email_hmac: null, limit: 10_000 }

describe('recorded events', () => {
  test('an audit event can be neither changed nor deleted', async () => {
    await app.signUp()
    const before = await listAuditEvents(app.pool, ALL)
    assert.equal(before.length, 1)
    for (const statement of [
      "update audit_events set event = 'sign_in'",
      'delete from audit_events',
      'truncate audit_events',
    ])
      await assert.rejects(app.pool.query(statement), /cannot be changed/)
    assert.deepEqual(await listAuditEvents(app.pool, ALL), before)
  })

  test('audit events are deleted after twelve months', async () => {
    const at = (months: string) =>
      app.pool
        .query<{ at: string }>('select now() - $1::interval as at', [months])
        .then(({ rows }) => rows[0]?.at ?? '')
    const old = { ...newAuditRow('secrets_rotated'), at: await at('12 months 1 day') }
    const young = { ...newAuditRow('backup_written'), at: await at('11 months 29 days') }
    await insertAuditEvents(app.pool, [old, young])
    await applyRetention(app.db)
    const left = (await listAuditEvents(app.pool, ALL)).map(({ event }) => event)
    assert.deepEqual(left, ['backup_written', 'sign_in'])
  })

  test('an event is refused unless it has a known name and no full address', async () => {
    const wrong = [
      { ...newAuditRow('sign_in'), address: '203.0.113.7/24' },
      { ...newAuditRow('sign_in'), detail: 'x'.repeat(101) },
      { ...newAuditRow('sign_in'), email_hmac: 'camille@exemple.fr' },
    ]
    for (const row of wrong) await assert.rejects(insertAuditEvents(app.pool, [row]))
  })
})

describe('the audit while the database is unreachable', () => {
  testInAll(
    'an unreachable database gets the events when it returns, and the log gets them immediately',
    async () => {
      const lines: string[] = []
      const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
      let isAway = true
      const auditLog = createAuditLog(
        {
          query: (text, values) =>
            isAway ? Promise.reject(new Error('away')) : app.pool.query(text, values),
        },
        { secretKey: 'key', log },
      )
      const noted = auditLog.note('responses_expired', { detail: '3' })
      assert.ok(lines.some((line) => line.includes('"responses_expired"')))
      isAway = false
      await noted
      await auditLog.close()
      const rows = await listAuditEvents(app.pool, { ...ALL, event: 'responses_expired' })
      assert.deepEqual(
        rows.map(({ detail }) => detail),
        ['3'],
      )
    },
  )

  testInAll('an unreachable database never blocks a sign-in', async () => {
    const other = await createTestApp()
    const { email } = await other.signUp()
    await other.pool.query('alter table audit_events rename to elsewhere')
    const reply = await other.raw({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      body: { email, password: 'secret1' },
    })
    assert.equal(reply.statusCode, 200)
    await other.pool.query('alter table elsewhere rename to audit_events')
    await other.close()
  })
})

test('a submission records no event', async () => {
  const rows = await listAuditEventNames(app, '00000000-0000-4000-8000-000000000000')
  assert.deepEqual(rows, [])
  const { statusCode } = await app.raw({
    method: 'POST',
    url: '/api/v1/quizzes/00000000-0000-4000-8000-000000000000/submit',
    body: { answers: {} },
  })
  assert.equal(statusCode, 404)
  const last = (await listAuditEvents(app.pool, ALL)).map(({ detail }) => detail ?? '')
  assert.ok(!last.some((detail) => detail.includes('submit')))
})

testInAll('starts, stops and commands are recorded, and operators can list them', async (t) => {
  const root = join(import.meta.dirname, '../../..')
  const served = await createTestApp()
  t.after(() => served.close())
  const { user_id, email } = await served.signUp()
  const env = {
    PATH: String(root),
    DATABASE_URL: databaseUrl(served.connection),
    SECRET_KEY: 'a secret that only tests know of',
    LOG_LEVEL: 'silent',
    DATA_DIR: served.config.data_dir,
  }
  const script = (name: string, ...args: string[]) =>
    run(process.execPath, [`scripts/${name}.ts`, ...args], { cwd: root, env })
  const file = `${served.config.data_dir}.backup`
  await script('backup', file)
  const OLD_SECRET_KEY = env.SECRET_KEY
  const rotated = { ...env, OLD_SECRET_KEY, SECRET_KEY: 'another secret that only tests know of' }
  await run(process.execPath, ['scripts/secrets-rotate.ts'], { cwd: root, env: rotated })
  const { stdout } = await script('audit-log', '--since', '1h')
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { at: string; event: string; actor_id: string | null })
  assert.deepEqual(
    lines.map(({ event }) => event),
    ['sign_in', 'backup_written', 'secrets_rotated'],
  )
  assert.match(lines[0]?.at ?? '', /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
  assert.equal(lines[0]?.actor_id, user_id)
  const { stdout: found } = await script('audit-log', '--email', email, '--event', 'sign_in')
  assert.equal(found.trim().split('\n').length, 1)
  const { stdout: none } = await script('audit-log', '--email', 'autre@exemple.fr')
  assert.equal(none, '')
  await assert.rejects(script('audit-log', '--event', 'nonsense'))
  await assert.rejects(script('audit-log', '--since', 'hier'))
  await rm(file, { force: true })
})
