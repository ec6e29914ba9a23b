import { randomUUID } from 'node:crypto'
import type { Page, Route } from '@playwright/test'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })
const { step } = test

/** Counts the clicks and keys of a creator on all screens. */
const countActions = async (
  page: Page,
): Promise<() => Promise<{ clicks: number; keys: number }>> => {
  await page.evaluate(() => {
    const counts = { clicks: 0, keys: 0 }
    Object.assign(window, { counts })
    addEventListener('pointerdown', () => counts.clicks++, true)
    addEventListener('keydown', () => counts.keys++, true)
  })
  return () =>
    page.evaluate(() => (window as unknown as { counts: { clicks: number; keys: number } }).counts)
}

for (const width of [1440, 390])
  test(`a reply without a short name is inserted and named in one step in a window ${width} px wide`, {
    tag: '@rare',
  }, async ({ page, creator }) => {
    const { client } = creator
    const { quiz } = await client.quizzes.create({ body: { name: 'Bilan', type: 'quiz' } })
    const { id } = quiz
    await client.results.saveAll({
      id,
      body: { results: [{ name: 'Lune', description: 'Bravo ' }, { name: 'Soleil' }] },
    })
    await client.questions.saveDraft({
      id,
      body: {
        questions: [
          { text: 'Votre rythme ?', type: 'text', label: 'rythme', global_position: 0 },
          { text: 'Quel est votre prénom ?', type: 'text', global_position: 1 },
          { text: 'Votre métier ?', type: 'text', global_position: 2 },
        ],
      },
    })
    const readStored = async () => {
      const { questions } = await client.questions.list({ id })
      const { results } = await client.results.list({ id })
      return [questions[1]?.label, results[0]?.description]
    }
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/quiz/${id}/results`)
    const description = page.getByRole('textbox', { name: 'Description – Lune' })
    await expect(description).toBeVisible()
    const counted = await countActions(page)

    await description.click()
    await page.getByRole('button', { name: /^Insérer/ }).click()
    const menu = page.getByRole('menu', { name: /^Insérer/ })
    await expect(menu.getByRole('menuitem')).toHaveText([
      ...['résultat', 'rythme'],
      ...['2. Quel est votre prénom ?', '3. Votre métier ?'],
    ])
    if (width === 1440) await expectAccessible(page)
    await menu.getByRole('menuitem', { name: 'prénom' }).click()
    expect(await counted()).toEqual({ clicks: 3, keys: 0 })
    await expect(description).toBeFocused()
    await expect(description).toHaveValue('Bravo {{prénom}}')
    const toast = page.getByText('La question 2 a le nom court « prénom »')
    await expect(toast).toBeVisible()
    await expect(description).toBeInViewport({ ratio: 1 })
    await expectSaved(page)
    expect(await readStored()).toEqual(['prénom', 'Bravo {{prénom}}'])

    await page.keyboard.press('Control+z')
    await expect(description).toHaveValue('Bravo ')
    await expect(page).toHaveURL(/results$/)
    await expect.poll(readStored).toEqual([null, 'Bravo '])
    await page.keyboard.press('Control+y')
    await expect(description).toHaveValue('Bravo {{prénom}}')
    await expect.poll(readStored).toEqual(['prénom', 'Bravo {{prénom}}'])

    await page.keyboard.type(' !')
    await expect(description).toHaveValue('Bravo {{prénom}} !')
    await page.getByRole('link', { name: 'Continuer vers les questions' }).click()
    await question(page, 3).focus()
    await page.getByRole('button', { name: /^Insérer/ }).press('Enter')
    await page.keyboard.type('zzz')
    await expect(menu.getByText('Rien ne correspond à « zzz »')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Insérer/ }).press('Enter')
    await expect(menu.getByRole('menuitem')).toHaveText(['rythme', 'prénom'])
    await page.keyboard.type('pre')
    await page.keyboard.press('Enter')
    await expect(question(page, 3)).toHaveValue(/\{\{prénom\}\}/)
  })

test('« Insérer » follows its code and the questions of another author while a field keeps the focus', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Bilan', type: 'sondage' } })
  const { id } = quiz
  const [first, second] = [randomUUID(), randomUUID()]
  const save = (text: string) =>
    client.questions.saveDraft({
      id,
      body: {
        questions: [
          { id: first, text, type: 'text', global_position: 0 },
          { id: second, text: 'Votre métier ?', type: 'text', global_position: 1 },
        ],
      },
    })
  await save('Votre rythme ?')
  const insert = page.getByRole('button', { name: /^Insérer/ })
  const requested = Promise.withResolvers<Route>()
  let is_first = true
  await page.route('**/unnamed-insertions-*.js', (route) => {
    if (!is_first) return route.continue()
    is_first = false
    return requested.resolve(route)
  })
  await page.goto(`/quiz/${id}/questions`)

  await step(
    'it appears once the code that lists questions without a short name is loaded',
    async () => {
      await question(page, 2).focus()
      const held = await requested.promise
      await expect(insert).toHaveCount(0)
      await held.continue()
      await expect(insert).toBeVisible()
    },
  )
  await step('it names the questions as they are after a merge', async () => {
    await page.keyboard.type('Un ')
    await save('Votre allure ?')
    await expect(question(page, 1)).toHaveValue('Votre allure ?')
    await expect(question(page, 2)).toBeFocused()
    await insert.click()
    await expect(page.getByRole('menuitem')).toHaveText(['1. Votre allure ?'])
  })
})
