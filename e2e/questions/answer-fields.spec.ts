import type { Page } from '@playwright/test'
import {
  readyProfilsQuiz,
  readyScoreQuiz,
  readySondage,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, expectSaved, goToStep, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'
import { findSmallTargets, TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

/** The fields of an answer: width, pasted text and announcements. */

const answer = (page: Page, rank: number, number = 1) =>
  page.getByRole('textbox', { name: `Réponse ${rank} de la question ${number}`, exact: true })
const expectAnnouncement = (page: Page, text: string) =>
  expect(page.getByRole('status').getByText(text, { exact: true })).toBeAttached()

/** Pastes a text into the field that has the focus. */
const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    if (document.activeElement?.dispatchEvent(event))
      document.execCommand('insertText', false, pasted)
  }, text)

test('an answer has its own line on phones', { tag: '@rare' }, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await creator.client.quizzes.resetMode({ id })
  await page.goto(`/quiz/${id}/questions`)
  await expect(answer(page, 1)).toBeVisible()
  const boxOf = async (name: string, role: 'textbox' | 'spinbutton' | 'button' | 'group') => {
    const box = await page.getByRole(role, { name, exact: true }).boundingBox()
    if (!box) throw new Error(`${name} is not on screen`)
    return box
  }
  for (const [width, least] of [
    [390, 240],
    [320, 200],
  ] as const)
    await test.step(`in a window ${width} px wide`, async () => {
      await page.setViewportSize({ width, height: 844 })
      const field = await boxOf('Réponse 1 de la question 1', 'textbox')
      expect(field.width).toBeGreaterThanOrEqual(least)
      for (const [name, role] of [
        ['Score – Rempli', 'spinbutton'],
        ['Supprimer la réponse 1 de la question 1', 'button'],
        ['Résultats associés à Rempli', 'group'],
      ] as const)
        expect((await boxOf(name, role)).y, name).toBeGreaterThanOrEqual(field.y + field.height)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
        true,
      )
    })
})

test('a long answer grows, and a line break is never inserted into an answer', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readySondage(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const heightOf = async () => (await answer(page, 1).boundingBox())?.height ?? 0
  const short = await heightOf()
  const long = 'Une réponse qui en dit long sur ce que l’on attend. '.repeat(6).trim()
  await answer(page, 1).fill(long)
  expect(await heightOf()).toBeGreaterThan(short * 1.5)
  expect(await answer(page, 1).evaluate((field) => field.scrollHeight - field.clientHeight)).toBe(0)
  await answer(page, 1).press('Enter')
  await expect(answer(page, 2)).toBeFocused()
  await expect(answer(page, 1)).toHaveValue(long)

  await answer(page, 2).fill('')
  await paste(page, 'Un seul choix\n')
  await expect(answer(page, 2)).toHaveValue('Un seul choix')
  await answer(page, 2).fill('')
  await paste(page, 'Un\nDeux\r\n\nTrois')
  await expect(answer(page, 2)).toHaveValue('Un')
  await expect(answer(page, 4)).toHaveValue('Trois')
  await expect(answer(page, 4)).toBeFocused()
  await expectAnnouncement(page, '3 réponses collées')
  await paste(page, ' matin\n\nSoir\r\nNuit')
  for (const [index, text] of ['Un', 'Deux', 'Troismatin', 'Soir', 'Nuit'].entries())
    await expect(answer(page, index + 2)).toHaveValue(text)
  await expect(answer(page, 6)).toBeFocused()
})

test('pasted answers fill the empty answers below, and one undo empties them again', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readySondage(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 2).focus()
  await addItem(page, 'Choix multiple')
  const answers = page.getByRole('textbox', { name: /^Réponse \d de la question 3$/ })
  await expect(answers).toHaveCount(2)
  await answer(page, 1, 3).focus()
  await paste(page, 'Rouge\nVert\nBleu\nJaune')
  await expect(answers).toHaveCount(4)
  for (const [index, text] of ['Rouge', 'Vert', 'Bleu', 'Jaune'].entries())
    await expect(answers.nth(index)).toHaveValue(text)
  await expect(answer(page, 4, 3)).toBeFocused()
  await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
  await expect(answers).toHaveCount(2)
  await expect(answer(page, 2, 3)).toHaveValue('')
})

test('the name of a filled score stays visible', { tag: '@dom' }, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(page.getByLabel('Score – Libre')).toHaveValue('5')
    // A keypad for digits would have no minus sign on iOS.
    await expect(page.getByLabel('Score – Libre')).not.toHaveAttribute('inputmode')
    await expect(
      page
        .getByRole('listitem')
        .filter({ has: page.getByLabel('Score – Libre') })
        .last()
        .getByText('Score', { exact: true }),
    ).toBeVisible()
  }
})

test('added, moved, duplicated and deleted items and results are announced', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await answer(page, 2).press('Enter')
  await expectAnnouncement(page, 'Réponse 3 ajoutée')
  await answer(page, 3).press('Backspace')
  await expectAnnouncement(page, 'Réponse vide supprimée')
  await question(page, 1).press('ControlOrMeta+d')
  await expectAnnouncement(page, 'Question 2 dupliquée : position 2, page 1')
  await question(page, 2).press('Alt+ArrowUp')
  await expectAnnouncement(page, 'Question 1 déplacée : position 1, page 1')
  await addItem(page, 'Nouvelle page')
  await expectAnnouncement(page, 'Page 3 ajoutée')

  await goToStep(page, 'Résultats')
  const add = page.getByLabel('Nouveau résultat')
  await add.fill('Entre deux')
  await add.press('Enter')
  await expectAnnouncement(page, '« Entre deux » ajouté : position 3 sur 3')
  await paste(page, 'Un\nDeux')
  await expectAnnouncement(page, '2 résultats collés')
  await expect(page.getByLabel('Nom du résultat 5')).toHaveValue('Deux')
  await page.getByLabel('Nom du résultat 3').press('Alt+ArrowUp')
  await expectAnnouncement(page, '« Entre deux » déplacé : position 2 sur 5')
  await page.getByLabel('Nom du résultat 2').fill('')
  await page.getByLabel('Nom du résultat 2').press('Backspace')
  await expectAnnouncement(page, 'Résultat vide supprimé')
  await expectSaved(page)
})

test.describe('the targets on a touch screen', () => {
  test.use(TOUCH)

  test('results, scores and associations have no small target', { tag: '@rare' }, async ({
    page,
    creator,
  }) => {
    const { id } = await readyScoreQuiz(creator.client)
    await page.goto(`/quiz/${id}/results`)
    await expect(page.getByLabel('Nom du résultat 1')).toBeVisible()
    expect(await findSmallTargets(page.locator('main'))).toEqual([])
    await goToStep(page, 'Questions')
    await expect(page.getByLabel('Score – Libre')).toBeVisible()
    expect(await findSmallTargets(page.locator('main'))).toEqual([])
    const profils = await readyProfilsQuiz(creator.client)
    await page.goto(`/quiz/${profils.id}/questions`)
    await expect(page.getByRole('group', { name: 'Tout cocher' })).toBeVisible()
    expect(await findSmallTargets(page.locator('main'))).toEqual([])
  })
})
