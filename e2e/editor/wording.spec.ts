import type { Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
  readySondage,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { publishWordedQuiz } from '../../src/server/testing/quizzes/worded-quiz.ts'
import { expectSaved } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

/** Card of the settings for advance on taps, form of address and button labels. */

test.use({ creatorIs: 'signed in' })

const card = (page: Page) => page.getByRole('region', { name: 'Déroulement et mots' })
const NEXT = 'Bouton « Suivant »'
const field = (page: Page, name: string) =>
  card(page).getByRole('textbox', { name: new RegExp(name.replaceAll(' ', '\\s')) })
const preview = (page: Page) => page.getByRole('region', { name: 'Aperçu du design' })

test('the words of a quiz are chosen by keyboard on wide and narrow screens, and reach its page', {
  tag: '@rare',
}, async ({ page, creator: { client }, visitor }) => {
  const advances = card(page).getByRole('switch', { name: 'Avance automatique' })
  const undo = page.getByRole('button', { name: 'Annuler la dernière modification' })
  let id = ''

  await atEachWidth(page, [1440, 390], async (width) => {
    id = (await publishedScoreQuiz(client)).id
    await page.goto(`/quiz/${id}/settings`)

    await test.step(`${width} px: each control is reached and changed with keys`, async () => {
      await advances.focus()
      await page.keyboard.press('Space')
      await expect(advances).toBeChecked()
      await expect(advances).toHaveAccessibleDescription(/Jamais au clavier/)
      await page.keyboard.press('Tab')
      await expect(card(page).getByRole('radio', { name: 'Vous' })).toBeFocused()
      await page.keyboard.press('ArrowDown')
      await expect(card(page).getByRole('radio', { name: 'Tu' })).toBeChecked()
      await page.keyboard.press('Tab')
      await expect(field(page, NEXT)).toBeFocused()
      await expect(field(page, NEXT)).toHaveAttribute('placeholder', 'Suivant')
      await page.keyboard.type('<b>On avance</b>')
      await expectSaved(page)
      await expect(preview(page).locator('.q-next')).toHaveText('<b>On avance</b>')
    })

    await test.step(`${width} px: a label is cut at its limit, and the field says so`, async () => {
      const finish = field(page, 'Bouton de la dernière page')
      await finish.pressSequentially('x'.repeat(45))
      await expect(finish).toHaveValue('x'.repeat(40))
      await expect(finish).toHaveAccessibleDescription(/40 caractères au plus/)
      await finish.fill('Voir mon fruit')
      await expectSaved(page)
      await card(page).scrollIntoViewIfNeeded()
      await expectAccessible(page, ['figure [inert]'])
    })

    await test.step(`${width} px: an undo names the field and leads to it`, async () => {
      await field(page, NEXT).fill('Plus loin')
      await expectSaved(page)
      await page.getByRole('tab', { name: 'Accès' }).click()
      await undo.click()
      await expect(page.getByText(/Rétabli\s: bouton «\ssuivant\s»/)).toBeVisible()
      await expect(field(page, NEXT)).toHaveValue('<b>On avance</b>')
      await card(page).getByRole('radio', { name: 'Vous' }).check()
      await expectSaved(page)
      await page.getByRole('tab', { name: 'Accès' }).click()
      await undo.click()
      await expect(page.getByText(/Rétabli\s: vouvoiement ou tutoiement/)).toBeVisible()
      await expect(card(page).getByRole('radio', { name: 'Tu' })).toBeChecked()
      await expectSaved(page)
      await expectAccessible(page, ['figure [inert]'])
    })
  })

  await test.step('the published page has the words', async () => {
    await client.quizzes.publish({ id })
    await visitor.goto(`/q/${id}`)
    await expect(visitor.getByRole('button', { name: '<b>On avance</b>' })).toBeVisible()
    await visitor.locator('.q-choice', { hasText: 'Rempli' }).tap()
    await expect(visitor.getByText('2 / 2')).toBeVisible()
    await expect(visitor.getByRole('button', { name: 'Voir mon fruit' })).toBeVisible()
    await visitor.getByRole('textbox').fill('lea')
    await visitor.getByRole('textbox').press('Enter')
    await expect(visitor.getByText(/^Saisis une adresse email/)).toBeVisible()
    await expectAccessible(visitor, ['.q-next'])
  })
})

test('the preview of the draft has its words up to the end', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const { client } = creator
  const { id } = await readyScoreQuiz(client)
  const labels = { next_label: 'Plus loin', back_label: 'En arrière', finish_label: 'Mon rythme' }
  const last = { restart_label: 'Encore', share_label: 'Je le montre' }
  await client.quizzes.update({
    id,
    body: { ...labels, ...last, address_form: 'tu', allows_restart: true },
  })
  await page.goto(`/quiz/${id}/preview`)
  await page.getByRole('radio', { name: 'Libre' }).check()
  await page.getByRole('button', { name: 'Plus loin' }).click()
  await expect(page.getByRole('button', { name: 'En arrière' })).toBeVisible()
  await page.getByRole('textbox').fill('lea')
  await page.getByRole('textbox').press('Tab')
  await page.getByRole('button', { name: 'Mon rythme' }).click()
  await expect(page.getByText('Encore', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Je le montre' })).toBeVisible()
})

test('the card has the labels that the questionnaire can show, and labels with a text', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { client } = creator
  const sondage = await readySondage(client)
  await page.goto(`/quiz/${sondage.id}/settings`)
  await expect(card(page).getByRole('textbox')).toHaveCount(3)
  await expect(field(page, 'Bouton de la dernière page')).toHaveAttribute('placeholder', 'Envoyer')
  await expect(card(page).getByText('D’autres boutons apparaissent ici')).toBeVisible()

  const quiz = await publishWordedQuiz(client, { certificate_percent: 50, report: 'none' })
  await client.quizzes.update({ id: quiz.id, body: { report_label: 'Mon rapport' } })
  await page.goto(`/quiz/${quiz.id}/settings`)
  await expect(card(page).getByRole('textbox')).toHaveCount(8)
  await expect(card(page).getByText('D’autres boutons apparaissent ici')).toHaveCount(0)
  await field(page, 'Lien du rapport').fill('')
  await expectSaved(page)
  await expect(field(page, 'Lien du rapport')).toBeFocused()
})

test('the card says when no page advances', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  const { client } = creator
  const quiz = await publishedScoreQuiz(client)
  await client.questions.update({ id: quiz.question_id, body: { has_other: true } })
  await page.goto(`/quiz/${quiz.id}/settings`)
  const note = card(page).getByText('Pour l’instant, aucune page n’est dans ce cas.')
  await expect(note).toHaveCount(0)
  await card(page).getByRole('switch').check()
  await expect(note).toBeVisible()
})
