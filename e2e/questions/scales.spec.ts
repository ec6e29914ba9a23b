import type { Locator, Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, expectSaved, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { findSmallTargets, TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })
const { step } = test

const presets = (page: Page, number: number): Locator =>
  page.getByRole('group', { name: `Modèles d’échelle – Question ${number}` })
const options = (page: Page, number: number): Locator =>
  page.getByRole('button', { name: `Options – Question ${number}` })
const recommendation = (page: Page): Locator =>
  page.getByRole('switch', { name: 'Recommandation nette (NPS)' })

test('a creator chooses presets of scales, a new scale repeats the last one, and the net promoter score is an option', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id } = await readyScoreQuiz(client)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${id}/questions`)

  await step('a first scale goes from 0 to 10 without a net promoter score', async () => {
    await question(page, 1).focus()
    await addItem(page, 'Échelle')
    await page.keyboard.type('Le contenu ?')
    await options(page, 2).click()
    await expect(recommendation(page)).not.toBeChecked()
    await expect(options(page, 2)).toHaveText('Options – Question 2')
  })

  await step('a preset sets range and labels in one step that can be undone', async () => {
    const satisfaction = presets(page, 2).getByRole('button', { name: 'Satisfaction 1–5' })
    await satisfaction.press('Enter')
    await expect(satisfaction).toHaveAttribute('aria-pressed', 'true')
    await expect(satisfaction).toBeFocused()
    await expect(page.getByLabel('Libellé de la fin – Question 2')).toHaveValue('Très satisfaisant')
    await expect(recommendation(page)).toBeHidden()
    await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
    await expect(
      page.getByText('Rétabli : échelle, question « Le contenu ? »').first(),
    ).toBeVisible()
    await expect(page.getByLabel('Libellé de la fin – Question 2')).toHaveValue('')
    await satisfaction.click()
  })

  await step(
    'a new scale repeats the settings, and another range has no score by itself',
    async () => {
      await question(page, 2).focus()
      await addItem(page, 'Échelle')
      await page.keyboard.type('Le rythme ?')
      await expect(
        presets(page, 3).getByRole('button', { name: 'Satisfaction 1–5' }),
      ).toHaveAttribute('aria-pressed', 'true')
      await presets(page, 3).getByRole('button', { name: 'Recommandation 0–10' }).click()
      await expect(options(page, 3)).toContainText('Recommandation nette (NPS)')
      await options(page, 2).press('Escape')
      await options(page, 3).click()
      const panel = page.getByRole('group', { name: 'Options – Question 3' })
      await expect(recommendation(page).last()).toBeChecked()
      await panel.getByLabel('À', { exact: true }).selectOption('7')
      await panel.getByLabel('À', { exact: true }).selectOption('10')
      await expect(recommendation(page).last()).not.toBeChecked()
      await recommendation(page).last().check()
      await expectAccessible(page)
    },
  )

  await step(
    '« Oui / Non » replaces a scale by a choice, and the replacement can be undone',
    async () => {
      await addItem(page, 'Échelle')
      await page.keyboard.type('Reviendrez-vous ?')
      await presets(page, 4).getByRole('button', { name: 'Oui / Non' }).press('Enter')
      await expect(question(page, 4)).toBeFocused()
      await expect(question(page, 4)).toHaveValue('Reviendrez-vous ?')
      await expect(page.getByRole('textbox', { name: 'Réponse 2 de la question 4' })).toHaveValue(
        'Non',
      )
      const toast = page.getByText('Échelle remplacée par un choix entre Oui et Non')
      await expect(toast).toBeVisible()
      await page.getByRole('button', { name: 'Annuler', exact: true }).click()
      await expect(presets(page, 4)).toBeVisible()
      await presets(page, 4).getByRole('button', { name: 'Oui / Non' }).click()
    },
  )

  await step('a new choice without answers offers « Oui / Non »', async () => {
    await addItem(page, 'Choix multiple')
    const card = page.locator('[data-item]').filter({ has: question(page, 5) })
    await card.getByRole('button', { name: 'Oui / Non' }).press('Enter')
    await expect(page.getByRole('textbox', { name: 'Réponse 2 de la question 5' })).toBeFocused()
    await expect(page.getByRole('textbox', { name: 'Réponse 1 de la question 5' })).toHaveValue(
      'Oui',
    )
    await expect(card.getByRole('button', { name: 'Oui / Non' })).toHaveCount(0)
  })

  await expectSaved(page)
  const { questions } = await client.drafts.get({ id })
  expect(
    questions
      .slice(1, 5)
      .map(({ type, scale_max, shows_recommendation, answers }) => [
        ...[type, scale_max, shows_recommendation],
        answers.map(({ text }) => text),
      ]),
  ).toEqual([
    ['scale', 5, false, []],
    ['scale', 10, true, []],
    ['multiple_choice', 10, true, ['Oui', 'Non']],
    ['multiple_choice', 10, true, ['Oui', 'Non']],
  ])
})

test.describe('presets of scales on a phone', () => {
  test.use(TOUCH)

  test('a creator taps a preset of a scale at 390 pixels', { tag: '@rare' }, async ({
    page,
    creator: { client },
  }) => {
    const { id } = await readyScoreQuiz(client)
    await page.goto(`/quiz/${id}/questions`)
    await question(page, 1).focus()
    await addItem(page, 'Échelle')
    // The toolbar above the presets disappears when the tap moves the focus. The tap must have its effect nevertheless.
    await expect(question(page, 2)).toBeFocused()
    await page.keyboard.type('Une note ?')
    await expect(
      page.getByRole('button', { name: 'Insérer une réponse ou un résultat' }),
    ).toBeVisible()
    await presets(page, 2).getByRole('button', { name: 'Recommandation 0–10' }).tap()
    await expect(page.getByLabel('Libellé du début – Question 2')).toHaveValue('Certainement pas')
    expect(await findSmallTargets(page.locator('[data-item]').nth(1))).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    // The window shows the whole page, because a control that is half under the sticky header counts as small.
    await page.setViewportSize({ width: 390, height: 3_000 })
    await expectAccessible(page)
    await expectSaved(page)
  })
})
