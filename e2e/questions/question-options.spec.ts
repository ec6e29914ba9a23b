import type { Locator, Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, expectSaved, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { findSmallTargets, TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })
const { step } = test

const line = (page: Page, number: number): Locator =>
  page.getByRole('button', { name: `Options – Question ${number}` })
const panel = (page: Page, number: number): Locator =>
  page.getByRole('group', { name: `Options – Question ${number}` })
const jumpOf = (page: Page, answer: string): Locator => page.getByLabel(`Aller à – ${answer}`)
const outline = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Pages du questionnaire' })

const openJumps = async (page: Page, number: number): Promise<void> => {
  await page.getByRole('button', { name: `Actions – Question ${number}` }).click()
  await page.getByRole('menuitem', { name: 'Aller à…' }).click()
}

test('the options of a question are one line that lists the active options and opens them', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await expect(line(page, 1)).toHaveText('Options – Question 1')
  await line(page, 1).click()
  await expect(line(page, 1)).toHaveAttribute('aria-expanded', 'true')
  const options = panel(page, 1)
  await options.getByRole('switch', { name: 'Réponse obligatoire' }).uncheck()
  await options.getByLabel('Nombre de réponses').selectOption('Jusqu’à 2 réponses')
  await options.getByRole('switch', { name: 'Autre…' }).check()
  await options.getByRole('switch', { name: 'Ordre des réponses tiré au sort' }).check()
  const words = 'Facultative · jusqu’à 2 réponses · Autre… · ordre tiré au sort'
  await expect(line(page, 1)).toContainText(words)
  await options.getByLabel('Texte d’aide').fill('Deux suffisent.')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }

  await page.keyboard.press('Escape')
  await expect(options).toBeHidden()
  await expect(line(page, 1)).toBeFocused()
  await expect(line(page, 1)).toHaveAttribute('aria-expanded', 'false')
  await expect(line(page, 1)).toContainText(`${words} · texte d’aide`)

  for (const [what, left] of [
    ['texte d’aide', words],
    ['ordre des réponses tiré au sort', 'Facultative · jusqu’à 2 réponses · Autre…'],
    ['autre…', 'Facultative · jusqu’à 2 réponses'],
    ['nombre de réponses', 'Facultative'],
  ] as const) {
    await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
    await expect(
      page.getByText(`Rétabli : ${what}, question « Votre agenda ? »`).first(),
    ).toBeVisible()
    await expect(line(page, 1)).toHaveText(`Options – Question 1 : ${left}`)
    await expect(line(page, 1)).toBeInViewport()
  }
  await page.getByRole('button', { name: 'Rétablir la modification' }).click()
  await expectSaved(page)
  const { questions } = await creator.client.drafts.get({ id })
  expect(questions[0]).toMatchObject({ is_required: false, max_choices: 2, has_other: false })
})

test('a creator adds a scale and a date with the keyboard, and two authors resolve a conflict about an option', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { keyboard } = page
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).focus()
  await addItem(page, 'Échelle')
  await expect(question(page, 2)).toBeFocused()
  await keyboard.type('Nous recommanderiez-vous ?')
  await page.getByLabel('Libellé du début – Question 2').press('Tab')
  await expect(page.getByLabel('Libellé de la fin – Question 2')).toBeFocused()
  await keyboard.type('Oui, à tous')
  await keyboard.press('Shift+Tab')
  await keyboard.type('Jamais')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await expect(line(page, 2)).toBeFocused()
  await keyboard.press('Enter')
  const options = panel(page, 2)
  await options.getByLabel('De', { exact: true }).selectOption('1')
  await options.getByLabel('À', { exact: true }).selectOption('5')
  await options.getByRole('switch', { name: 'Compte dans le score' }).press('Space')
  await expect(line(page, 2)).toContainText('Compte dans le score')
  await expectAccessible(page)
  await addItem(page, 'Date')
  await keyboard.type('Quand ?')
  await expectSaved(page)
  const { revision, questions } = await creator.client.drafts.get({ id })
  expect(questions.map(({ type }) => type)).toEqual(['multiple_choice', 'scale', 'date', 'email'])
  expect(questions[1]).toMatchObject({
    scale_min: 1,
    scale_max: 5,
    scale_min_label: 'Jamais',
    scale_max_label: 'Oui, à tous',
    counts_in_score: true,
  })

  await creator.client.drafts.save({
    id,
    body: { based_on: revision, questions: [{ id: questions[1]?.id ?? '', scale_max: 7 }] },
  })
  await options.getByLabel('À', { exact: true }).selectOption('10')
  const dialog = page.getByRole('alertdialog', { name: 'Modifié aussi ailleurs' })
  await expect(dialog).toContainText('Fin de l’échelle de la question 2')
  await dialog.getByRole('button', { name: 'Garder la mienne' }).click()
  await expect(options.getByLabel('À', { exact: true })).toHaveValue('10')
})

