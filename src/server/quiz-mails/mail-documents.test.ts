import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Block, plainText } from '#domain/run/rich-text.ts'
import { createReports, type Reports } from '#server/reports/create-reports.ts'
import { findRun } from '#server/reports/reports.store.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createTestVersions } from '#server/testing/app/test-versions.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { readPdf } from '#server/testing/pdf/read-pdf.ts'
import { publishReportQuiz, submitToReportQuiz } from '#server/testing/quizzes/report-quiz.ts'
import { loadMailDocuments } from './mail-documents.ts'

const catcher = await startMailCatcher()
const app = await createTestApp({
  SMTP_URL: catcher.url,
  MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
  AUTH_AUTOCONFIRM: 'true',
  WORKER: 'inline',
})
after(async () => {
  await app.close()
  await catcher.close()
})
const { client } = await app.signUp()
const quiz = await publishReportQuiz(client)
const { participant_uuid } = await submitToReportQuiz(app.client, quiz)
const key = { quiz_id: quiz.id, participant_uuid, connection_id: '' }
const run = await findRun(app.db, key)
assert.ok(run)

const public_url = 'https://q.example'
const { heavyWork, compiled } = createTestVersions(app.db)
after(heavyWork.close)
const reports = createReports({ db: app.db, compiled, secretKey: 'x', public_url, heavyWork })
/** Loads the documents of the participant with a replaced `write` function. */
const load = (write: Reports['write']) =>
  loadMailDocuments({ reports: { ...reports, write }, public_url }, key, run)
const PDF = { pdf: Buffer.alloc(600_000), name_parts: ['Rapport', 'Gestes'] }
const addressesOf = (links: readonly Block[]): string[] =>
  Array.from(JSON.stringify(links).matchAll(/"href":"([^"]+)"/g), ([, href = '']) => href)

describe('the documents of a result mail', () => {
  test('the mail of a participant carries the report and the certificate', async () => {
    // The first document starts the thread, which may take longer than a mail waits.
    const body = { file: 'report' as const, participant_uuid }
    const { url } = await client.documents.link({ id: quiz.id, body })
    assert.equal((await app.raw({ method: 'GET', url })).statusCode, 200)
    await client.quizMails.set({ id: quiz.id, body: { sends_result: true } })
    await submitToReportQuiz(app.client, quiz, { email: 'nina@exemple.fr', name: 'Nina' })
    const { attachments, html } = await catcher.next('nina@exemple.fr')
    assert.equal(attachments.length, 2)
    assert.match(html, /Télécharger votre rapport/)
    const words = await Promise.all(attachments.map(readPdf))
    assert.match(words[0] ?? '', /Grand saut/)
    assert.match(words[1] ?? '', /Nina .*Numéro : /)
  })

  test('documents beyond 1 MB are linked instead', async () => {
    const { attachments, links } = await load(async () => PDF)
    assert.deepEqual(
      attachments.map(({ filename }) => filename),
      ['Rapport - Gestes.pdf'],
    )
    assert.equal(plainText([...links]), 'Télécharger votre attestation (PDF)')
    const [address = ''] = addressesOf(links)
    assert.ok(address.startsWith(`${public_url}/q/${quiz.id}/attestation/`))
  })

  test('a link has the label of the creator, or else the form of address of the quiz', async () => {
    const textsOf = async (words: object): Promise<string[]> => {
      const worded = { ...run.snapshot, quiz: { ...run.snapshot.quiz, ...words } }
      const write = () => Promise.reject(new Error('out of memory'))
      const deps = { reports: { ...reports, write }, public_url }
      const { links } = await loadMailDocuments(deps, key, { ...run, snapshot: worded })
      return links.map((link) => plainText([link]))
    }
    assert.deepEqual(await textsOf({ address_form: 'tu', report_label: 'Mon <b>bilan</b>' }), [
      'Mon <b>bilan</b>',
      'Télécharger ton attestation (PDF)',
    ])
  })

  test('documents that cannot be written are linked, and the mail is still sent', async () => {
    const { attachments, links } = await load(() => Promise.reject(new Error('out of memory')))
    assert.deepEqual(attachments, [])
    assert.equal(addressesOf(links).length, 2)
  })

  test('the mail of a run without documents has no attachment and no link', async () => {
    const plain = { ...run.snapshot, quiz: { ...run.snapshot.quiz, report: 'none' as const } }
    const weak = { snapshot: plain, replies: {} }
    const write = () => assert.fail('no document is written')
    assert.deepEqual(
      await loadMailDocuments({ reports: { ...reports, write }, public_url }, key, weak),
      { attachments: [], links: [] },
    )
  })
})
