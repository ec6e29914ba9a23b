import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 360, height: 740 },
  { width: 320, height: 640 },
]

test('at any width the header is one line of at most 64 px, nothing is cut off, and one click leads to the statistics', async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  // The header has most elements when there is a point to fix.
  await page.getByLabel('Score – Libre').fill('')
  await page.getByRole('button', { name: 'Supprimer Question 2' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await question(page, 1).fill('')
  await expectSaved(page)
  const header = page.locator('header').filter({ has: page.getByLabel('Nom du quiz') })
  const statistics = header.getByRole('link', { name: 'Statistiques' })
  for (const { width, height } of SIZES)
    await test.step(`${width}`, async () => {
      await page.setViewportSize({ width, height })
      await expect(page.getByRole('button', { name: 'Publier', exact: true })).toBeInViewport({
        ratio: 1,
      })
      await expect(statistics).toBeInViewport({ ratio: 1 })
      await expect.poll(async () => (await header.boundingBox())?.height).toBeLessThanOrEqual(64)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    })
  await statistics.press('Enter')
  await expect(page).toHaveURL(`/quiz/${id}/statistics`)
  await page.goBack()
  await expect(page).toHaveURL(`/quiz/${id}/questions`)
})

test('on a screen with a bar at the bottom, the last control of the page is visible above the bar', async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  for (const { width, height } of SIZES.filter((size) => size.width < 1024)) {
    await page.setViewportSize({ width, height })
    await page.goto(`/quiz/${id}/questions`)
    const last = page.getByRole('link', { name: 'Continuer vers les paramètres' })
    await last.scrollIntoViewIfNeeded()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const bar = page.locator('.editor-bar')
    const [bottom, top] = await Promise.all([
      last.evaluate((element) => element.getBoundingClientRect().bottom),
      bar.evaluate((element) => element.getBoundingClientRect().top),
    ])
    expect(bottom, `${width}`).toBeLessThanOrEqual(top)
  }
})

test('a pressed button receives its click although the question shows its errors at the same moment', async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Ajouter une réponse' }).click()
  await page.getByRole('textbox', { name: 'Réponse 3 de la question 1' }).fill('Ça dépend')
  const link = page.getByRole('link', { name: 'Continuer vers les paramètres' })
  await link.scrollIntoViewIfNeeded()
  const box = await link.boundingBox()
  if (!box) throw new Error('The link is not on screen')
  // The pointer is at the top edge, because an appearing line would move it away.
  await page.mouse.move(box.x + box.width / 2, box.y + 4)
  await page.mouse.down()
  await expect(question(page, 1)).not.toBeFocused()
  await page.mouse.up()
  await expect(page).toHaveURL(/\/settings$/)
})

test('a new questionnaire has a header of one line too', async ({ page, creator }) => {
  const { quiz } = await creator.client.quizzes.create({
    body: { name: 'Nouveau Quiz', type: 'quiz' },
  })
  await page.goto(`/quiz/${quiz.id}/results`)
  await expect(page.getByText('Ce que l’on découvre à la fin')).toBeVisible()
  await expect(page.getByText('Créez au moins 2 résultats (0/2)')).toBeVisible()
  const header = page.locator('header').filter({ has: page.getByLabel('Nom du quiz') })
  expect((await header.boundingBox())?.height).toBeLessThanOrEqual(64)
})
