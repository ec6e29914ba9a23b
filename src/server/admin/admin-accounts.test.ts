import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { ADMIN_EMAILS, ADMIN_ENV, signUpAdministrator } from '#server/testing/app/administrators.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createTestApp(ADMIN_ENV)
after(() => app.close())

let administrator: SignedUp
let other: SignedUp
before(async () => {
  administrator = await signUpAdministrator(app)
  other = await signUpAdministrator(app, ADMIN_EMAILS[1])
})

const refusal = (status: number, code: string) => (error: unknown) => {
  const refused = error as { status: number; code: string }
  assert.deepEqual([refused.status, refused.code], [status, code])
  return true
}
const signIn = (email: string) =>
  app.raw({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    body: { email, password: 'secret1' },
  })
const find = async (search: string) => {
  const { accounts } = await administrator.client.admin.accounts({ search })
  return accounts[0]
}

describe('the list of accounts', () => {
  test('an account is listed with its quizzes and participants', async () => {
    const { client, email, user_id } = await app.signUp()
    const quiz = await publishedScoreQuiz(client)
    await client.quizzes.create({ body: { name: 'Brouillon', type: 'quiz' } })
    await app.db
      .updateTable('quiz_versions')
      .set({ nb_responses: 7 })
      .where('quiz_id', '=', quiz.id)
      .execute()
    const account = await find(email)
    assert.ok(account)
    assert.deepEqual(
      [account.id, account.email, account.nb_quizzes, account.nb_participants],
      [user_id, email, 2, 7],
    )
    assert.ok(account.last_sign_in_at && account.is_confirmed)
    assert.equal(account.is_disabled || account.is_administrator, false)
    assert.equal((await find(administrator.email))?.is_administrator, true)
  })

  test('pages of fifty accounts follow each other in both orders without gaps', async () => {
    await app.pool.query(`
      insert into users (id, email, created_at, last_sign_in_at)
      select gen_random_uuid(), 'page' || n || '@pages.example', now() - (n / 10) * interval '1 microsecond',
        case when n % 3 > 0 then now() - (n / 20) * interval '1 microsecond' end
      from generate_series(1, 120) as n`)
    for (const order of ['created', 'signed_in'] as const) {
      const emails: string[] = []
      const sizes: number[] = []
      let after: string | undefined
      do {
        const query = { order, search: '@pages.example', ...(after && { after }) }
        const page = await administrator.client.admin.accounts(query)
        emails.push(...page.accounts.map(({ email }) => email ?? ''))
        sizes.push(page.accounts.length)
        after = page.next ?? undefined
      } while (after)
      assert.deepEqual(sizes, [50, 50, 20])
      assert.equal(new Set(emails).size, 120)
    }
    await app.pool.query("delete from users where email like '%@pages.example'")
  })

  test('a search text is never a pattern and never changes the query', async () => {
    const email = `100%_off-${randomUUID()}@example.org`
    await app.signUp(email)
    assert.equal((await find('100%_off'))?.email, email)
    for (const search of [
      '%',
      '_____',
      '100_off',
      "' or 1=1 --",
      "'; drop table users; --",
      '\\',
      '😀',
      'a'.repeat(254),
    ]) {
      const { accounts } = await administrator.client.admin.accounts({ search })
      const isFound = search === '%'
      assert.equal(accounts.length, isFound ? 1 : 0, search)
    }
    for (const query of [
      `search=${'a'.repeat(255)}`,
      'search=%00',
      'search=%ED%A0%80',
      'order=email',
      `after=${'9'.repeat(56)}`,
      'search=a&search=b',
    ]) {
      const headers = { authorization: `Bearer ${administrator.access_token}` }
      const { statusCode, body } = await app.raw({
        url: `/api/v1/admin/accounts?${query}`,
        headers,
      })
      assert.ok(
        [400, 422].includes(statusCode) || query === 'search=%ED%A0%80',
        `${query}: ${body}`,
      )
    }
  })

  test('a position that no page has gives the first page', async () => {
    const { accounts: first } = await administrator.client.admin.accounts({})
    for (const after of ['x', `1_${'-'.repeat(36)}`, `${'9'.repeat(19)}_x`, '1_1; drop', "'_'"]) {
      const { accounts } = await administrator.client.admin.accounts({ after })
      assert.equal(accounts.length, first.length, after)
    }
    const last = `${'9'.repeat(18)}_${randomUUID()}`
    const { accounts: all } = await administrator.client.admin.accounts({ after: last })
    assert.equal(all.length, first.length)
    const { accounts: none } = await administrator.client.admin.accounts({
      after: `0_${randomUUID()}`,
    })
    assert.equal(none.length, 0)
  })

  test('the answer has no secret of an account', async () => {
    const headers = { authorization: `Bearer ${administrator.access_token}` }
    const { body } = await app.raw({ url: '/api/v1/admin/accounts', headers })
    assert.doesNotMatch(body, /password|argon2|metadata|secret|token/)
  })
})

