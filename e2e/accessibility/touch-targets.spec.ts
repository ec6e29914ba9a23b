import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, newToolKey, test } from '../support/fixtures.ts'
import { findSmallTargets, TOUCH } from '../support/layout-checks.ts'
import { cardMenu } from '../support/quiz-cards.ts'

/** On touch screens, controls are at least 44 px high and wide. */

test.use({ ...TOUCH, creatorIs: 'signed in' })

test('the screens before the sign-in have no small target', { tag: '@rare' }, async ({ page }) => {
  for (const [path, button] of [
    ['/login', 'Se connecter'],
    ['/signup', 'Créer un compte'],
    ['/forgot-password', 'Recevoir un lien'],
  ] as const)
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('button', { name: button })).toBeVisible()
      expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
      expect(await findSmallTargets(page.locator('body'))).toEqual([])
    })
})

test('the screens of a creator, their menus and their dialogs have no small target', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client, 'Quel rythme ?')
  for (let copies = 1; copies < 9; copies++) await creator.client.quizzes.duplicate({ id })
  await creator.client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await page.goto('/dashboard')
  await test.step('the dashboard and its menu', async () => {
    await expect(page.getByRole('article')).toHaveCount(9)
    expect(await findSmallTargets(page.locator('body'))).toEqual([])
    await cardMenu(page, 'Quel rythme ?').click()
    expect(await findSmallTargets(page.getByRole('menu'))).toEqual([])
    await page.getByRole('menuitem', { name: 'Renommer' }).click()
    expect(await findSmallTargets(page.getByRole('dialog'))).toEqual([])
    await page.keyboard.press('Escape')
  })
  await test.step('the account screen and the open menu', async () => {
    await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
    await page.getByRole('link', { name: 'Mon compte', exact: true }).click()
    await expect(page.getByText('Cet appareil')).toBeVisible()
    await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
    expect(await findSmallTargets(page.locator('body'))).toEqual([])
    await page.getByRole('button', { name: 'Supprimer mon compte...' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await findSmallTargets(page.getByRole('dialog'))).toEqual([])
  })
  await test.step('the design screen and the tools of a quiz', async () => {
    await page.goto(`/quiz/${id}/settings`)
    for (const tab of ['Design', 'Intégrations']) {
      await page.getByRole('tab', { name: tab }).click()
      await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible()
      expect(await findSmallTargets(page.getByRole('tablist'))).toEqual([])
      expect(await findSmallTargets(page.getByRole('tabpanel'))).toEqual([])
    }
    await page.getByRole('switch', { name: /Brevo/ }).click()
    await expect(page.getByRole('dialog').getByRole('radio')).toHaveCount(2)
    expect(await findSmallTargets(page.getByRole('dialog'))).toEqual([])
  })
})
