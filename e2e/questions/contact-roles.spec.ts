import type { Locator, Page } from '@playwright/test'
import { expectSaved, question, undoAll } from '../support/editor-steps.ts'
import { type Account, expect, expectAccessible, test } from '../support/fixtures.ts'

/** Contact data of a questionnaire: the preset of the « + » menu and the roles of questions. */

test.use({ creatorIs: 'signed in' })
const { step } = test

const menu = (page: Page): Locator => page.getByRole('menu', { name: 'Ajouter un élément' })
const options = (page: Page, number: number): Locator =>
  page.getByRole('button', { name: `Options – Question ${number}` })
const roleOf = (page: Page, number: number): Locator =>
  page.getByRole('group', { name: `Options – Question ${number}` }).getByLabel('Coordonnée')
const block = (page: Page, number: number): Locator =>
  page.getByRole('textbox', { name: `Bloc de texte ${number}` })
const toast = (page: Page, text: string): Locator => page.getByRole('status').getByText(text)

/** Opens the questions of a new sondage and returns its id. */
const openSondage = async (page: Page, creator: Account): Promise<string> => {
  const { quiz } = await creator.client.quizzes.create({
    body: { name: 'Contact', type: 'sondage' },
  })
  await page.goto(`/quiz/${quiz.id}/questions`)
  return quiz.id
}

test('in windows of all widths, the preset adds a contact page by keyboard, and a role asked twice is corrected', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const id = await openSondage(page, creator)
  const { keyboard } = page
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })

    await step(
      'the preset adds three items on the page, and the first one has the focus',
      async () => {
        await page.getByRole('button', { name: 'Ajouter un élément' }).press('Enter')
        await keyboard.type('coord')
        await expect(menu(page).getByRole('menuitem')).toHaveText(['Coordonnées'])
        await keyboard.press('Enter')
        await expect(block(page, 1)).toBeFocused()
        await expect(block(page, 1)).toHaveValue('Vos coordonnées')
        await expect(question(page, 1)).toHaveValue('Prénom')
        await expect(question(page, 2)).toHaveValue('Email')
        await expect(toast(page, 'Coordonnées ajoutées, page 1')).toBeVisible()
        await expect(options(page, 1)).toContainText('Coordonnée : prénom · nom court : prénom')
        await expectAccessible(page)
      },
    )

    await step('one undo removes the preset, and a redo brings it back', async () => {
      await keyboard.press('Control+z')
      await expect(block(page, 1)).toHaveCount(0)
      await expect(question(page, 1)).toHaveCount(0)
      await keyboard.press('Control+y')
      await expect(question(page, 2)).toHaveValue('Email')
    })

    await step('a second preset leaves out what is already asked for, and says so', async () => {
      await question(page, 2).focus()
      await page.getByRole('button', { name: 'Ajouter un élément' }).press('Enter')
      await keyboard.type('coord')
      await keyboard.press('Enter')
      await expect(block(page, 2)).toBeFocused()
      await expect(
        toast(page, 'Coordonnées ajoutées, page 1 (déjà demandé : prénom, email)'),
      ).toBeVisible()
      await expect(question(page, 3)).toHaveValue('Prénom')
      await expect(question(page, 4)).toHaveCount(0)
      await expect(options(page, 3)).toHaveText('Options – Question 3')
    })

    await step(
      'a role of another question is refused at its place and by the publication',
      async () => {
        await options(page, 3).press('Enter')
        await roleOf(page, 3).selectOption('Prénom')
        const taken = page.getByText(
          'La question 1 demande déjà cette coordonnée : une seule le peut.',
        )
        await expect(taken).toBeVisible()
        await expect(roleOf(page, 3)).toHaveAttribute('aria-invalid', 'true')
        await expect(roleOf(page, 3).getByRole('option')).toHaveText(['Aucune', 'Prénom', 'Nom'])
        // Otherwise the header may cover a part of a handle.
        await page.evaluate(() => scrollTo(0, 0))
        await expectAccessible(page)
        await keyboard.press('Escape')
        await expect(options(page, 3)).toBeFocused()
        await page.getByRole('button', { name: '1 point à corriger' }).press('Enter')
        const points = page.getByRole('dialog', { name: 'À corriger avant de publier' })
        await points
          .getByRole('button', {
            name: 'La coordonnée « Prénom » est demandée par deux questions : « Prénom » et « Prénom »',
          })
          .press('Enter')
        await expect(roleOf(page, 3)).toBeFocused()
        await roleOf(page, 3).selectOption('Nom')
        await expect(taken).toBeHidden()
        await expect(page.getByRole('button', { name: 'à corriger' })).toHaveCount(0)
        await expect(options(page, 3)).toContainText('Coordonnée : nom')
        await expectSaved(page)
        const { questions } = await creator.client.questions.unified({ id })
        expect(questions.map(({ contact_role, label }) => [contact_role, label])).toEqual([
          ['first_name', 'prénom'],
          [null, null],
          ['last_name', null],
        ])
      },
    )

    await step('an undone role is named', async () => {
      await page.getByRole('button', { name: 'Annuler la dernière modification' }).press('Enter')
      await expect(
        page.getByText('Rétabli : coordonnée, question « Prénom »').first(),
      ).toBeVisible()
      await expect(roleOf(page, 3)).toHaveValue('first_name')
    })
    await undoAll(page)
    await expect(toast(page, 'Coordonnées ajoutées')).toHaveCount(0)
  }
})

test('a phone has its own role, a role without effect is shown and can be removed, and the preview fills in the fields', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const id = await openSondage(page, creator)
  for (const [type, text, contact_role] of [
    ['phone', 'Votre numéro', null],
    ['textarea', 'Racontez', 'first_name'],
    ['text', 'Votre prénom', 'first_name'],
  ] as const)
    await creator.client.questions.create({ id, body: { type, text, contact_role } })
  await page.reload()

  await options(page, 1).click()
  await expect(roleOf(page, 1).getByRole('option')).toHaveText(['Aucune', 'Téléphone'])
  await roleOf(page, 1).selectOption('Téléphone')
  await expect(options(page, 1)).toContainText('Coordonnée : téléphone')
  await expect(
    page.getByText('La réponse va dans le champ de ce nom de vos outils d’emailing.'),
  ).toBeVisible()

  await options(page, 2).click()
  await expect(roleOf(page, 2)).toHaveValue('first_name')
  const without = 'Sans effet : « Texte long » ne peut pas demander cette coordonnée.'
  await expect(page.getByText(without)).toBeVisible()
  await expectAccessible(page)
  await roleOf(page, 2).selectOption('Aucune')
  await expect(page.getByText(without)).toHaveCount(0)
  await expectSaved(page)

  await page.goto(`/quiz/${id}/preview`)
  const tokenOf = (name: string): Promise<string | null> =>
    page.getByRole('textbox', { name }).getAttribute('autocomplete')
  await expect(page.getByRole('textbox', { name: 'Votre prénom' })).toBeVisible()
  expect([await tokenOf('Votre prénom'), await tokenOf('Votre numéro')]).toEqual([
    'given-name',
    'tel',
  ])
})
