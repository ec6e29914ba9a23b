import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { readPdf } from '../../src/server/testing/pdf/read-pdf.ts'
import {
  publishReportQuiz,
  submitToReportQuiz,
} from '../../src/server/testing/quizzes/report-quiz.ts'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { measureOverflow, TOUCH } from '../support/layout-checks.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

/** Presses a link or a button and returns the words of the PDF that it downloads. */
const readDownload = async (page: Page, pressed: Locator): Promise<string> => {
  const coming = page.waitForEvent('download')
  await pressed.click()
  return readPdf(await readFile(await (await coming).path()))
}

test.describe('on a phone', () => {
  const { viewport, hasTouch, isMobile } = TOUCH
  test.use({ viewport, hasTouch, isMobile })

  test('a visitor downloads the report and the certificate, also after a reload, until the creator erases the participant', async ({
    page,
    creator: { client },
  }) => {
    const quiz = await publishReportQuiz(client)
    await page.goto(`/q/${quiz.id}`)
    await choose(page, 'Libre')
    await page.getByLabel('Votre prénom ?').fill('Zoé')
    await enterEmail(page)
    await expectResult(page, 'Grand saut')
    const report = page.getByRole('link', { name: 'Télécharger mon rapport (PDF)' })
    expect(await readDownload(page, report)).toContain('Votre agenda ?')
    await expectAccessible(page)
    expect(await measureOverflow(page)).toBe(0)
    await page.reload()
    const certificate = page.getByRole('link', { name: 'Télécharger mon attestation (PDF)' })
    const words = await readDownload(page, certificate)
    expect(words).toContain('Zoé')
    const report_path = (await report.getAttribute('href')) ?? ''

    const number = /Numéro : ([0-9A-Z-]{19})/.exec(words)?.[1]
    await page.goto('/attestation')
    const field = page.getByLabel('Numéro de l’attestation')
    await field.fill('7K3M')
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await expect(page.getByText(/a seize lettres et chiffres/)).toBeVisible()
    await expect(field).toHaveValue('7K3M')
    await expectAccessible(page)
    expect(await measureOverflow(page)).toBe(0)
    await field.fill(number?.toLowerCase().replaceAll('-', ' ') ?? '')
    await field.press('Enter')
    await expect(page).toHaveURL(`/attestation/${number}`)
    await expect(page.getByRole('heading', { name: 'Attestation authentique' })).toBeVisible()
    await expect(page.getByText('Zoé', { exact: true })).toBeVisible()
    await expectAccessible(page)
    expect(await measureOverflow(page)).toBe(0)

    const { details } = await client.statistics.responses({ id: quiz.id })
    await client.participants.remove({
      id: quiz.id,
      participantId: details[0]?.participant_uuid ?? '',
    })
    for (const path of [`/attestation/${number}`, report_path]) {
      const answer = await page.goto(path)
      expect(answer?.status()).toBe(404)
      await expect(page.getByRole('heading', { name: 'Document introuvable' })).toBeVisible()
    }
    await expectAccessible(page)
  })
})

test('a creator sets up report and certificate by keyboard, undoes, previews both, and reads why a certificate is impossible', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { id } = await readyScoreQuiz(client)
  await page.goto(`/quiz/${id}/results`)
  const card = page.getByRole('region', { name: 'Rapport et attestation' })
  await card.getByRole('radio', { name: /^Résultat et réponses/ }).press('Space')
  await card.getByRole('switch', { name: 'Délivrer une attestation' }).press('Space')
  await card.getByLabel('À partir de (% des points)').fill('80')
  await card.getByLabel('Titre de l’attestation').fill('Diplôme')
  const issuer = card.getByLabel('Organisme ou personne qui délivre l’attestation')
  await expect(issuer).toHaveAccessibleDescription(/ne disent de qui elle vient/)
  await issuer.fill('Institut Exemple')
  const text = card.getByRole('textbox', { name: 'Texte de l’attestation' })
  await text.fill('Bravo {{nom}} et {{inconnu}}')
  await expect(card.getByText(/\{\{inconnu\}\} n’est le nom court d’aucune question/)).toBeVisible()
  await text.fill('Bravo {{nom}}, {{pourcentage}}.')
  await expect(card.getByText(/inconnu/)).toHaveCount(0)
  await expectAccessible(page)
  await expectSaved(page)
  const preview = card.getByRole('button', { name: 'Aperçu du rapport (PDF)' })
  expect(await readDownload(page, preview)).toContain('Vos réponses')
  const certificate = card.getByRole('button', { name: 'Aperçu de l’attestation (PDF)' })
  expect(await readDownload(page, certificate)).toMatch(
    /Diplôme .*Institut Exemple .*XXXX-XXXX-XXXX-XXXX/,
  )
  const long = card.getByRole('alert').filter({ hasText: 'ne tient pas sur une page' })
  await expect(long).toHaveCount(0)
  await text.fill(Array.from({ length: 240 }, (_, rank) => `- ${rank % 10}`).join('\n'))
  await readDownload(page, certificate)
  await expect(long).toContainText('elle en a ')
  await expectAccessible(page)
  await text.fill('Bravo {{nom}}, {{pourcentage}}.')
  await text.focus()
  await page.keyboard.press('Control+z')
  await expect(text).not.toHaveValue('Bravo {{nom}}, {{pourcentage}}.')
})

test('a creator downloads the documents of one participant, and those of all in a ZIP', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const quiz = await publishReportQuiz(client)
  for (const name of ['Ada', 'Léa']) await submitToReportQuiz(client, quiz, { name })
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await page.getByRole('link', { name: /Léa/ }).first().click()
  const sheet = page.getByRole('dialog')
  const report = sheet.getByRole('button', { name: 'Rapport (PDF)' })
  expect(await readDownload(page, report)).toContain('Léa')
  const certificate = sheet.getByRole('button', { name: 'Attestation (PDF)' })
  expect(await readDownload(page, certificate)).toContain('Numéro')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Rapports en ZIP' }).click()
  expect((await coming).suggestedFilename()).toMatch(/^Rapports - Gestes qui sauvent - .*\.zip$/)
  await expect(page.getByText('Rapports de 2 participants téléchargés.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Rapports en ZIP' })).toBeFocused()

  // No font has the letters of Adlam.
  await submitToReportQuiz(client, quiz, { name: '𞤀𞤣𞤢𞤥' })
  await page.reload()
  await page.getByRole('button', { name: 'Rapports en ZIP' }).click()
  await expect(page.getByRole('alert').filter({ hasText: '𞤀𞤣𞤢𞤥' })).toBeVisible()
  await expectAccessible(page)
  const incomplete = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Préparer quand même' }).click()
  const named = await readFile(await (await incomplete).path())
  expect(named.includes(Buffer.from('Documents non créés.txt'))).toBe(true)
  await expect(page.getByRole('button', { name: 'Rapports en ZIP' })).toBeFocused()

  await page.getByRole('searchbox', { name: 'Chercher un participant' }).fill('léa')
  await expect(page.getByText('Ceux de la liste : 1 participant.')).toBeVisible()
  const found = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Rapports en ZIP' }).click()
  const zip = await readFile(await (await found).path())
  expect(zip.toString('latin1')).toContain(
    Buffer.from('001 - Rapport - Léa.pdf').toString('latin1'),
  )
  expect(zip.toString('latin1')).not.toContain('Ada')
  await expect(page.getByText('Rapports de 1 participant téléchargés.')).toBeVisible()
})
