import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { RefusedCall } from '#contract/client/client.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const catcher = await startMailCatcher()
const SMTP = {
  SMTP_URL: catcher.url,
  MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
  AUTH_AUTOCONFIRM: 'true',
}
const app = await createTestApp(SMTP)
const without = await createTestApp()
const limited = await createTestApp({ ...SMTP, RATE_LIMITS: 'on' })
after(async () => {
  for (const one of [app, without, limited]) await one.close()
  await catcher.close()
})

const withQuiz = async (creator: SignedUp) => {
  const quiz = await publishedScoreQuiz(creator.client)
  const { client } = creator
  const { id } = quiz
  const get = async () => (await client.quizMails.get({ id })).mails
  const set = async (body: Parameters<typeof client.quizMails.set>[0]['body']) =>
    (await client.quizMails.set({ id, body })).mails
  return { ...creator, quiz, id, get, set }
}
const refusal = async (call: Promise<unknown>): Promise<[number, string]> => {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (failure: RefusedCall) => failure,
  )
  return [error.status, error.message]
}

describe('the mails of a quiz', () => {
  test('the mails of a quiz are disabled by default, have default texts, and keep the written texts', async () => {
    const { get, set } = await withQuiz(await app.signUp())
    const first = await get()
    assert.deepEqual(
      { ...first, subject: '', text: '' },
      {
        sends_result: false,
        tells_creator: 'never',
        shows_result: true,
        reply_to: null,
        subject: '',
        text: '',
        warnings: [],
        has_mail_server: true,
        has_address: true,
      },
    )
    assert.match(first.subject, /\{\{résultat\}\}/)
    const written = { subject: 'Bravo', text: 'Voici : **{{résultat}}**' }
    const enabled = await set({ ...written, sends_result: true, tells_creator: 'daily' })
    assert.deepEqual(enabled, { ...first, ...written, sends_result: true, tells_creator: 'daily' })
    assert.deepEqual(await set({ tells_creator: 'each' }), { ...enabled, tells_creator: 'each' })
    const off = await set({ sends_result: false, tells_creator: 'never' })
    assert.deepEqual(off, { ...first, ...written })
    assert.deepEqual(await get(), off)
  })

  const WRONG: [body: object, sentence: RegExp][] = [
    [{ text: 'Bonjour {{nom}}' }, /^Champ « text » : Le texte : \{\{nom\}\} n’est le nom court/],
    [{ subject: '{{nom}}' }, /^Champ « subject » : L’objet : \{\{nom\}\}/],
    [{ text: '[x](data:text/html,x)' }, /^Champ « text » : .* n’est pas accepté/],
    [{ subject: 'a\r\nBcc: b@exemple.fr' }, /^Champ « subject » : L’objet tient sur une ligne/],
    [{ subject: ' ' }, /^Champ « subject » : /],
    [{ subject: 'x'.repeat(201) }, /^Champ « subject » : /],
    [{ text: 'x'.repeat(5_001) }, /^Champ « text » : /],
    [{ text: 'x\u0000' }, /^Champ « text » : /],
    [{ tells_creator: 'hourly' }, /^Champ « tells_creator » : /],
    [{ sends_result: 'yes' }, /^Champ « sends_result » : /],
  ]
  for (const [body, sentence] of WRONG)
    test(`a mail setting is refused at its field and stores no data: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { get, set } = await withQuiz(await app.signUp())
      const before = await get()
      const [status, message] = await refusal(set({ sends_result: true, ...body } as never))
      assert.equal(status, 422)
      assert.match(message, sentence)
      assert.deepEqual(await get(), before)
    })

  test('the mails of a quiz need a mail server to be enabled, but not to be edited', async () => {
    const { get, set, id, client } = await withQuiz(await without.signUp())
    assert.equal((await get()).has_mail_server, false)
    const said = 'Ce site n’a pas de serveur d’emails : aucun email ne peut partir.'
    for (const body of [{ sends_result: true }, { tells_creator: 'each' }] as const)
      assert.deepEqual(await refusal(set(body)), [409, said])
    const body = { subject: 'A', text: 'B' }
    assert.deepEqual(await refusal(client.quizMails.test({ id, body })), [409, said])
    assert.equal((await set(body)).subject, 'A')
    assert.equal((await set({ tells_creator: 'never', sends_result: false })).sends_result, false)
  })

  test('an account without an address can enable the mails of a quiz if the creator wants no mails', async () => {
    const { set, user_id } = await withQuiz(await app.signUp())
    await app.db.updateTable('users').set({ email: null }).where('id', '=', user_id).execute()
    const enabled = await set({ sends_result: true, tells_creator: 'never' })
    assert.deepEqual([enabled.sends_result, enabled.has_address], [true, false])
    assert.equal((await refusal(set({ tells_creator: 'each' })))[0], 409)
  })

  test('the mails of a quiz report texts that no longer match the questions', async () => {
    const { get, set, client, id, quiz } = await withQuiz(await app.signUp())
    await client.questions.update({ id: quiz.open_id, body: { label: 'adresse' } })
    await set({ text: 'À {{adresse}}' })
    await client.questions.update({ id: quiz.open_id, body: { label: 'autre' } })
    assert.deepEqual((await get()).warnings, [
      'Le texte : {{adresse}} n’est le nom court d’aucune question',
    ])
    assert.equal((await refusal(set({ sends_result: true })))[0], 422)
    await client.quizzes.remove({ id })
    assert.equal((await refusal(get()))[0], 404)
  })

  test('the mails of a quiz are not copied with the quiz', async () => {
    const { set, client, id } = await withQuiz(await app.signUp())
    await set({ sends_result: true, subject: 'Bravo', tells_creator: 'each' })
    const { quiz: copy } = await client.quizzes.duplicate({ id })
    const { mails } = await client.quizMails.get({ id: copy.id })
    assert.deepEqual([mails.sends_result, mails.tells_creator], [false, 'never'])
  })

  test('the mails of a quiz are in the export of the account and deleted with it', async () => {
    const { set, client, id, user_id } = await withQuiz(await app.signUp())
    await set({ sends_result: true, subject: 'Bravo' })
    const refused = { user_id, mailbox_hash: Buffer.alloc(32) }
    await app.db.insertInto('mail_unsubscribes').values(refused).execute()
    assert.match(JSON.stringify(await client.account.exportData()), /"subject":"Bravo"/)
    await client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
    for (const [table, column, value] of [
      ['quiz_mails', 'quiz_id', id],
      ['integration_connections', 'quiz_id', id],
      ['mail_unsubscribes', 'user_id', user_id],
    ] as const) {
      const { rows } = await app.pool.query(`select 1 from ${table} where ${column} = $1`, [value])
      assert.deepEqual(rows, [], table)
    }
  })
})

describe('a test of the mails', () => {
  test('a test mail goes only to the creator, with a sample', async () => {
    const { client, id, email } = await withQuiz(await app.signUp())
    const body = { subject: 'Essai : {{résultat}}', text: '**{{résultat}}**' }
    const { has_left, message } = await client.quizMails.test({ id, body })
    assert.deepEqual([has_left, message], [true, `Le test est parti à ${email}.`])
    const mail = await catcher.next(email)
    assert.equal(mail.subject, 'Essai : Pas à pas')
    assert.match(mail.html, /<strong>Pas à pas<\/strong>/)
  })

  test('a test mail returns the reason of a failure', async () => {
    const { client, id, email } = await withQuiz(await app.signUp())
    catcher.fail({ how: { status: 550, at: 'RCPT' }, to: email })
    const body = { subject: 'A', text: 'B' }
    assert.deepEqual(await client.quizMails.test({ id, body }), {
      has_left: false,
      message: 'La messagerie de cette adresse refuse l’email.',
    })
    const wrong = { ...body, text: '{{nom}}' }
    assert.equal((await refusal(client.quizMails.test({ id, body: wrong })))[0], 422)
  })

  test('a creator can send at most five test mails at once', async () => {
    const { client, id } = await withQuiz(await limited.signUp())
    const ask = () => client.quizMails.test({ id, body: { subject: 'A', text: 'B' } })
    for (let times = 0; times < 5; times += 1) await ask()
    assert.equal((await refusal(ask()))[0], 429)
  })
})

describe('the public page of a quiz with mails', () => {
  const helpOf = async (client: SignedUp['client'], id: string, preview?: '1') => {
    const { snapshot } = await client.publicQuiz.snapshot({ id, ...(preview && { preview }) })
    return snapshot.questions.find(({ type }) => type === 'email')?.help
  }
  const NOTE = 'Vous recevrez votre résultat par email.'
  /** Waits until the page shows the text, because the process is notified after the answer. */
  const saysOnPage = async (id: string, expected: string | undefined): Promise<void> => {
    const help = (await helpOf(app.client, id)) ?? undefined
    if (help !== expected) await saysOnPage(id, expected)
  }

  test('the public page announces the mail after the text of the question while mails are enabled', async () => {
    const { client, id, set, quiz } = await withQuiz(await app.signUp())
    assert.ok(!(await helpOf(app.client, id)))
    await set({ sends_result: true })
    await saysOnPage(id, NOTE)
    assert.equal(await helpOf(client, id, '1'), NOTE)
    await client.questions.update({ id: quiz.open_id, body: { help: 'Sans spam.' } })
    await client.quizzes.publish({ id })
    await saysOnPage(id, `Sans spam.\n\n${NOTE}`)
    await set({ sends_result: false })
    await saysOnPage(id, 'Sans spam.')
  })

  test('the public page announces a mail of a sondage in different words', async () => {
    const creator = await app.signUp()
    const { id } = await readyScoreQuiz(creator.client)
    await creator.client.quizzes.update({ id, body: { type: 'sondage' } })
    await creator.client.quizzes.publish({ id })
    await creator.client.quizMails.set({ id, body: { sends_result: true } })
    await saysOnPage(id, 'Vous recevrez un email de confirmation.')
  })
})

describe('the unsubscription from mails', () => {
  test('an unsubscription is confirmed in French, and an invalid link has no effect', async () => {
    const wrong = `/desinscription/${randomUUID()}`
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode, body } = await app.raw({ method, url: wrong })
      assert.equal(statusCode, 404)
      assert.match(body, /Ce lien n’est plus valable/)
    }
    const { rows } = await app.pool.query('select 1 from mail_unsubscribes')
    assert.deepEqual(rows, [])
  })
})
