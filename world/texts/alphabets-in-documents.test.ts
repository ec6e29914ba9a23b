import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { NAMES_BY_SCRIPT } from '#domain/testing/stranger-texts.ts'
import { REPLACEMENT_NOTE } from '#server/reports/pdf/fonts.ts'
import { createBuiltFolders } from '#server/testing/app/built-app.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { unzip } from '#server/testing/network/bodies/unzip.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { readPdf } from '#server/testing/pdf/read-pdf.ts'
import { createLabelReader } from '#server/testing/quizzes/labelled-quizzes.ts'
import { createToolFields } from '#server/testing/quizzes/tool-fields.ts'
import { type AlphabetRun, importFile, runInAlphabet, TOOL_FIELD } from './alphabet-quiz.ts'
import { drawnLetters } from './drawn-letters.ts'
import { listWords } from './every-text-quiz.ts'
import { textsAt } from './put-text.ts'

const catcher = await startMailCatcher()
const { folders, remove } = createBuiltFolders()
const mails = {
  SMTP_URL: catcher.url,
  MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
  AUTH_AUTOCONFIRM: 'true',
  RESULT_MAILS_PER_DAY: '1000',
}
const app = await createOutboxApp(mails, { folders })
after(async () => {
  await app.close()
  await catcher.close()
  remove()
})
const creator = await app.connectCreator()
const { client } = creator
const { valuesOf } = createToolFields(app)
const { readLabels } = createLabelReader(app.fakes)

/** Fails unless a text has a name whole. Replies and texts of creators may differ in the form of normalisation. */
const assertHas = (text: string, name: string, what: string): void =>
  assert.ok(
    normalizeText(text).includes(normalizeText(name)),
    `${what} lacks « ${name} »: ${text.slice(0, 300)}`,
  )

const open = async (url: string) => {
  const reply = await app.raw({ url })
  assert.equal(reply.statusCode, 200, `${url}: ${reply.body.slice(0, 200)}`)
  return reply
}

/** Fails unless a PDF draws a name whole, and nothing in place of a character. */
const assertDrawn = async (pdf: Buffer, name: string, what: string): Promise<void> => {
  const words = await readPdf(pdf)
  assert.ok(drawnLetters(words).includes(drawnLetters(name)), `${what}: ${words.slice(0, 300)}`)
  assert.ok(!words.includes('[…]'), `${what}: ${words.slice(0, 300)}`)
}

const exportOf = async (id: string, format: 'csv' | 'csv_excel' | 'xlsx' | 'json') =>
  open((await client.exports.link({ id, body: { format } })).url)

const checkExports = async ({ quiz_id }: AlphabetRun, name: string): Promise<void> => {
  for (const format of ['csv', 'csv_excel'] as const) {
    const [titles = '', participant = ''] = (await exportOf(quiz_id, format)).body.split('\r\n')
    assertHas(titles, name, `${format}: titles`)
    assertHas(participant, `Autre : ${name}`, `${format}: replies`)
  }
  const sheet =
    unzip((await exportOf(quiz_id, 'xlsx')).rawPayload)['xl/worksheets/sheet1.xml'] ?? ''
  const [, titles = '', participant = ''] = sheet.split('<row>')
  assertHas(titles, name, 'xlsx: titles')
  assertHas(participant, `Autre : ${name}`, 'xlsx: replies')
  const { participants } = (await exportOf(quiz_id, 'json')).json<{
    participants: { first_name: string; result: string; answers: { answer: unknown }[] }[]
  }>()
  const [one] = participants
  assert.equal(one?.first_name, normalizeText(name))
  assert.ok(one?.answers.some(({ answer }) => answer === normalizeText(name)))
}

