import { expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { Client } from '../../src/contract/client/client.ts'
import { expectAccessible } from './fixtures.ts'

/** Actions of a creator on the screens of the editor. */

export const createQuestionnaire = async (
  page: Page,
  kind: 'Quiz avec résultat' | 'Sondage',
): Promise<string> => {
  await page.getByRole('button', { name: 'Créer un questionnaire' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: kind }).click()
  await page.waitForURL(/\/quiz\/[0-9a-f-]+\/(results|questions)$/)
  return page.url().split('/')[4] ?? ''
}

/** Opens a screen without a new load, as the application's links do. */
export const openScreen = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

export const renameQuiz = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel(/^Nom du (quiz|sondage)$/).fill(name)
}

/** Types the name of a new questionnaire, which opens with its name selected. */
export const typeNameOfNewQuiz = async (page: Page, name: string): Promise<void> => {
  const field = page.getByLabel(/^Nom du (quiz|sondage)$/)
  await expect(field).toBeFocused()
  await page.keyboard.type(name)
  await expect(field).toHaveValue(name)
}

export const addResults = async (page: Page, names: string[]): Promise<void> => {
  for (const name of names) {
    await page.getByLabel('Nouveau résultat').fill(name)
    await page.getByLabel('Nouveau résultat').press('Enter')
  }
}

export const goToQuestions = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Continuer vers les questions' }).click()
  await expect(page.getByRole('heading', { name: 'Page 1' })).toBeVisible()
}

/** Opens a step of the editor by its link, which is faster than loading the screen. */
export const goToStep = async (
  page: Page,
  name: 'Résultats' | 'Questions' | 'Réglages',
): Promise<void> => {
  const steps = page.getByRole('navigation', { name: 'Étapes' })
  await steps.getByRole('link', { name }).click()
  await expect(steps.locator('[aria-current=step]')).toContainText(name)
}

export const addItem = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Ajouter un élément' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

export const question = (page: Page, number: number): Locator =>
  page.getByRole('textbox', { name: `Question ${number}`, exact: true })

/**
 * Returns the texts of the items of each page, in order; '' for an item without a text area. During a drop, the moved
 * item occurs twice.
 */
export const readPages = (page: Page): Promise<string[][]> =>
  page
    .locator('section[aria-labelledby^="page-"]')
    .evaluateAll((sections) =>
      sections.map((section) =>
        [...section.querySelectorAll('[data-item]')].map(
          (item) => item.querySelector('textarea')?.value ?? '',
        ),
      ),
    )

/** Adds a multiple-choice question with these answers, by keyboard. */
export const addMultipleChoice = async (
  page: Page,
  number: number,
  { text, answers }: { text: string; answers: string[] },
): Promise<void> => {
  await addItem(page, 'Choix multiple')
  await question(page, number).fill(text)
  await question(page, number).press('Enter')
  for (const [index, answer] of answers.entries()) {
    const field = page.getByRole('textbox', {
      name: `Réponse ${index + 1} de la question ${number}`,
    })
    await expect(field).toBeFocused()
    await field.fill(answer)
    if (index < answers.length - 1) await field.press('Enter')
  }
}

/** Adds a question of a kind that has no answers to choose from. */
export const addOpenQuestion = async (
  page: Page,
  number: number,
  { kind, text }: { kind: string; text: string },
): Promise<void> => {
  await addItem(page, kind)
  await question(page, number).fill(text)
}

export const expectSaved = async (page: Page): Promise<void> => {
  await expect(page.getByText('Enregistré', { exact: true })).toBeVisible()
}

/** Undoes all edits since the questionnaire was opened. */
export const undoAll = async (page: Page): Promise<void> => {
  const undo = page.getByRole('button', { name: 'Annuler la dernière modification' })
  while (await undo.isEnabled()) await undo.click()
}

