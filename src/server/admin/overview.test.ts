import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import type { DescribedError } from '#server/error-reports/describe-error.ts'
import { createRecentErrors } from '#server/error-reports/recent-errors.ts'
import { createLog } from '#server/runtime/log.ts'
import { RELEASE } from '#server/runtime/release.ts'
import { ADMIN_EMAILS, ADMIN_ENV, signUpAdministrator } from '#server/testing/app/administrators.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { countAccounts } from './accounts.store.ts'
import { compareSchemas } from './read-overview.ts'

const app = await createTestApp(ADMIN_ENV)
after(() => app.close())
let administrator: SignedUp
before(async () => {
  administrator = await signUpAdministrator(app)
})
const overview = () => administrator.client.admin.overview()

describe('the overview of an installation', () => {
  test('the overview names the versions and the health of the process and its database', async () => {
    const { versions, health, accounts, mails, has_accounts } = await overview()
    assert.equal(`quizaine@${versions.quizaine}`, RELEASE)
    assert.equal(versions.node, process.versions.node)
    assert.match(versions.postgresql, /^\d\d/)
    assert.equal(versions.schema, versions.known_schema)
    assert.equal(versions.schema_state, 'same')
    assert.deepEqual([health.is_ready, health.worker], [true, 'separate'])
    assert.ok(health.disk === null || health.disk.free_bytes <= health.disk.size_bytes)
    assert.deepEqual(accounts, { nb_accounts: 1, is_estimate: false, sign_up_mode: 'open' })
    assert.deepEqual([mails.has_mail_server, has_accounts], [false, true])
  })

  test('the schema of a database is compared by the number of its last migration', () => {
    assert.equal(compareSchemas('013_a.sql', '012_b.sql'), 'newer')
    assert.equal(compareSchemas('012_b.sql', '013_a.sql'), 'older')
    assert.equal(compareSchemas('012_b.sql', '012_b.sql'), 'same')
  })

  test('deliveries are counted by tool, with the one that waits longest', async () => {
    assert.deepEqual((await overview()).queues, [])
    const { id } = await publishedScoreQuiz(administrator.client)
    await app.pool.query(
      `insert into deliveries (quiz_id, participant_uuid, provider, connection_id, status, created_at, next_attempt_at)
      select $1, gen_random_uuid(), 'brevo', $2, status, now(), due
      from (values ('pending', '2026-01-01T00:00:00Z'::timestamptz), ('pending', now() + interval '1 hour'),
        ('refused', null), ('delivered', null)) as rows(status, due)`,
      [id, randomUUID()],
    )
    assert.deepEqual((await overview()).queues, [
      {
        provider: 'brevo',
        nb_waiting: 2,
        nb_delayed: 1,
        nb_failed: 1,
        oldest_due_at: '2026-01-01T00:00:00.000Z',
      },
    ])
  })

  test('the last backup is the last event of the audit log about one', async () => {
    assert.equal((await overview()).last_backup_at, null)
    await app.pool.query(
      "insert into audit_events (at, event) values ('2026-03-01T10:00:00Z', 'backup_written'), ('2026-03-08T10:00:00Z', 'backup_written')",
    )
    assert.equal((await overview()).last_backup_at, '2026-03-08T10:00:00.000Z')
  })

  test('reading is not recorded in the audit log', async () => {
    const count = async () =>
      (await app.pool.query('select count(*) as count from audit_events')).rows[0]?.count
    const before = await count()
    await overview()
    await administrator.client.admin.storage()
    await administrator.client.admin.accounts({})
    assert.equal(await count(), before)
  })

  test('no answer has a reply, a result or an address of a participant', async () => {
    const quiz = await publishedScoreQuiz(administrator.client, 'Nom du quiz')
    const { id, question_id, answer_ids, open_id } = quiz
    const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: 'participante@exemple.fr' }
    await app.client.publicQuiz.submit({ id, body: { answers, participant_uuid: randomUUID() } })
    const headers = { authorization: `Bearer ${administrator.access_token}` }
    for (const path of ['overview', 'storage', 'accounts']) {
      const { body, statusCode } = await app.raw({ url: `/api/v1/admin/${path}`, headers })
      assert.equal(statusCode, 200)
      assert.doesNotMatch(body, /participante|Rempli|Pas à pas|Nom du quiz/, path)
    }
  })
})

