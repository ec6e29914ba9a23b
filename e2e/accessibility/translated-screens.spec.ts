import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { answerPage, expectSaved, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'
import { chooseCardAction } from '../support/quiz-cards.ts'
import { keepTranslating } from '../support/translation.ts'

test.use({ creatorIs: 'signed in' })

/** Screens of creators in a browser that translates pages, which wraps every text in elements. */

const answer = (
  client: Client,
  quiz: Awaited<ReturnType<typeof publishedScoreQuiz>>,
  rank: number,
) =>
  client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: {
        [quiz.question_id]: quiz.answer_ids[rank % 3 ? 1 : 0] ?? '',
        [quiz.open_id]: `p${rank}@exemple.fr`,
      },
    },
  })

/** Opens a screen, and translates it and everything that it shows later. */
const openTranslated = async (
  page: Page,
  path: string,
  heading: string | RegExp,
): Promise<void> => {
  await page.goto(path)
  await expect(page.getByRole('heading', { name: heading }).first()).toBeAttached()
  await keepTranslating(page)
}

test('translated statistics show the figures of each filter', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const quiz = await publishedScoreQuiz(creator.client)
  for (let rank = 0; rank < 6; rank++) await answer(creator.client, quiz, rank)
  await openTranslated(page, `/quiz/${quiz.id}/statistics`, /Statistiques/)
  await expect(page.getByText('4 sur 6 · 66,7\u00a0%')).toBeVisible()
  const results = page.getByRole('toolbar', { name: 'Filtrer par résultat' })
  await results.getByRole('button', { name: 'Grand saut' }).click()
  await expect(page.getByText('4 sur 6 participants', { exact: true })).toBeVisible()
  await expect(page.getByText('4 sur 4 · 100\u00a0%').first()).toBeVisible()
  await expect(page.getByText('4 sur 6 · 66,7\u00a0%')).toHaveCount(0)
  await results.getByRole('button', { name: 'Grand saut' }).click()
  await expect(page.getByText('4 sur 6 · 66,7\u00a0%')).toBeVisible()
})

test('translated statistics follow new participants', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const quiz = await publishedScoreQuiz(creator.client)
  for (let rank = 0; rank < 6; rank++) await answer(creator.client, quiz, rank)
  await openTranslated(page, `/quiz/${quiz.id}/statistics`, /Statistiques/)
  await expect(page.getByText('6 participants', { exact: true })).toBeVisible()
  await answer(creator.client, quiz, 7)
  await expect(page.getByText('1 nouveau participant', { exact: true })).toBeVisible()
  await page.getByLabel('Suivre en direct').check()
  await expect(page.getByText('7 participants', { exact: true })).toBeVisible()
  await expect(page.getByText('5 sur 7 · 71,4\u00a0%')).toBeVisible()
  await expect(page.getByText('4 sur 6 · 66,7\u00a0%')).toHaveCount(0)
  await expect(page.getByText('1 nouveau participant', { exact: true })).toHaveCount(0)
})

test('the translated dashboard shows new names, orders and errors', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  await publishedScoreQuiz(creator.client, 'Banane')
  await publishedScoreQuiz(creator.client, 'Abricot')
  await openTranslated(page, '/dashboard', 'Mes quiz & sondages')
  const names = page.getByRole('article').getByRole('heading')
  await page.getByRole('combobox', { name: 'Trier par' }).selectOption('Nom')
  await expect(names).toHaveText(['Abricot', 'Banane'])
  await chooseCardAction(page, 'Abricot', 'Renommer')
  const dialog = page.getByRole('dialog', { name: 'Renommer le questionnaire' })
  await dialog.getByRole('textbox', { name: 'Nom' }).fill(' ')
  await expect(dialog.getByText('Le nom est obligatoire')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Nom' }).fill('Cerise')
  await page.keyboard.press('Enter')
  await expect(names).toHaveText(['Banane', 'Cerise'])
  await chooseCardAction(page, 'Banane', 'Supprimer')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect(names).toHaveText(['Cerise'])
})

test('the translated settings show the time of each zone', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  await openTranslated(page, '/settings', 'Mon compte')
  const zone = page.getByLabel('Fuseau horaire du compte')
  for (const [value, city] of [
    ['Pacific/Noumea', 'Nouméa'],
    ['America/Martinique', 'Martinique'],
  ] as const) {
    await zone.selectOption(value)
    await expect(page.getByText(new RegExp(`^Vos dates sont à l’heure de .*${city}`))).toBeVisible()
  }
  await expect(page.getByText(/Nouméa\s: il y est/)).toHaveCount(0)
  const { preferences } = await creator.client.preferences.get()
  expect(preferences.time_zone).toBe('America/Martinique')
})

test('the translated preview is answered up to its result, and starts again', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/preview`)
  await expect(page.getByText('1 / 2')).toBeVisible()
  await keepTranslating(page)
  await answerPage(page, { choose: ['Rempli'] })
  await expect(page.getByText('2 / 2')).toBeVisible()
  await answerPage(page, { type: { 'Où vous écrire ?': 'lea@exemple.fr' } })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pas à pas')
  await page.getByRole('button', { name: 'Recommencer' }).click()
  await expect(page.getByText('1 / 2')).toBeVisible()
  await expect(page.getByText('2 / 2')).toHaveCount(0)
})

test('the translated editor is used on each step, and its texts follow', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await openTranslated(page, `/quiz/${id}/results`, /Résultats/)
  await page.getByLabel('Nouveau résultat').fill('Entre deux')
  await page.getByLabel('Nouveau résultat').press('Enter')
  await expectSaved(page)
  await page
    .getByRole('button', { name: /^Supprimer Entre deux|^Supprimer le résultat/ })
    .last()
    .click()
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
  await expectSaved(page)
  const steps = page.getByRole('navigation', { name: 'Étapes' })
  await steps.getByRole('link', { name: /Questions/ }).click()
  await question(page, 1).fill('Votre semaine ?')
  await page.getByLabel(/^Score – Libre/).fill('7')
  await expectSaved(page)
  await page.getByRole('button', { name: 'Actions – Question 1', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Dupliquer', exact: true }).click()
  await expect(question(page, 2)).toHaveValue('Votre semaine ?')
  await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
  await expect(question(page, 2)).toHaveValue('Où vous écrire ?')
  await expectSaved(page)
  await steps.getByRole('link', { name: /Réglages/ }).click()
  for (const name of ['Accès', 'Intégrations', 'Design'])
    await page.getByRole('tab', { name }).click()
  await expect(page.getByRole('tab', { name: 'Design' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: 'Publier', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Mettre à jour', exact: true }).click()
  await expect(page.getByText('Modifications non publiées')).toHaveCount(0)
})

test('translated screens of a signed-out creator show their errors', {
  tag: ['@dom', '@rare'],
}, async ({ page }) => {
  await openTranslated(page, '/signup', /./)
  await page.getByLabel('Email').fill('lea@exemple.fr')
  await page.getByLabel('Mot de passe', { exact: true }).fill('12345')
  await page.getByLabel(/Confirme/).fill('123456')
  await page.getByRole('button', { name: /compte|inscri/i }).click()
  await expect(page.getByText('Les mots de passe ne correspondent pas')).toBeVisible()
  await page.getByLabel(/Confirme/).fill('12345')
  await page.getByRole('button', { name: /compte|inscri/i }).click()
  await expect(page.getByText('Le mot de passe doit contenir au moins 6 caractères')).toBeVisible()
  await expect(page.getByText('Les mots de passe ne correspondent pas')).toHaveCount(0)
})
