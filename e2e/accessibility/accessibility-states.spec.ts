import type { Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, listMotions, test } from '../support/fixtures.ts'
import { delayCalls, failCalls } from '../support/network.ts'

/** Screens of the creator that are empty, loading or failed, or that show a menu or a dialog. */

const { step } = test

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('empty, loading and failed screens are accessible', async ({ page, creator }) => {
  test.slow()
  await step('the empty dashboard is accessible', () => expectAccessible(page))
  const { quiz } = await creator.client.quizzes.create({ body: { name: 'Vide', type: 'quiz' } })
  const { quiz: sondage } = await creator.client.quizzes.create({
    body: { name: 'Vide', type: 'sondage' },
  })
  for (const screen of ['results', 'questions', 'settings', 'statistics', 'edit'])
    await step(`the empty ${screen} screen is accessible`, async () => {
      // The questions of a quiz without results are locked.
      const { id } = screen === 'questions' ? sondage : quiz
      await page.goto(`/quiz/${id}/${screen}`)
      await expect(page.locator('h1:not([inert] *)')).toBeAttached()
      await expectAccessible(page)
    })
  await step('the loading editor is accessible', async () => {
    const release = await delayCalls(page, { method: 'GET', path: `**/quizzes/${quiz.id}/draft` })
    await page.goto(`/quiz/${quiz.id}/results`)
    await expect(page.getByRole('status').getByText('Chargement...')).toBeVisible()
    await expectAccessible(page)
    release()
    await expect(page.getByLabel('Nouveau résultat')).toBeVisible()
  })
  await step('a dashboard and an editor that failed to load are accessible', async () => {
    const restore = await failCalls(page, { method: 'GET', path: '**/api/v1/quizzes**' })
    await page.goto('/dashboard')
    await expect(page.getByRole('alert')).toContainText('Erreur inconnue')
    await expectAccessible(page)
    await restore()
    await failCalls(page, { method: 'GET', path: `**/quizzes/${quiz.id}/draft` })
    await page.goto(`/quiz/${quiz.id}/results`)
    await expect(page.getByText('Erreur inconnue')).toBeVisible()
    await expectAccessible(page)
  })
})

test('menus, dialogs and drags of the editor are accessible', async ({ page, creator }) => {
  test.slow()
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await step('the menu of item types is accessible', async () => {
    await button(page, 'Ajouter un élément').click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
  await step('the menu of an item is accessible', async () => {
    await button(page, 'Actions – Question 1').click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
  await step('an empty page, an empty text block and a blank question are accessible', async () => {
    await addItem(page, 'Nouvelle page')
    await addItem(page, 'Bloc de texte')
    await addItem(page, 'Choix multiple')
    await expectAccessible(page)
  })
  await step('the screen is accessible during a drag', async () => {
    await button(page, 'Déplacer Question 1').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText(/«\sVotre agenda\s\?\s», position/)).toBeAttached()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
  await step('a confirmation and the toast with an undo button are accessible', async () => {
    await button(page, 'Supprimer Question 2').click()
    await expectAccessible(page)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
    await expect(button(page, 'Annuler')).toBeVisible()
    // Axe measures only the part of a button that no toast covers, so all buttons below it are scrolled away.
    await button(page, 'Supprimer la page 2').evaluate((element) =>
      element.scrollIntoView({ block: 'center' }),
    )
    await expectAccessible(page)
  })
  await step('the offline message is accessible', async () => {
    await page.context().setOffline(true)
    await question(page, 1).fill('Hors de portée ?')
    await expect(page.getByText('Hors ligne, nouvel essai…')).toBeVisible()
    await expectAccessible(page)
    await page.context().setOffline(false)
  })
  await step('an invalid colour and a low contrast are reported accessibly', async () => {
    await page.goto(`/quiz/${id}/settings`)
    await page.getByLabel('Accent – code hexadécimal').fill('rouge')
    await page.getByLabel('Accent – code hexadécimal').blur()
    await page.getByLabel('Texte – code hexadécimal').fill('#eeeeee')
    await expect(page.getByText('peu lisible').first()).toBeVisible()
    await expectAccessible(page, ['figure'])
  })
  await step('the list of shortcuts is accessible', async () => {
    await page.goto('/dashboard')
    await expect(page.getByRole('article')).toBeVisible()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeVisible()
    await expectAccessible(page)
  })
})

/** Each screen, with a check that it is shown. */
const screens = (id: string): [path: string, sign: (page: Page) => Promise<void>][] => [
  ['/dashboard', (page) => expect(page.getByRole('article')).toBeVisible()],
  ['/settings', (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible()],
  [`/quiz/${id}/edit`, (page) => expect(page.getByLabel('Nom')).toBeVisible()],
  [`/quiz/${id}/results`, (page) => expect(page.getByLabel('Nouveau résultat')).toBeVisible()],
  [`/quiz/${id}/questions`, (page) => expect(page.getByText('Paliers de score')).toBeVisible()],
  [`/quiz/${id}/settings`, (page) => expect(page.getByText('Réinitialiser')).toBeVisible()],
  [`/quiz/${id}/statistics`, (page) => expect(page.getByRole('table')).toBeVisible()],
]

const createQuizWithParticipant = async (
  client: Parameters<typeof publishedScoreQuiz>[0],
): Promise<string> => {
  const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
  const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: 'camille@exemple.fr' }
  await client.taking.submit({ id, body: { answers } })
  return id
}

/** Returns why the focus is not visible: no ring, off screen or covered. Empty if the focus is visible. */
const findFocusProblem = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return ''
    const box = element.getBoundingClientRect()
    const what = element.getAttribute('aria-label') ?? element.textContent ?? element.tagName
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return `no ring: ${what}`
    const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height / 2, 12)]
    const isSeen = x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight
    if (!isSeen) return `off screen: ${what}`
    const top = document.elementFromPoint(x, y)
    const isCovered = !top?.closest('label') && !element.contains(top) && !top?.contains(element)
    return isCovered ? `covered: ${what}` : ''
  })

test('the focus is visible at every stop of every screen', async ({ page, creator }) => {
  test.slow()
  const id = await createQuizWithParticipant(creator.client)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [path, isThere] of screens(id))
    await step(path, async () => {
      await page.goto(path)
      await isThere(page)
      const found: string[] = []
      for (let stops = 0; stops < 45; stops += 1) {
        await page.keyboard.press('Tab')
        const problem = await findFocusProblem(page)
        if (problem) found.push(problem)
      }
      expect(found, path).toEqual([])
    })
})

test('no screen breaks when the text is twice as large, and no screen is animated if the user prefers reduced motion', async ({
  page,
  creator,
}) => {
  const id = await createQuizWithParticipant(creator.client)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [path, isThere] of screens(id))
    await step(path, async () => {
      await page.goto(path)
      await isThere(page)
      expect(await page.evaluate(listMotions)).toEqual([])
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        const overflow = await page.evaluate(() => {
          document.documentElement.style.fontSize = '200%'
          return document.documentElement.scrollWidth - innerWidth
        })
        expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0)
      }
    })
})

test('a short wait still shows nothing if the user prefers reduced motion', async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const release = await delayCalls(page, { method: 'GET', path: `**/quizzes/${id}/draft` })
  await page.goto(`/quiz/${id}/results`)
  const late = page.locator('.appear-late').filter({ has: page.getByRole('status') })
  await expect(late).toHaveCSS('animation-delay', '0.3s')
  await expect(late).toHaveCSS('animation-duration', '0.001s')
  await expect(late).toHaveCSS('opacity', '1')
  release()
})