/** Publishes on the screen and returns the public link. */
export const publish = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
  await dialog.getByRole('button', { name: 'Publier' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Publié', { exact: true })).toBeVisible()
  return readPublicLink(page)
}

/** The toast of a publication, or of an update of a published questionnaire. */
export const publishedToast = (page: Page): Locator =>
  page.getByRole('status').filter({ hasText: /(Quiz|Sondage) (publié|mis à jour)/ })

/** Opens the share dialog, closes it and returns the public link. */
export const readPublicLink = async (page: Page): Promise<string> => {
  await publishedToast(page).getByRole('button', { name: 'Partager' }).click()
  const dialog = page.getByRole('dialog', { name: 'Partager le quiz' })
  const link = await dialog.getByLabel('Lien public').inputValue()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  return link
}

/** Answers the questions of a public page and presses its last button, which continues or submits. */
export const answerPage = async (
  page: Page,
  { choose = [], type = {} }: { choose?: string[]; type?: Record<string, string> },
): Promise<void> => {
  for (const answer of choose) await page.getByRole('radio', { name: answer, exact: true }).check()
  for (const [label, text] of Object.entries(type)) await page.getByLabel(label).fill(text)
  await page.getByRole('button', { name: /^(Suivant|Voir le résultat|Envoyer)$/ }).click()
}

/** Presses the switch of the first tool of a quiz, and chooses in the consent dialog whether participants get a box. */
export const switchFirstToolOn = async (
  page: Page,
  card: Locator,
  { hasBox }: { hasBox: boolean },
): Promise<void> => {
  await card.getByRole('switch').click()
  const dialog = page.getByRole('dialog', {
    name: 'Comment vos participants donnent-ils leur accord',
  })
  await expect(
    dialog.getByLabel('Une case à cocher sous la question email (recommandé)'),
  ).toBeChecked()
  if (!hasBox) await dialog.getByLabel("Sans case : mon questionnaire annonce l'envoi").check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Activer/ }).click()
  await expect(card.getByRole('switch')).toBeChecked()
}

/** Enables the first tool of a quiz, and waits until the choice is stored. */
export const enableFirstTool = async (
  page: Page,
  card: Locator,
  choice: { hasBox: boolean },
): Promise<void> => {
  await switchFirstToolOn(page, card, choice)
  // The switch shows the choice at once, and is busy until it is stored.
  await expect(card.getByRole('switch')).not.toHaveAttribute('aria-busy')
}

/** Writes a welcome that fills all of its fields, by the API. */
export const writeWelcome = async (client: Client, id: string): Promise<void> => {
  const picture = await sharp({
    create: { width: 800, height: 600, channels: 3, background: '#c8562a' },
  })
    .png()
    .toBuffer()
  const { image } = await client.images.add({ body: new Uint8Array(picture) })
  await client.quizzes.update({
    id,
    body: {
      welcome_title: 'Bienvenue dans un questionnaire dont le titre est trop long pour une ligne',
      welcome_text: 'Deux minutes.\n'.repeat(8),
      welcome_button: 'On y va',
      welcome_image_id: image.id,
      welcome_image_alt: '',
    },
  })
}

/** Pastes a text into a field, by the keyboard. */
export const pasteInto = async (field: Locator, text: string): Promise<void> => {
  const page = field.page()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await field.focus()
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+v')
}

/** Types a lone surrogate, which PostgreSQL cannot store. */
export const typeHalfCharacter = (field: Locator): Promise<void> =>
  field.evaluate((element: HTMLInputElement) => {
    element.focus()
    element.setSelectionRange(element.value.length, element.value.length)
    document.execCommand('insertText', false, String.fromCharCode(0xd83d))
  })

/** Opens these screens of a questionnaire and expects that they are accessible. */
export const expectAccessibleScreens = async (
  page: Page,
  id: string,
  screens: string[],
): Promise<void> => {
  for (const screen of screens) {
    await page.goto(`/quiz/${id}/${screen}`)
    await expect(page.locator('main h2:not([inert] *), main [role=tab]').first()).toBeVisible()
    await expectAccessible(page)
  }
}