describe('the size of an installation', () => {
  test('the used space, its largest creators and the limits are named', async () => {
    const fresh = await createTestApp(ADMIN_ENV)
    after(() => fresh.close())
    const { client } = await signUpAdministrator(fresh)
    const creators = [await fresh.signUp(), await fresh.signUp()]
    for (const [index, { user_id: creator_id }] of creators.entries()) {
      const image = { id: randomUUID(), creator_id, width: 1, height: 1, color: '#fff' }
      await fresh.db
        .insertInto('images')
        .values({ ...image, bytes: 1_000_000 * (index + 1) })
        .execute()
    }
    const quiz = await publishedScoreQuiz(creators[0]?.client ?? client)
    const storage = await client.admin.storage()
    assert.ok(storage.database_bytes > storage.images_bytes + storage.versions_bytes)
    assert.ok(storage.images_bytes > 0 && storage.versions_bytes > 0 && quiz.id)
    assert.equal(storage.image_quota_bytes, fresh.config.image_quota)
    assert.equal(storage.version_quota_bytes, fresh.config.version_quota)
    const [largest, second] = storage.largest ?? []
    assert.deepEqual([largest?.email, largest?.bytes], [creators[1]?.email, 2_000_000])
    assert.equal(second?.email, creators[0]?.email)
    assert.ok((second?.bytes ?? 0) > 1_000_000)
  })

  test('more than ten thousand accounts are estimated', async () => {
    await app.pool.query(
      "insert into users (id, email) select gen_random_uuid(), n || '@many.example' from generate_series(1, 10050) as n",
    )
    await app.pool.query('analyze users')
    const { nb_accounts, is_estimate } = await countAccounts(app.db)
    assert.ok(is_estimate && nb_accounts > 10_000)
    // The deletion reaches every table, which takes long on a busy machine.
    await app.pool.query(
      "begin; set local statement_timeout = 0; delete from users where email like '%@many.example'; commit",
    )
  })
})

test('the start warns once while addresses of administrators are unproven, without naming them', async () => {
  const lines: string[] = []
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const started = await createTestApp(ADMIN_ENV, {
    log: createLog({ log_level: 'warn' }, { destination }),
  })
  await started.close()
  const warnings = lines.filter((line) => line.includes('ADMIN_EMAILS'))
  assert.equal(warnings.length, 1)
  assert.equal(JSON.parse(warnings[0] ?? '{}').nb_unproven, ADMIN_EMAILS.length)
  assert.ok(!lines.join('').includes(ADMIN_EMAILS[0]))
})

test('the last errors are bounded in number and bytes and have no message of an error', () => {
  const described: Omit<DescribedError, 'text'> = {
    where: 'server',
    type: 'TypeError',
    code: '23505',
    screen: null,
    script: null,
    frames: [],
  }
  const recent = createRecentErrors(() => new Date(0))
  for (let index = 0; index < 60; index += 1)
    recent.add({ ...described, text: `request ${index} failed` }, undefined)
  assert.equal(recent.list().length, 50)
  assert.equal(recent.list()[0]?.text, 'request 59 failed')
  for (let index = 0; index < 60; index += 1)
    recent.add({ ...described, text: 'é'.repeat(10_000) }, 'a'.repeat(32))
  const listed = recent.list()
  assert.ok(Buffer.byteLength(JSON.stringify(listed)) <= 33_000)
  assert.ok(listed.length > 10 && listed.every(({ text }) => text.length <= 300))
})
