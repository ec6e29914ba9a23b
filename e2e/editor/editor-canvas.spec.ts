import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  publishSample,
  readyProfilsQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { publishedToast, question, writeWelcome } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { findSmallTargets, TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

/** Sizes of the window, and the lowest place of the first question. */
const COMPUTER = { viewport: { width: 1440, height: 900 }, first_question: 300 }
const PHONE = { viewport: TOUCH.viewport, first_question: 420 }

/** Creates a score quiz of forty questions on four pages. */
const createFortyQuestions = async (client: Client): Promise<string> => {
  const { id } = await readyScoreQuiz(client)
  const questions = Array.from({ length: 40 }, (_, index) => ({
    id: randomUUID(),
    text: `Question du jour ${index + 1}`,
    type: 'multiple_choice' as const,
    global_position: index,
    page_number: 1 + Math.floor(index / 10),
    answers: [1, 2].map((score) => ({ id: randomUUID(), text: `Choix ${score}`, score })),
  }))
  await client.questions.saveDraft({ id, body: { questions, quiz_mode: 'score' } })
  return id
}
const measureTop = async (element: Locator): Promise<number> =>
  (await element.boundingBox())?.y ?? Number.NaN
const publishButton = (page: Page) => page.getByRole('button', { name: 'Publier', exact: true })
const undoToast = (page: Page) =>
  page.locator('[role=status]:not(.sr-only)').filter({ hasText: /^(Rétabli|Retiré)\s: / })

/** Measures the questions and the header with and without a welcome, in windows of these sizes. */
const expectCompact = async (
  page: Page,
  client: Client,
  sizes: (typeof COMPUTER)[],
): Promise<void> => {
  const id = await createFortyQuestions(client)
  const first = page.locator('[data-item]').first()
  const expectNearTop = async ({ viewport, first_question }: typeof COMPUTER): Promise<void> => {
    await page.setViewportSize(viewport)
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect(question(page, 1)).toBeVisible()
    expect(await measureTop(first)).toBeLessThanOrEqual(first_question)
  }
  await page.goto(`/quiz/${id}/questions`)
  await expect(question(page, 1)).toBeVisible()
  for (const size of sizes) await expectNearTop(size)
  await writeWelcome(client, id)
  await page.reload()
  await expect(page.getByRole('button', { name: /^Accueil Bienvenue/ })).toBeVisible()
  for (const size of sizes) {
    const { width } = size.viewport
    await expectNearTop(size)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await question(page, 40).scrollIntoViewIfNeeded()
    await expect(question(page, 40)).toBeInViewport()
    for (const name of ['Publier', 'Partager', 'Annuler la dernière modification (Ctrl Z)'])
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
    for (const name of ['Retour', 'Prévisualiser'])
      await expect(page.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 })
    const header = page.locator('header').filter({ has: page.getByLabel('Nom du quiz') })
    expect((await header.boundingBox())?.height).toBeLessThanOrEqual(64)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    )
  }
}

test(
  'the first question is near the top, and the header stays while the page scrolls',
  { tag: '@rare' },
  async ({ page, creator }) => expectCompact(page, creator.client, [COMPUTER, PHONE]),
)

test.describe('with a touch screen', () => {
  test.use(TOUCH)

  test('the first question is near the top, the header stays while the page scrolls, and all targets are large', {
    tag: '@rare',
  }, async ({ page, creator }) => {
    await expectCompact(page, creator.client, [PHONE])
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect(question(page, 1)).toBeInViewport()
    expect(await findSmallTargets(page.locator('main'))).toEqual([])
  })
})

