import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { openMailFolder, openTransport } from '#server/mails/transport.ts'
import { createMailApp } from '#server/testing/app/mail-app.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { createMailer } from './mailer.ts'

const t = await createMailApp()
const without = await createTestApp()
after(async () => {
  await t.close()
  await without.close()
})
const { catcher, createConfirmedAccount, followLink, openTab, waitForMails } = t

const makeDue = () =>
  t.db
    .updateTable('mail_jobs')
    .set({ due_at: new Date(0) })
    .execute()

testInAll('a mail that the server refuses is sent later with a valid link', async () => {
  const { account } = await createConfirmedAccount()
  catcher.refuse(1)
  assert.equal((await openTab().resetPasswordForEmail(account.email)).error, null)
  const refusedOnce = async (): Promise<void> => {
    const { tries } = await t.db.selectFrom('mail_jobs').select('tries').executeTakeFirstOrThrow()
    if (tries === 0) await refusedOnce()
  }
  await refusedOnce()
  const jobs = await t.db.selectFrom('mail_jobs').selectAll().execute()
  assert.equal(jobs.length, 1)
  // The next mail request also sends the waiting mail.
  const { account: other } = await createConfirmedAccount()
  await makeDue()
  await openTab().resetPasswordForEmail(other.email)
  assert.ok((await followLink((await catcher.next(account.email)).link)).fragment.access_token)
  await catcher.next(other.email)
})

test('a mail requested before a crash is sent by the next process that starts', async () => {
  const { account } = await createConfirmedAccount()
  await t.db
    .insertInto('mail_jobs')
    .values({
      id: '01890000-0000-7000-8000-000000000000',
      kind: 'recovery',
      email: account.email,
      user_id: null,
      details: '{}',
    })
    .execute()
  const log = pino({ level: 'silent' })
  const deps = {
    db: t.db,
    log,
    codeKey: Buffer.alloc(32),
    public_url: t.config.public_url,
    auth: t.config.auth,
  }
  const next = createMailer(deps, openTransport(t.config, log))
  next.wake()
  const { link } = await catcher.next(account.email)
  assert.ok((await followLink(link)).fragment.access_token)
  await next.close()
})

test('a mail is dropped after its last failed attempt', async () => {
  const { account } = await createConfirmedAccount()
  await waitForMails()
  catcher.refuse(1)
  await t.db
    .insertInto('mail_jobs')
    .values({
      id: '01890000-0000-7000-8000-000000000001',
      kind: 'recovery',
      email: account.email,
      user_id: null,
      tries: 7,
      details: '{}',
    })
    .execute()
  await openTab().resetPasswordForEmail('nobody@example.org')
  const gone = async (): Promise<void> => {
    const left = await t.db.selectFrom('mail_jobs').select('id').execute()
    if (left.length > 0) await gone()
  }
  await gone()
  assert.deepEqual(
    catcher.mails.filter(
      ({ subject, to }) => to === account.email && subject.startsWith('Choisissez'),
    ),
    [],
  )
})

test('without a mail server, mails are files that only the owner of the process can read', async () => {
  const email = 'ada@example.org'
  const post = (path: string, body: object) =>
    without.raw({ method: 'POST', url: `/auth/v1${path}`, body })
  const signedUp = await post('/signup', { email, password: 'secret1' })
  assert.ok(signedUp.json().access_token, 'it is confirmed at once')
  assert.equal((await post('/recover', { email })).statusCode, 200)
  const written = async (): Promise<void> => {
    const left = await without.db.selectFrom('mail_jobs').select('id').execute()
    if (left.length > 0) await written()
  }
  await written()
  const folder = join(without.config.data_dir, 'mail')
  const [name, ...others] = await readdir(folder)
  assert.deepEqual(others, [])
  const file = join(folder, name ?? '')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  assert.match(
    await readFile(file, 'utf8'),
    /^From: Quizaine <quizaine@localhost>\nTo: ada@example\.org$/m,
  )
})

test('the log does not contain the text of a mail file, and only the latest 100 files are kept', async () => {
  const lines: string[] = []
  const log = {
    info: (fields: object, text: string) => void lines.push(JSON.stringify([fields, text])),
  }
  const data_dir = join(without.config.data_dir, 'many')
  const folder = openMailFolder({ data_dir, from: 'a@example.org', log })
  for (let index = 0; index < 103; index += 1)
    await folder.send({ to: 'b@example.org', subject: 's', html: '<p>h</p>', text: 'secret-link' })
  assert.equal((await readdir(join(data_dir, 'mail'))).length, 100)
  assert.equal(lines.length, 103)
  assert.ok(!lines.join().includes('secret-link'))
})
