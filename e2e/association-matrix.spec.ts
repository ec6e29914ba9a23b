import { readyProfilsQuiz } from '../src/server/testing/sample-quizzes.ts'
import { createQuestionnaire, question } from './editor.ts'
import { expect, test } from './fixtures.ts'

test('results are columns; the box at a head ticks its column or none, in one step', async ({
  page,
  creator,
}) => {
  const { id } = await readyProfilsQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const head = page.getByRole('checkbox', { name: 'Tout cocher pour Grand saut' })
  const cells = page.getByRole('checkbox', { name: 'Grand saut', exact: true })
  await expect(head).toBeVisible()
  const isPartial = () => head.evaluate((box) => 'indeterminate' in box && box.indeterminate)

  // The boxes are aligned under the name of the result.
  const middles = await Promise.all(
    [head, cells.nth(0), cells.nth(1)].map(async (box) => {
      const { x = 0, width = 0 } = (await box.boundingBox()) ?? {}
      return Math.round(x + width / 2)
    }),
  )
  expect(new Set(middles).size).toBe(1)

  await head.check()
  await expect(cells.nth(0)).toBeChecked()
  await expect(cells.nth(1)).toBeChecked()
  await cells.nth(0).uncheck()
  await expect(head).not.toBeChecked()
  expect(await isPartial()).toBe(true)
  await head.check()
  await head.uncheck()
  await expect(cells.nth(1)).not.toBeChecked()
  expect(await isPartial()).toBe(false)
  await page.getByRole('heading', { name: 'Page 1' }).focus()
  await page.keyboard.press('Control+z')
  await expect(cells.nth(0)).toBeChecked()
  await expect(cells.nth(1)).toBeChecked()

  await page.getByText('Enregistré', { exact: true }).waitFor()
  await page.reload()
  await expect(cells.nth(1)).toBeChecked()
  await expect(head).toBeChecked()
})

test('Ctrl P opens the preview', async ({ page, creator }) => {
  const { id } = await readyProfilsQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).click()
  await page.keyboard.press('ControlOrMeta+p')
  await expect(page).toHaveURL(`/quiz/${id}/preview`)
  await expect(page.getByText('Mode Aperçu')).toBeVisible()
})

test('a new quiz opens with its name ready to be typed', async ({ page, creator }) => {
  expect(creator.email).toContain('@')
  for (const kind of ['Quiz avec résultat', 'Sondage'] as const) {
    await page.goto('/dashboard')
    await createQuestionnaire(page, kind)
    await expect(page.getByLabel('Nom du quiz')).toBeFocused()
    await page.keyboard.type(`Mon ${kind}`)
    await expect(page.getByLabel('Nom du quiz')).toHaveValue(`Mon ${kind}`)
  }
})