test('the phone preview next to the questions shows the edited page and can be answered, and « Prévisualiser » opens at this page', async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  const text = 'Combien d’heures par semaine ?'
  await creator.client.questions.create({ id, body: { text, type: 'number', page_number: 1 } })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${id}/questions`)
  const phone = page.frameLocator('iframe')
  await expect(phone.getByText('Votre agenda ?')).toBeVisible()
  await question(page, 1).fill('Et votre agenda ?')
  await expect(phone.getByText('Et votre agenda ?')).toBeVisible()
  await question(page, 3).focus()
  await expect(phone.getByText('Où vous écrire ?')).toBeVisible()
  await expect(question(page, 3)).toBeFocused()

  await question(page, 1).focus()
  await page.getByRole('button', { name: 'Essayer' }).click()
  await phone.getByText('Libre', { exact: true }).click()
  // A comma is a decimal point.
  await phone.getByLabel(text).pressSequentially('3,5')
  await expect(phone.getByLabel(text)).toHaveValue('3.5')
  await phone.getByRole('button', { name: 'Suivant' }).click()
  await expect(phone.getByText('Où vous écrire ?')).toBeVisible()

  await question(page, 3).focus()
  await page.getByRole('link', { name: 'Prévisualiser', exact: true }).click()
  await expect(page).toHaveURL(/\/preview\?page=2$/)
  await expect(page.getByLabel('Où vous écrire ?')).toBeVisible()
})

test('undo works across the steps, and shows and names the restored content', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  await page.getByText('Bouton et redirection').first().click()
  const redirection = page.getByLabel('Redirection').first()
  await redirection.fill('https://exemple.fr')
  await page.getByLabel('Nom du résultat 1').fill('Lentement')
  await page.getByRole('link', { name: 'Continuer vers les questions' }).click()
  await question(page, 1).fill('Une autre question')
  const undo = page.getByRole('button', { name: 'Annuler la dernière modification' })
  await undo.click()
  await expect(undoToast(page)).toHaveText('Rétabli : question « Votre agenda ? »')
  await expect(question(page, 1)).toHaveValue('Votre agenda ?')
  await undo.click()
  await expect(page).toHaveURL(/\/results$/)
  await expect(undoToast(page)).toHaveText('Rétabli : résultat « Pas à pas »')
  // The text is announced although the toast was shown before the screen opened.
  await expect(page.locator('[role=status].sr-only')).toContainText([
    'Rétabli : résultat « Pas à pas »',
  ])
  await expect(page.getByLabel('Nom du résultat 1')).toHaveValue('Pas à pas')
  await page.getByRole('button', { name: 'Rétablir la modification' }).click()
  await expect(page.getByLabel('Nom du résultat 1')).toHaveValue('Lentement')
  await undo.click()
  // Undo opens the collapsed section that contains the field.
  await page.getByRole('link', { name: 'Continuer vers les questions' }).click()
  await expect(question(page, 1)).toBeVisible()
  await undo.click()
  await expect(page).toHaveURL(/\/results$/)
  await expect(undoToast(page)).toHaveText('Rétabli : redirection de « Pas à pas »')
  await expect(redirection).toBeInViewport()
  await expect(redirection).toHaveValue('')
})

test('the status opens the menu of actions on the whole quiz', { tag: '@rare' }, async ({
  page,
  creator,
  visitor,
}) => {
  const { id } = await publishSample(creator.client, readyScoreQuiz(creator.client))
  await page.goto(`/quiz/${id}/questions`)
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: /^Statut : / }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Renommer')
  await expect(page.getByLabel('Nom du quiz')).toBeFocused()
  await choose('Dépublier')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Dépublier' }).click()
  await expect(page.getByText('Brouillon', { exact: true })).toBeVisible()
  await visitor.goto(`/q/${id}`)
  await expect(visitor.getByText("n'est pas encore publié")).toBeVisible()
  await choose('Changer le type')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Changer le type' }).click()
  await expect(page.getByRole('heading', { name: 'Mode score' })).toHaveCount(0)
  const { quizzes } = await creator.client.quizzes.list()
  expect(quizzes.map(({ type }) => type)).toEqual(['sondage'])
})

test('the toast of a publication shows the image of the link, and the share dialog offers every way to share', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await publishButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
  await expect(dialog.getByRole('button', { name: 'Publier' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const moment = publishedToast(page)
  await expect(moment).toContainText('Votre quiz est en ligne')
  await expect
    .poll(() => moment.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(1200)
  // The editor stays usable while the toast is shown.
  await question(page, 1).fill('Et votre agenda ?')
  await expectAccessible(page)
  await moment.getByRole('button', { name: 'Partager' }).click()
  const share = page.getByRole('dialog', { name: 'Partager le quiz' })
  await expect(share.getByLabel('Lien public')).toBeFocused()
  await expect(share.getByRole('link', { name: 'Envoyer par email' })).toHaveAttribute(
    'href',
    /^mailto:/,
  )
  await expect(share.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
    'href',
    /^https:\/\/wa\.me\//,
  )
})

test('Ctrl Enter publishes immediately after an edit and does not act as Enter in the field', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await publishSample(creator.client, readyScoreQuiz(creator.client))
  await page.route('**/has-changes', () => undefined)
  await page.goto(`/quiz/${id}/questions`)
  await expect(publishButton(page)).toBeDisabled()
  const last = page.getByRole('textbox', { name: 'Réponse 2 de la question 1' })
  await last.fill('Très libre')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog', { name: 'Mettre à jour le quiz' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Réponse 3 de la question 1' })).toHaveCount(0)
  await expect(last).toBeFocused()
})

test('a hidden explanation stays hidden after a reload', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  const { id } = await readyProfilsQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  const box = page.getByRole('heading', { name: 'Comment ça marche ?' })
  await expect(box).toBeVisible()
  await page.getByRole('button', { name: 'Ne plus afficher « Comment ça marche ? »' }).click()
  await expect(box).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel('Nouveau résultat')).toBeVisible()
  await expect(box).toHaveCount(0)
})