test('answers lead to later pages and the outline shows this, a moved page keeps its jumps, and a deleted page shows what led to it', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${id}/questions`)
  await addItem(page, 'Nouvelle page')
  await addItem(page, 'Texte court')
  await page.keyboard.type('Pourquoi ?')

  await step(
    'the jump list offers only later pages, with their number and first words',
    async () => {
      await openJumps(page, 1)
      await expect(jumpOf(page, 'Rempli')).toBeFocused()
      await expect(jumpOf(page, 'Rempli').locator('option')).toHaveText([
        'Page suivante',
        'Page 2 – Où vous écrire ?',
        'Page 3 – Pourquoi ?',
        'Fin du questionnaire',
      ])
      await jumpOf(page, 'Rempli').selectOption('Page 3 – Pourquoi ?')
      await jumpOf(page, 'Libre').selectOption('Fin du questionnaire')
      await expect(outline(page)).toContainText('Page 1 : saute à la page 3 (« Rempli »)')
      await expect(outline(page)).toContainText('Page 1 : saute à la fin (« Libre »)')
      await expect(outline(page).locator('svg[width] > g')).toHaveCount(2)
      await expect(
        outline(page).getByRole('link', { name: /^Page 2 jamais atteinte/ }),
      ).toBeVisible()
      await expect(page.getByText('Jamais atteinte : tout mène ailleurs')).toHaveCount(1)
      await expectAccessible(page)
    },
  )

  await step('an unreachable page is reported before publishing, with a link to it', async () => {
    await page.getByRole('button', { name: 'Publier', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
    await expect(dialog.getByRole('button', { name: 'Publier' })).toBeEnabled()
    await expect(dialog.getByText('À vérifier')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'La page 2 n’est jamais atteinte' }).click()
    await expect(dialog).toBeHidden()
    await expect(question(page, 2)).toBeFocused()
  })

  await step('a page moved by keyboard keeps the jumps to it', async () => {
    await outline(page).getByRole('button', { name: 'Déplacer la page 3' }).focus()
    await page.keyboard.press('Space')
    await expect(page.getByText('« Page 3 » saisie, position 3 sur 3.')).toBeAttached()
    await page.keyboard.press('ArrowUp')
    await expect(page.getByText('« Page 3 », position 2 sur 3.')).toBeAttached()
    await page.keyboard.press('Space')
    await expect(outline(page)).toContainText('Page 1 : saute à la page 2 (« Rempli »)')
    await expect(outline(page).getByRole('button', { name: 'Déplacer la page 2' })).toBeFocused()
    await expect(jumpOf(page, 'Rempli')).toHaveValue('2')
    await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
    await expect(page.getByText('Rétabli : ordre des questions').first()).toBeVisible()
    await expect(outline(page)).toContainText('Page 1 : saute à la page 3 (« Rempli »)')
    await expect(jumpOf(page, 'Rempli')).toHaveValue('3')
  })

  await step('a page that is dragged with the mouse keeps the jumps to it', async () => {
    const handleOf = (number: number) =>
      outline(page).getByRole('button', { name: `Déplacer la page ${number}` })
    // The handle can be dragged after the animation of the previous move has ended.
    await handleOf(3).hover()
    const [from, to] = [await handleOf(3).boundingBox(), await handleOf(1).boundingBox()]
    if (!from || !to) throw new Error('The handles are not on screen')
    await page.mouse.down()
    await page.mouse.move(from.x + 5, from.y - 5, { steps: 5 })
    await expect(page.getByText('« Page 3 » saisie, position 3 sur 3.')).toBeAttached()
    await page.mouse.move(to.x + 5, to.y + 2, { steps: 15 })
    await expect(page.getByText('« Page 3 », position 1 sur 3.')).toBeAttached()
    await page.mouse.up()
    await expect(jumpOf(page, 'Rempli')).toHaveValue('1')
    await expect(page.getByText('Cette page ne vient pas après')).toBeVisible()
    // The page scrolls to the top, because axe would measure only the parts of the steps below the sticky header.
    await page.evaluate(() => window.scrollTo(0, 0))
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
    await expect(jumpOf(page, 'Rempli')).toHaveValue('3')
  })

  await step(
    'deleting a page adds a point to fix that leads to the answer with the jump',
    async () => {
      await outline(page).getByRole('button', { name: 'Actions – Page 3' }).click()
      await page.getByRole('menuitem', { name: 'Supprimer la page' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
      await expect(jumpOf(page, 'Rempli')).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByText('Cette page a été supprimée')).toBeVisible()
      await page.getByRole('button', { name: '1 point à corriger' }).click()
      await page.getByRole('dialog').getByRole('listitem').getByRole('button').click()
      await expect(jumpOf(page, 'Rempli')).toBeFocused()
      await jumpOf(page, 'Rempli').selectOption('Page suivante')
      await expect(page.getByText('Cette page a été supprimée')).toBeHidden()
      await expectSaved(page)
      const { questions } = await creator.client.drafts.get({ id })
      expect(questions[0]?.answers.map(({ jump_to }) => jump_to)).toEqual([null, 0])
    },
  )
})

test('a creator removes a jump of an answer on a later visit, and its field stays', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id, question_id, answer_ids } = await readyScoreQuiz(creator.client)
  const [answer_id = ''] = answer_ids
  const { revision } = await creator.client.drafts.get({ id })
  await creator.client.drafts.save({
    id,
    body: { based_on: revision, answers: [{ id: answer_id, question_id, jump_to: 2 }] },
  })
  await page.goto(`/quiz/${id}/questions`)
  await expect(jumpOf(page, 'Rempli')).toHaveValue('2')
  await jumpOf(page, 'Rempli').focus()
  await jumpOf(page, 'Rempli').selectOption('Page suivante')
  await expectSaved(page)
  await expect(jumpOf(page, 'Rempli')).toHaveValue('next')
  await expect(jumpOf(page, 'Rempli')).toBeFocused()
  await page.reload()
  await expect(question(page, 1)).toBeVisible()
  await expect(jumpOf(page, 'Rempli')).toHaveCount(0)
})

test.describe('the options of a question on a phone', () => {
  test.use(TOUCH)

  test('a creator sets options, a scale and jumps by touch at 390 and 320 pixels', {
    tag: '@rare',
  }, async ({ page, creator }) => {
    const { id } = await readyScoreQuiz(creator.client)
    await page.goto(`/quiz/${id}/questions`)
    await line(page, 1).tap()
    await panel(page, 1).getByRole('switch', { name: 'Réponse obligatoire' }).tap()
    await expect(line(page, 1)).toContainText('Facultative')
    await openJumps(page, 1)
    await jumpOf(page, 'Libre').selectOption('Fin du questionnaire')
    await addItem(page, 'Échelle')
    await page.getByLabel('Libellé de la fin – Question 2').fill('Oui')
    await line(page, 2).tap()
    await expect(panel(page, 2)).toBeVisible()
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      const cards = page.locator('[data-item]')
      for (const index of [0, 1]) expect(await findSmallTargets(cards.nth(index))).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      )
    }
    // The bar at the top covers a button, which axe takes for a small target.
    await page
      .getByRole('heading', { name: 'Page 1' })
      .evaluate((title) => title.scrollIntoView({ block: 'center' }))
    await expectAccessible(page)
    await expectSaved(page)
  })
})
