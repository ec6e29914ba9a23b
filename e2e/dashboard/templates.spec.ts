import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

const FOLDER = join(import.meta.dirname, '../../src/domain/templates')

test('a creator tries and uses a template with the keyboard alone, on a phone in the dark colour scheme', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.keyboard.press('n')
  await page.getByRole('button', { name: 'Partir d’un modèle' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Partir d’un modèle' })
  await expect(dialog.getByRole('button', { name: 'Retour aux choix' })).toBeFocused()
  await expect(dialog.getByRole('listitem')).toHaveCount(16)
  const name = 'Quel est votre profil d’entrepreneur ?'
  const model = dialog.getByRole('listitem').filter({ hasText: name })
  await expect(model).toContainText(/Quiz par profils · 8 questions · 2 minutes/)
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  // The shortcut keys of the first dialog do nothing here.
  await page.keyboard.press('2')
  const attempt = model.getByRole('button', { name: `Essayer – ${name}` })
  await attempt.press('Enter')
  const trial = page.getByRole('dialog', { name })
  await expect(trial.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(trial).toBeHidden()
  await expect(attempt).toBeFocused()
  await page.keyboard.press('Enter')
  await trial.getByRole('button', { name: 'Utiliser ce modèle' }).press('Enter')
  await expect(page).toHaveURL(/\/results$/)
  const { quizzes } = await creator.client.quizzes.list()
  expect(quizzes.map((quiz) => [quiz.name.slice(0, 22), quiz.status])).toEqual([
    ['Quel est votre profil ', 'Brouillon'],
  ])
})

test('each template can be published without changes, and its page is accessible on a phone', {
  tag: '@rare',
}, async ({ creator: { client }, visitor }) => {
  // Sixteen pages and audits take longer than the timeout of a normal test.
  test.slow()
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))
  expect(files).toHaveLength(16)
  for (const file of files)
    await test.step(file, async () => {
      const text = readFileSync(join(FOLDER, file), 'utf8')
      const { quiz } = await client.quizzes.importText({ body: { text } })
      await client.quizzes.publish({ id: quiz.id })
      await visitor.goto(`/q/${quiz.id}`)
      await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(visitor)
    })
})
