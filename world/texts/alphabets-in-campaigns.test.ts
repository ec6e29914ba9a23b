import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { NAMES_BY_SCRIPT } from '#domain/testing/stranger-texts.ts'
import { downloadFile } from '#server/testing/app/evidence-files.ts'
import { createProgressScene, type ScenePerson } from '#server/testing/app/progress-scene.ts'
import { unzip } from '#server/testing/network/bodies/unzip.ts'
import { readPdf } from '#server/testing/pdf/read-pdf.ts'
import { drawnLetters } from './drawn-letters.ts'

const scene = await createProgressScene()

const PEOPLE: ScenePerson[] = Object.values(NAMES_BY_SCRIPT).map((name, rank) => ({
  email: scene.newAddress(`p${rank}`),
  first_name: name,
  last_name: name,
  group_name: `${name} ${rank}`,
  before: [1, 1, 1],
  after: [8, 8, 8],
}))

const assertHasAll = (text: string, what: string): void => {
  const found = normalizeText(text)
  for (const name of Object.values(NAMES_BY_SCRIPT))
    assert.ok(found.includes(normalizeText(name)), `${what} lacks « ${name} »`)
}

const sheetOf = (workbook: Buffer | undefined): string =>
  unzip(workbook ?? Buffer.alloc(0))['xl/worksheets/sheet1.xml'] ?? ''

/** True if a PDF draws each word of a name. Words of Arabic follow from right to left, in which a reader sees them. */
const isDrawn = (name: string, words: string): boolean =>
  name.split(/\s+/).every((word) => drawnLetters(words).includes(drawnLetters(word)))

test('names in every alphabet are whole in invitations, comparisons and the file for the audit', async () => {
  const { creator, before, after } = await scene.runBoth(PEOPLE)
  const { client } = creator
  for (const { email, first_name = '' } of PEOPLE) {
    const [mail] = scene.catcher.mailsTo(email)
    assert.ok(mail)
    for (const part of [mail.subject, mail.text, mail.html])
      assert.ok(normalizeText(part).includes(normalizeText(first_name)), `${first_name}: ${part}`)
  }
  assertHasAll(JSON.stringify(await client.campaigns.people(after.key)), 'the list of people')

  const body = { before_campaign_id: before.campaign_id }
  await client.progress.setBefore({ ...after.key, body })
  for (const format of ['csv', 'xlsx'] as const) {
    const order = { before: before.campaign_id, format }
    const { url } = await client.progress.people({ ...after.key, body: order })
    const { body: text, rawPayload } = await scene.raw({ url })
    assertHasAll(format === 'csv' ? text : sheetOf(rawPayload), `the comparison as ${format}`)
  }

  const actions_text = Object.values(NAMES_BY_SCRIPT).join('\n')
  await client.evidence.setActions({ ...after.key, body: { actions_text, former_text: '' } })
  const files = await downloadFile(scene, creator, after.key)
  const words = await readPdf(files['Dossier de preuves.pdf'] ?? Buffer.alloc(0))
  assert.ok(!words.includes('[…]'), words)
  for (const name of Object.values(NAMES_BY_SCRIPT))
    assert.ok(isDrawn(name, words), `the document lacks « ${name} »`)
  assertHasAll(sheetOf(files['Réponses.xlsx']), 'the replies')
  assertHasAll(sheetOf(files['Évolution par personne.xlsx']), 'the changes')
  assertHasAll(files['Journal des envois.csv']?.toString() ?? '', 'the log')
  const certificates = Object.entries(files).filter(([name]) => name.startsWith('Attestations/'))
  assert.equal(certificates.length, PEOPLE.length)
  const drawn = await Promise.all(certificates.map(([, pdf]) => readPdf(pdf)))
  for (const name of Object.values(NAMES_BY_SCRIPT))
    assert.ok(
      drawn.some((text) => isDrawn(name, text)),
      `no certificate has « ${name} »`,
    )
})
