import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

const MODEL = 'Quel est votre profil d’entrepreneur ?'
const modelsDialog = (page: Page) => page.getByRole('dialog', { name: 'Partir d’un modèle' })
const trialDialog = (page: Page) => page.getByRole('dialog', { name: MODEL })
const models = (page: Page) => page.getByRole('list', { name: 'Modèles' }).getByRole('listitem')
const readWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

/** Answers a model in its trial: the first choice of each page, and texts where a page asks for them. */
const answerToTheEnd = async (page: Page): Promise<void> => {
  const trial = trialDialog(page)
  const next = trial.locator('.q-next')
  const end = trial.locator('.q-ending')
  for (let step = 0; step < 20 && (await end.count()) === 0; step++) {
    for (const group of await trial.getByRole('radiogroup').or(trial.locator('fieldset')).all())
      await group.getByRole('radio').first().check()
    for (const field of await trial.locator('input.q-input').all())
      if ((await field.inputValue()) === '')
        await field.fill((await field.getAttribute('type')) === 'email' ? 'a@exemple.fr' : 'Léa')
    await next.click()
  }
}

/** Columns of the gallery at the width of a computer and of a phone. */
const COLUMNS: Record<number, number> = { 1440: 4, 390: 1 }
const WIDTHS = Object.keys(COLUMNS).map(Number).reverse()

test('a new account sees the models beside the blank page, tries one and creates it', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  await expect(page.getByRole('heading', { name: 'Aucun quiz créé' })).toBeVisible()
  const card = models(page).filter({ hasText: MODEL })
  const attempt = card.getByRole('button', { name: `Essayer – ${MODEL}` })

  await test.step('the blank page opens the choice of a kind', async () => {
    await models(page).first().getByRole('button', { name: 'Commencer' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Créer un questionnaire' })
    await expect(dialog.getByRole('button', { name: 'Quiz avec résultat' })).toBeFocused()
    await page.keyboard.press('Escape')
  })
  await test.step('the models have four columns on a computer and one on a phone', () =>
    atEachWidth(page, WIDTHS, async (width) => {
      await expect(models(page)).toHaveCount(17)
      await expect(models(page).first()).toContainText('Page blanche')
      const tops = await models(page).evaluateAll((items) =>
        items.map((item) => Math.round(item.getBoundingClientRect().top)),
      )
      expect(tops.filter((top) => top === tops[0])).toHaveLength(COLUMNS[width] ?? 0)
      expect(await readWidth(page)).toBe(width)
      // The first picture is rendered by the player, and is no part of the page for keyboards and screen readers.
      await card.scrollIntoViewIfNeeded()
      await expect(card.locator('[inert] .q-page')).toBeVisible()
      await expect(card.getByRole('radio')).toHaveCount(0)
      await expectAccessible(page)
    }))
  await test.step('a trial stores nothing', async () => {
    await attempt.press('Enter')
    await atEachWidth(page, WIDTHS, async () => {
      await expect(trialDialog(page).getByText('Rien n’est enregistré')).toBeVisible()
      await expectAccessible(page)
    })
    await answerToTheEnd(page)
    await atEachWidth(page, WIDTHS, async () => {
      await expect(trialDialog(page).getByRole('button', { name: 'Recommencer' })).toBeVisible()
      await expectAccessible(page)
    })
    expect((await client.quizzes.list()).quizzes).toEqual([])
    await page.keyboard.press('Escape')
    await expect(attempt).toBeFocused()
  })
  await test.step('a model becomes a draft', async () => {
    await card.getByRole('button', { name: `Utiliser ce modèle – ${MODEL}` }).press('Enter')
    await expect(page).toHaveURL(/\/results$/)
    const { quizzes } = await client.quizzes.list()
    expect(quizzes.map(({ name, status }) => [name.replaceAll(/\s/g, ' '), status])).toEqual([
      [MODEL, 'Brouillon'],
    ])
  })
})

test('the gallery works in the dark colour scheme, without motion, and at twice the text size', {
  tag: '@rare',
}, async ({ page, creator: _ }) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  await expect(models(page)).toHaveCount(17)
  await expectAccessible(page)
  expect(await readWidth(page)).toBe(page.viewportSize()?.width)
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
})

test('a refused creation shows the reason at the model, and the model can be used again', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  await page.route('**/quizzes/import', (route) => route.fulfill({ status: 503, json: {} }))
  const card = models(page).filter({ hasText: MODEL })
  const use = card.getByRole('button', { name: `Utiliser ce modèle – ${MODEL}` })
  await use.click()
  await expect(card.getByRole('alert')).toContainText('Le questionnaire n’a pas pu être créé')
  await page.unroute('**/quizzes/import')
  await use.click()
  await expect(page).toHaveURL(/\/results$/)
  expect((await client.quizzes.list()).quizzes).toHaveLength(1)
})

test.describe('the gallery of an account with a questionnaire', () => {
  test.use({ creatorIs: 'signed in' })

  test('arrow keys filter the models by purpose, and the number of models is announced', {
    tag: ['@dom', '@rare'],
  }, async ({ page, creator: { client } }) => {
    await client.quizzes.create({ body: { name: 'Un', type: 'quiz' } })
    await page.goto('/dashboard')
    await expect(page.getByRole('article')).toBeVisible()
    await page.keyboard.press('n')
    await page.getByRole('button', { name: 'Partir d’un modèle' }).press('Enter')
    const dialog = modelsDialog(page)
    await expect(dialog.getByRole('button', { name: 'Retour aux choix' })).toBeFocused()
    await expect(models(page)).toHaveCount(16)
    const search = dialog.getByRole('searchbox', { name: 'Chercher un modèle' })
    await search.fill('à chaud')
    await expect(models(page)).toHaveCount(1)
    await expect(dialog.getByRole('status').filter({ hasText: '1 modèle' })).toHaveCount(1)
    await search.fill('introuvable')
    await expect(dialog.getByText('Aucun modèle trouvé.')).toBeVisible()
    await expectAccessible(page)
    await search.fill('')
    await expect(models(page)).toHaveCount(16)
    const filter = dialog.getByRole('group', { name: 'But du questionnaire' })
    await filter.getByRole('radio', { name: 'Tous' }).focus()
    const counts = { 'Attirer des contacts': 5, Diagnostic: 4, Formation: 4, Avis: 3 }
    for (const [goal, count] of Object.entries(counts)) {
      await page.keyboard.press('ArrowRight')
      await expect(filter.getByRole('radio', { name: goal })).toBeChecked()
      await expect(models(page)).toHaveCount(count)
      await expect(dialog.getByRole('status').filter({ hasText: `${count} modèles` })).toHaveCount(
        1,
      )
    }
    await expectAccessible(page)
  })
})