describe('disabling an account', () => {
  test('a disabled account is signed out everywhere, refused everywhere and enabled again', async () => {
    const creator = await app.signUp()
    const { client, email, user_id } = creator
    const body = { name: 'Tableur', scope: 'lecture', expires_in_days: 30 } as const
    const { secret } = await client.apiKeys.create({ body })
    const quiz = await publishedScoreQuiz(client)
    const { refresh_token } = (await signIn(email)).json<{ refresh_token: string }>()
    const callWithKey = () =>
      app.raw({ url: '/api/v1/quizzes', headers: { authorization: `Bearer ${secret}` } })
    assert.equal((await callWithKey()).statusCode, 200)

    const { account } = await administrator.client.admin.disable({ accountId: user_id })
    assert.deepEqual([account.email, account.is_disabled], [email, true])
    await assert.rejects(client.quizzes.list(), refusal(401, 'unauthorized'))
    assert.equal((await callWithKey()).statusCode, 401)
    assert.equal((await signIn(email)).statusCode, 400)
    const refreshed = await app.raw({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      body: { refresh_token },
    })
    assert.equal(refreshed.statusCode, 400)
    assert.ok((await app.client.publicQuiz.snapshot({ id: quiz.id })).snapshot)

    const again = await administrator.client.admin.enable({ accountId: user_id })
    assert.equal(again.account.is_disabled, false)
    await assert.rejects(client.quizzes.list(), refusal(401, 'unauthorized'))
    assert.equal((await signIn(email)).statusCode, 200)
    assert.equal((await callWithKey()).statusCode, 200)
    const events = await listAuditEventNames(app, user_id)
    assert.ok(events.includes('user_disabled') && events.includes('user_enabled'))
  })

  test('a change is recorded with its administrator and session', async () => {
    const { user_id } = await app.signUp()
    await administrator.client.admin.disable({ accountId: user_id })
    const event = await app.db
      .selectFrom('audit_events')
      .selectAll()
      .where('event', '=', 'user_disabled')
      .where('object_id', '=', user_id)
      .executeTakeFirstOrThrow()
    assert.equal(event.actor_id, administrator.user_id)
    assert.ok(event.session_id && event.request_id)
  })

  test('a sign-in that raced with the ban has no session after the account is enabled', async () => {
    const { user_id, client } = await app.signUp()
    const session = await app.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    await administrator.client.admin.disable({ accountId: user_id })
    await app.db.insertInto('sessions').values(session).execute()
    await assert.rejects(client.quizzes.list(), refusal(401, 'unauthorized'))
    await administrator.client.admin.enable({ accountId: user_id })
    await assert.rejects(client.quizzes.list(), refusal(401, 'unauthorized'))
  })
})

describe('deleting an account', () => {
  test('a deletion removes everything that the owner’s own deletion removes, and tells the owner', async () => {
    const { client, email, user_id } = await app.signUp()
    const quiz = await publishedScoreQuiz(client)
    await client.folders.create({ body: { name: 'Clients' } })
    await administrator.client.admin.remove({ accountId: user_id, body: { email } })
    for (const [table, column] of [
      ['users', 'id'],
      ['quizzes', 'creator_id'],
      ['folders', 'creator_id'],
      ['sessions', 'user_id'],
    ] as const) {
      const { rows } = await app.pool.query(`select 1 from ${table} where ${column} = $1`, [
        user_id,
      ])
      assert.equal(rows.length, 0, table)
    }
    await assert.rejects(app.client.publicQuiz.snapshot({ id: quiz.id }), refusal(404, 'not_found'))
    const mail = await app.db
      .selectFrom('mail_jobs')
      .select('kind')
      .where('email', '=', email)
      .executeTakeFirst()
    // The mail may have been written into DATA_DIR already.
    assert.ok(mail === undefined || mail.kind === 'account_deleted')
    assert.ok((await listAuditEventNames(app, user_id)).includes('user_deleted hard'))
  })

  test('a deletion needs the address that the administrator confirmed', async () => {
    const { email, user_id } = await app.signUp()
    for (const wrong of ['autre@exemple.fr', null, ''])
      await assert.rejects(
        administrator.client.admin.remove({ accountId: user_id, body: { email: wrong } }),
        refusal(409, 'account_changed'),
      )
    assert.ok(await find(email))
  })

  test('an unknown account is not found, whatever the action', async () => {
    const accountId = randomUUID()
    const { admin } = administrator.client
    await assert.rejects(admin.disable({ accountId }), refusal(404, 'not_found'))
    await assert.rejects(admin.enable({ accountId }), refusal(404, 'not_found'))
    await assert.rejects(
      admin.remove({ accountId, body: { email: null } }),
      refusal(404, 'not_found'),
    )
  })
})

describe('administrators and each other', () => {
  test('an administrator can neither disable nor delete their own account', async () => {
    const { client, user_id: accountId, email } = administrator
    await assert.rejects(client.admin.disable({ accountId }), refusal(409, 'own_account'))
    await assert.rejects(client.admin.enable({ accountId }), refusal(409, 'own_account'))
    await assert.rejects(
      client.admin.remove({ accountId, body: { email } }),
      refusal(409, 'own_account'),
    )
    await client.admin.overview()
  })

  for (const action of ['disable', 'delete'])
    test(`of two administrators who ${action} each other at once, one remains`, async () => {
      const administrators = [administrator, other]
      const outcomes = await Promise.all(
        administrators.map(async ({ email }, index) => {
          const victim = administrators[1 - index]
          assert.ok(victim)
          const { access_token } = (await signIn(email)).json<{ access_token: string }>()
          return () =>
            app.raw({
              method: 'POST',
              url: `/api/v1/admin/accounts/${victim.user_id}/${action}`,
              headers: { authorization: `Bearer ${access_token}` },
              ...(action === 'delete' && { body: { email: victim.email } }),
            })
        }),
      ).then((calls) => Promise.all(calls.map((call) => call())))
      const statuses = outcomes.map(({ statusCode }) => statusCode)
      assert.equal(statuses.filter((status) => status < 300).length, 1, statuses.join(' '))
      const { rows } = await app.pool.query(
        'select email from users where email = any($1) and banned_until is null',
        [ADMIN_EMAILS],
      )
      assert.equal(rows.length, 1)
      await app.pool.query('update users set banned_until = null')
    })
})
