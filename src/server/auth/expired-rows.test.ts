import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { openMailFolder } from '#server/mails/transport.ts'
import { createMailApp } from '#server/testing/app/mail-app.ts'
import { deleteExpiredRows } from './expired-rows.store.ts'

// Runs in test:all, because it repeats a flow of links and addresses in many orders.

const t = await createMailApp()
after(() => t.close())

const age = (table: string, days: number, where: string, id: string, columns = ['created_at']) =>
  t.pool.query(
    `update ${table} set ${columns.map((column) => `${column} = now() - interval '${days} days'`)} where ${where} = $1`,
    [id],
  )
const has = async (table: string, where: string, id: string): Promise<boolean> => {
  const { rows } = await t.pool.query(`select 1 from ${table} where ${where} = $1`, [id])
  return rows.length > 0
}

test('only expired sessions are deleted', async () => {
  const { user, account } = await t.createConfirmedAccount()
  const { client, session } = await t.signInInTab(account)
  await age('sessions', 31, 'user_id', user.id, ['refreshed_at'])
  const fresh = await t.signInInTab(account)
  await age('sessions', 29, 'user_id', user.id, ['refreshed_at'])
  await deleteExpiredRows(t.db)
  assert.ok(await has('sessions', 'user_id', user.id))
  await age('sessions', 91, 'user_id', user.id)
  await deleteExpiredRows(t.db)
  assert.ok(!(await has('sessions', 'user_id', user.id)))
  assert.ok(session && fresh.session && client)
})

test('attempt counts are deleted after two hours, and known networks after 90 days without a sign-in', async () => {
  const { user, account } = await t.createConfirmedAccount()
  await t.openTab().signInWithOtp({ email: account.email })
  await t.openTab().verifyOtp({ type: 'email', email: account.email, token: 'abcdef' })
  await deleteExpiredRows(t.db)
  const counts = async () => (await t.pool.query('select 1 from recent_attempts')).rows.length
  assert.equal(await counts(), 1)
  assert.ok(await has('known_networks', 'user_id', user.id))
  await t.pool.query(`update recent_attempts set began_at = now() - interval '121 minutes'`)
  await age('known_networks', 91, 'user_id', user.id, ['seen_at'])
  await deleteExpiredRows(t.db)
  assert.equal(await counts(), 0)
  assert.ok(!(await has('known_networks', 'user_id', user.id)))
})

test('an unconfirmed account is deleted after 30 days, unless a new confirmation was requested', async () => {
  const { openTab, newAccount, db } = t
  const idOf = async (email: string) =>
    (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow())
      .id
  const made = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const account = newAccount()
      await openTab().signUp(account)
      return idOf(account.email)
    }),
  )
  await t.waitForMails()
  const [old = '', resent = '', young = ''] = made
  const { user: confirmed } = await t.createConfirmedAccount()
  for (const id of [old, confirmed.id])
    await age('users', 31, 'id', id, ['created_at', 'confirmation_sent_at'])
  await age('users', 31, 'id', resent)
  await age('users', 29, 'id', young, ['created_at', 'confirmation_sent_at'])
  await deleteExpiredRows(db)
  const left = await Promise.all(
    [old, resent, young, confirmed.id].map((id) => has('users', 'id', id)),
  )
  assert.deepEqual(left, [false, true, true, true])
})

test('unused codes and unverified factors are deleted after a day', async () => {
  const { client, user, account } = await t.createConfirmedAccount()
  await client.mfa.enroll({ factorType: 'totp' })
  await t.openTab().resetPasswordForEmail(account.email)
  await t.waitForMails()
  await deleteExpiredRows(t.db)
  assert.ok(await has('mfa_factors', 'user_id', user.id))
  assert.ok(await has('one_time_tokens', 'user_id', user.id))
  await age('mfa_factors', 2, 'user_id', user.id)
  await age('one_time_tokens', 2, 'user_id', user.id)
  await deleteExpiredRows(t.db)
  assert.ok(!(await has('mfa_factors', 'user_id', user.id)))
  assert.ok(!(await has('one_time_tokens', 'user_id', user.id)))
})

test('without a mail server, a mail is written to a file and its link is logged', async () => {
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  const folder = openMailFolder({ data_dir: t.config.data_dir, from: 'a@b.example', log })
  const link = 'https://quiz.example/auth/v1/verify?token=abc&type=signup'
  await folder.send({ to: 'c@d.example', subject: 'Sujet', html: link, text: link, link })
  folder.close()
  const { file, ...line } = JSON.parse(logged.join('')) as { file: string; link: string }
  assert.equal(line.link, link)
  assert.match(readFileSync(file, 'utf8'), /^Subject: Sujet$/m)
  assert.equal(readdirSync(join(t.config.data_dir, 'mail')).length, 1)
})