const checkFiles = async ({ quiz_id: id }: AlphabetRun, name: string): Promise<void> => {
  const file = await client.quizFiles.write({ id })
  const copy = await client.quizFiles.write({ id: await importFile(app, creator, file) })
  for (const path of listWords()) {
    assert.deepEqual(textsAt(copy, path), textsAt(file, path), `quiz file: ${path}`)
    for (const text of textsAt(file, path).filter(Boolean)) assertHas(text, name, path)
  }
  const text = await client.quizzes.text({ id })
  assertHas(text, `# ${name}\n`, 'text format')
  const { quiz } = await client.quizzes.importText({ body: { text } })
  assert.equal(await client.quizzes.text({ id: quiz.id }), text)
}

const checkDocuments = async (run: AlphabetRun, name: string): Promise<void> => {
  const { quiz_id: id, participant_uuid, documents } = run
  const { report, certificate, own_page } = documents
  await assertDrawn((await open(report)).rawPayload, name, 'report')
  await assertDrawn((await open(certificate)).rawPayload, name, 'certificate')
  assertHas((await open(own_page)).body, name, 'page of the participant')
  assertHas((await open(`/q/${id}`)).body, name, 'public page')
  for (const file of ['report_preview', 'certificate_preview'] as const) {
    const { url } = await client.documents.link({ id, body: { file } })
    await assertDrawn((await open(url)).rawPayload, name, file)
  }
  const participant_uuids = [participant_uuid]
  const { undrawable_names } = await client.documents.link({
    id,
    body: { file: 'zip', participant_uuids },
  })
  assert.deepEqual(undrawable_names, [])
}

const checkMails = ({ email }: AlphabetRun, name: string): void => {
  const sent = catcher.mails.filter(({ to }) => to === email)
  const told = catcher.mails.filter(({ to }) => to === creator.email)
  assert.equal(sent.length, 1)
  for (const mail of [sent[0], told.at(-1)]) {
    assert.ok(mail)
    assertHas(mail.subject, name, 'subject')
    assertHas(mail.text, name, 'mail as text')
    assertHas(mail.html, name, 'mail as HTML')
  }
  assert.equal(sent[0]?.attachments.length, 2)
}

const checkDeliveries = ({ webhook, email }: AlphabetRun, name: string): void => {
  const [message] = app.receiver.receivedAt(webhook)
  const { data } = JSON.parse(message?.text ?? '{}') as {
    data?: { contact: { first_name: string }; parameters: Record<string, string> }
  }
  assert.equal(data?.contact.first_name, normalizeText(name))
  assert.equal(data?.parameters.utm_source, normalizeText(name))
  assertHas(message?.text ?? '', `Autre : ${name}`, 'webhook')
  for (const provider of PROVIDERS) {
    const values = valuesOf(creator, provider, email)
    assert.equal(values[TOOL_FIELD.toLowerCase()], normalizeText(name), provider)
    assert.equal(values.first_name ?? values.prenom, normalizeText(name), provider)
    const labels = (readLabels(creator, provider)[email] ?? []).map((label) => normalizeText(label))
    assert.ok(labels.includes(normalizeText(name)), `${provider}: ${labels}`)
  }
}

describe('names in every alphabet', () => {
  for (const [script, name] of Object.entries(NAMES_BY_SCRIPT))
    test(`${script}: a name is whole in each document, export, mail and delivery`, async () => {
      const run = await runInAlphabet(app, creator, name)
      checkDeliveries(run, name)
      checkMails(run, name)
      await checkExports(run, name)
      await checkFiles(run, name)
      await checkDocuments(run, name)
    })

  test('a name that no font can write has a report that says so and no certificate, and the creator is told', async () => {
    const name = '𞤀𞤣𞤤𞤢𞤥'
    const run = await runInAlphabet(app, creator, name)
    checkDeliveries(run, name)
    await checkExports(run, name)
    const { report, certificate } = run.documents
    assert.ok((await readPdf((await open(report)).rawPayload)).endsWith(REPLACEMENT_NOTE))
    const refused = await app.raw({ url: certificate })
    assert.equal(refused.statusCode, 422)
    assert.match(refused.body, /ne savent pas écrire ce nom en entier/)
    const { undrawable_names } = await client.documents.link({
      id: run.quiz_id,
      body: { file: 'zip' },
    })
    assert.deepEqual(undrawable_names, [name])
  })
})
