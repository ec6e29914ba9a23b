import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { keepPages } from '#server/testing/app/own-pages.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const catcher = await startMailCatcher()
const app = await createOutboxApp({
  SMTP_URL: catcher.url,
  MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
  AUTH_AUTOCONFIRM: 'true',
})
after(async () => {
  await app.close()
  await catcher.close()
})
const creator = await app.connectCreator()
const { client } = creator
const { public_url } = app.config

const submit = async ({ id, question_id, open_id, answer_ids }: SampleQuiz, email: string) => {
  const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: email }
  const { documents } = await app.client.publicQuiz.submit({ id, body: { answers } })
  return documents?.own_page && `${public_url}${documents.own_page}`
}
const download = async (
  id: string,
  format: 'csv' | 'csv_excel' | 'json' | 'xlsx',
): Promise<string> => {
  const { url } = await client.exports.link({ id, body: { format, choices: 'joined' } })
  const { statusCode, body } = await app.raw({ method: 'GET', url })
  assert.equal(statusCode, 200)
  return body
}

describe('exports', () => {
  test('only an export of a quiz that keeps pages has their addresses', async () => {
    const quiz = await publishedScoreQuiz(client)
    await submit(quiz, 'lea@exemple.fr')
    const before = { csv: await download(quiz.id, 'csv'), json: await download(quiz.id, 'json') }
    await keepPages(client, quiz)
    const page = await submit(quiz, 'nina@exemple.fr')
    const [head = '', nina = '', lea = ''] = (await download(quiz.id, 'csv')).split('\r\n')
    const titles = head.split(',')
    const place = titles.indexOf('Page du participant')
    assert.equal(titles[place - 1], 'À vérifier')
    assert.equal(nina.split(',')[place], page)
    assert.match(
      lea.split(',')[place] ?? '',
      new RegExp(`^${public_url}/q/${quiz.id}/ma-page/[\\w-]{43}$`),
    )
    const excel = await download(quiz.id, 'csv_excel')
    assert.ok(excel.includes(`;${page};`))
    const { participants } = JSON.parse(await download(quiz.id, 'json'))
    assert.equal(participants[0].result_url, page)
    assert.equal((await download(quiz.id, 'xlsx')).length > 0, true)
    await keepPages(client, quiz, { keeps_page: false })
    const after_csv = await download(quiz.id, 'csv')
    assert.ok(after_csv.endsWith(before.csv.split('\r\n').slice(1).join('\r\n')))
    assert.equal(after_csv.split('\r\n')[0], before.csv.split('\r\n')[0])
    assert.ok(!before.json.includes('result_url'))
  })

  test('an export for an API key has no addresses of pages, because they also erase', async () => {
    const quiz = await publishedScoreQuiz(client)
    await keepPages(client, quiz)
    await submit(quiz, 'lea@exemple.fr')
    const { secret } = await client.apiKeys.create({
      body: { name: 'Lecture', scope: 'lecture', expires_in_days: null },
    })
    const reply = await app.raw({
      method: 'POST',
      url: `/api/v1/quizzes/${quiz.id}/exports`,
      headers: { authorization: `Bearer ${secret}` },
      body: { format: 'csv', choices: 'joined' },
    })
    assert.ok(reply.statusCode < 300, reply.body)
    const { body } = await app.raw({ method: 'GET', url: reply.json().url })
    assert.ok(body.includes('lea@exemple.fr'))
    assert.doesNotMatch(body, /ma-page|Page du participant/)
  })
})

describe('webhooks', () => {
  test('an event has the address of the page only while the quiz keeps pages', async () => {
    const quiz = await publishedScoreQuiz(client)
    const hook = await app.addWebhook(creator, quiz)
    await submit(quiz, 'lea@exemple.fr')
    await app.finishDeliveries()
    await keepPages(client, quiz)
    const page = await submit(quiz, 'nina@exemple.fr')
    await app.finishDeliveries()
    const events = app.receiver.receivedAt(hook.name).map(({ text }) => JSON.parse(text).data)
    assert.deepEqual(
      events.map(({ result_url }) => result_url),
      [undefined, page],
    )
    assert.equal('result_url' in events[0], false)
  })
})

describe('fields of tools', () => {
  test('a mapped field receives the address of the page, and stays as it is without pages', async () => {
    const quiz = await app.createForwardingQuiz(creator, ['brevo'])
    const { mapping } = await client.fieldMappings.add({
      id: quiz.id,
      body: { provider: 'brevo', source: 'own_page', field_name: 'MA_PAGE' },
    })
    assert.equal(mapping.source_label, 'Page du participant')
    assert.match(mapping.message ?? '', /ne garde pas de page/)
    await submit(quiz, 'sans.page@exemple.fr')
    await keepPages(client, quiz)
    const { mappings } = await client.fieldMappings.list({ id: quiz.id })
    assert.equal(mappings[0]?.message, null)
    await app.finishDeliveries()
    const page = await submit(quiz, 'avec.page@exemple.fr')
    await app.finishDeliveries()
    const contacts = [...app.fakes.brevo.accountOf(creator.account).contacts.values()]
    const pages = new Map(contacts.map(({ email, attributes }) => [email, attributes.MA_PAGE]))
    assert.equal(pages.get('avec.page@exemple.fr'), page)
    const dry = await client.dryRuns.get({ id: quiz.id, source: 'own_page' })
    assert.deepEqual([dry.nb_matching, dry.participants[0]?.value], [2, page])
    await keepPages(client, quiz, { keeps_page: false })
    const none = await client.dryRuns.get({ id: quiz.id, source: 'own_page' })
    assert.equal(none.nb_matching, 0)
  })
})

describe('mails', () => {
  test('{{ma page}} is a link to the page, and is refused without pages', async () => {
    const quiz = await publishedScoreQuiz(client)
    const mail = { text: 'Bonjour, votre page : {{ma page}}.', subject: 'Votre résultat' }
    const { id } = quiz
    await refuses(
      client.quizMails.set({ id, body: { ...mail, sends_result: true } }),
      422,
      'invalid',
    )
    await keepPages(client, quiz)
    await refuses(
      client.quizMails.set({ id, body: { ...mail, subject: '{{ma page}}', sends_result: true } }),
      422,
      'invalid',
    )
    await client.quizMails.set({ id, body: { ...mail, sends_result: true } })
    const page = await submit(quiz, 'lea@exemple.fr')
    await app.finishDeliveries()
    const { html, text } = await catcher.next('lea@exemple.fr')
    assert.ok(html.includes(`href="${page}"`))
    assert.ok(text.includes(`${page}`))
    await keepPages(client, quiz, { keeps_page: false })
    const { mails } = await client.quizMails.get({ id })
    assert.match(mails.warnings.join(), /\{\{ma page\}\} n’existe que dans le texte de l’email/)
    await submit(quiz, 'nina@exemple.fr')
    await app.finishDeliveries()
    const { html: without } = await catcher.next('nina@exemple.fr')
    assert.doesNotMatch(without, /ma-page|ma page/)
  })
})
