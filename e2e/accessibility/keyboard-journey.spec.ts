import type { Locator, Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { createAccount } from '../support/accounts.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

/** The main task of each screen, with the keyboard alone. */

test.use({ creatorIs: 'signed in' })

const { step } = test

const isFocused = (locator: Locator): Promise<boolean> =>
  locator.evaluateAll((found) => found.some((element) => element === document.activeElement))

/** Waits for this element and presses Tab until it has the focus. */
const tabTo = async (page: Page, locator: Locator, key = 'Tab'): Promise<void> => {
  await expect(locator).not.toHaveCount(0)
  for (let stops = 0; stops < 60; stops += 1) {
    if (await isFocused(locator)) return
    await page.keyboard.press(key)
  }
  await expect(locator).toBeFocused()
}

const type = (page: Page, text: string): Promise<void> => page.keyboard.type(text)
const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('a creator can sign in, create a quiz, build it by score, publish it and sign out with the keyboard alone', {
  tag: '@dom',
}, async ({ page, baseURL }) => {
  test.slow()
  const creator = await createAccount(baseURL ?? '')
  await page.goto('/login')
  await step('the creator signs in', async () => {
    await tabTo(page, page.getByLabel('Email'))
    await type(page, creator.email)
    await tabTo(page, page.getByLabel('Mot de passe', { exact: true }))
    await type(page, creator.password)
    await press(page, 'Enter')
    await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  })
  await step('the creator creates a quiz', async () => {
    await tabTo(page, button(page, 'Créer un questionnaire'))
    await press(page, 'Enter')
    await expect(
      page.getByRole('dialog').getByRole('button', { name: 'Quiz avec résultat' }),
    ).toBeFocused()
    await press(page, 'Enter')
    await expect(page).toHaveURL(/\/results$/)
  })
  await step('the creator names the quiz', async () => {
    await tabTo(page, page.getByLabel('Nom du quiz'))
    await press(page, 'Control+a')
    await type(page, 'Quel rythme ?')
  })
  await step('the creator adds, renames, reorders and deletes results', async () => {
    await tabTo(page, page.getByLabel('Nouveau résultat'))
    for (const name of ['Lune', 'Soleil', 'Étoile']) {
      await type(page, name)
      await press(page, 'Enter')
      await expect(page.getByLabel('Nouveau résultat')).toHaveValue('')
    }
    await tabTo(page, page.getByLabel('Nom du résultat 1'))
    await press(page, 'End')
    await type(page, ' douce')
    await press(page, 'Alt+ArrowDown')
    await expect(page.getByLabel('Nom du résultat 2')).toHaveValue('Lune douce')
    await expect(page.getByLabel('Nom du résultat 2')).toBeFocused()
    await tabTo(page, button(page, 'Déplacer Étoile'))
    await press(page, 'Space', 'ArrowUp')
    await expect(page.getByText('« Étoile », position 2 sur 3.')).toBeAttached()
    await press(page, 'Space')
    await expect(page.getByLabel('Nom du résultat 2')).toHaveValue('Étoile')
    await tabTo(page, button(page, 'Supprimer Étoile'))
    await press(page, 'Enter')
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' })
    await tabTo(page, confirm)
    await press(page, 'Enter')
    await expect(page.getByLabel('Nom du résultat 2')).toBeFocused()
    await tabTo(page, page.getByRole('link', { name: 'Continuer vers les questions' }))
    await press(page, 'Enter')
    await expect(page).toHaveURL(/\/questions$/)
  })
  await step('the creator adds a question with its answers and scores', async () => {
    await tabTo(page, button(page, 'Ajouter un élément'))
    await press(page, 'Enter')
    await expect(page.getByRole('menuitem', { name: 'Choix multiple' })).toBeFocused()
    await press(page, 'Enter')
    await expect(question(page, 1)).toBeFocused()
    await type(page, 'Votre agenda ?')
    await press(page, 'Enter')
    await type(page, 'Rempli')
    await press(page, 'Enter')
    await type(page, 'Libre')
    await tabTo(page, page.getByLabel('Score – Libre'))
    await type(page, '5')
    await tabTo(page, page.getByLabel('Score – Rempli'), 'Shift+Tab')
    await type(page, '1')
  })
  await step('the creator adds a page and moves the question there and back', async () => {
    await tabTo(page, button(page, 'Ajouter un élément'))
    await press(page, 'Enter')
    await type(page, 'nouvelle')
    await press(page, 'Enter')
    await expect(page.getByRole('heading', { name: 'Page 2' })).toBeFocused()
    await tabTo(page, button(page, 'Actions – Question 1'), 'Shift+Tab')
    await press(page, 'Enter')
    await tabTo(page, page.getByRole('menuitem', { name: 'Déplacer vers la page 2' }), 'ArrowDown')
    await press(page, 'Enter')
    await tabTo(page, button(page, 'Supprimer la page 1'), 'Shift+Tab')
    await press(page, 'Enter')
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' })
    await tabTo(page, confirm)
    await press(page, 'Enter')
    await expect(page.getByRole('heading', { name: 'Page 2' })).toHaveCount(0)
  })
  await step('the creator sets the tiers and publishes', async () => {
    for (const [label, value] of [
      ['Maximum – Lune douce', '10'],
      ['Minimum – Lune douce', '5'],
      ['Maximum – Soleil', '4'],
      ['Minimum – Soleil', '0'],
    ] as const) {
      await tabTo(page, page.getByLabel(label), 'Shift+Tab')
      await type(page, value)
    }
    await expectSaved(page)
    await tabTo(page, button(page, 'Publier'), 'Shift+Tab')
    await press(page, 'Enter')
    const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
    await tabTo(page, dialog.getByRole('button', { name: 'Publier' }))
    await press(page, 'Enter')
    await expect(dialog).toBeHidden()
    const opener = page.locator('#share-quiz')
    await expect(opener).toBeFocused()
    await press(page, 'Enter')
    const share = page.getByRole('dialog', { name: 'Partager le quiz' })
    await expect(share.getByLabel('Lien public')).toBeFocused()
    await press(page, 'Escape')
    await expect(opener).toBeFocused()
  })
  await step('the creator returns to the dashboard', async () => {
    await tabTo(page, page.getByRole('link', { name: 'Retour' }), 'Shift+Tab')
    await press(page, 'Enter')
    const card = page.getByRole('article', { name: 'Quel rythme ?' })
    await expect(card.getByText('Publié')).toBeVisible()
  })
  await step('the creator signs out', async () => {
    await button(page, 'Déconnexion').press('Enter')
    await expect(page).toHaveURL(/\/login$/)
  })
})

test('a creator can associate answers with results and change the colours with the keyboard alone', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await creator.client.quizzes.resetMode({ id })
  await page.goto(`/quiz/${id}/questions`)
  const box = page
    .getByRole('group', { name: 'Résultats associés à Libre' })
    .getByRole('checkbox', { name: 'Grand saut' })
  await expect(box).toBeVisible()
  await tabTo(page, box)
  await press(page, 'Space')
  await expect(box).toBeChecked()
  await expect(box).toBeFocused()
  await tabTo(page, button(page, 'Réinitialiser le mode'), 'Shift+Tab')
  await press(page, 'Enter')
  await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: 'Réinitialiser' }))
  await press(page, 'Enter')
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)

  const steps = page.getByRole('navigation', { name: 'Étapes' })
  await tabTo(page, steps.getByRole('link', { name: 'Réglages' }), 'Shift+Tab')
  await press(page, 'Enter')
  await expect(page.getByRole('tab', { name: 'Design' })).toBeVisible()
  await tabTo(page, page.getByRole('tab', { name: 'Design' }))
  await tabTo(page, page.getByLabel('Accent – code hexadécimal'))
  await press(page, 'Control+a')
  await type(page, '#224488')
  await expect
    .poll(async () => (await creator.client.quizzes.get({ id })).quiz.accent_color)
    .toBe('#224488')
  await tabTo(page, button(page, 'Réinitialiser'))
  await press(page, 'Enter')
  await expect(page.getByLabel('Accent – code hexadécimal')).toHaveValue('#0070D7')
})

test('a creator can read the statistics and answer the preview with the keyboard alone', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(creator.client)
  const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: 'camille@exemple.fr' }
  await creator.client.publicQuiz.submit({ id, body: { answers } })
  await page.goto('/dashboard')
  await expect(page.getByRole('article')).toBeVisible()
  await tabTo(page, page.getByRole('link', { name: /^1 réponse —/ }))
  await press(page, 'Enter')
  await expect(page.getByRole('table')).toBeVisible()
  const more = page.getByText('Voir les réponses (2)')
  await tabTo(page, more)
  await press(page, 'Enter')
  await expect(page.getByRole('table')).toContainText('Votre agenda ?')
  await page.goto(`/quiz/${id}/preview`)
  await expect(page.getByText('Mode Aperçu')).toBeVisible()
  await tabTo(page, page.getByRole('radio', { name: 'Rempli' }))
  await press(page, 'Space')
  await tabTo(page, button(page, 'Suivant'))
  await press(page, 'Enter')
  await tabTo(page, page.getByLabel('Où vous écrire ?'))
  await type(page, 'camille@exemple.fr')
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pas à pas')
  await press(page, 'Escape')
  await expect(page).toHaveURL(/\/questions$/)
})
