import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

/** Files of other products, reviewed as a text before the questionnaire is created. */

const FILES = new URL('../../src/domain/testing/foreign-files/', import.meta.url)

const openCreation = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Créer un questionnaire' }).click()
  return page.getByRole('dialog', { name: 'Créer un questionnaire' })
}
type Chosen = { name: string; buffer: Buffer }

const chooseFile = async (page: Page, dialog: Locator, { name, buffer }: Chosen): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Importer un fichier' }).focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer })
}
const fixture = (name: string): Chosen => ({ name, buffer: readFileSync(new URL(name, FILES)) })

test('a creator reviews a file of another product by keyboard and creates it', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await chooseFile(page, await openCreation(page), fixture('typeform-score.json'))
  const dialog = page.getByRole('dialog', { name: 'Coller un texte' })
  const review = dialog.getByRole('region', { name: 'Repris de Typeform' })
  const status = review.getByRole('status')
  const list = review.getByRole('list', { name: 'Ce qui n’est pas repris' })
  const outline = dialog.getByRole('region', { name: 'Ce qui est compris' })
  await atEachWidth(page, [1440, 390], async () => {
    await expect(status).toHaveText(/^7 éléments ne sont pas repris/)
    await expect(list.getByRole('listitem')).toHaveCount(7)
    await expect(list).toContainText('le genre « file_upload » n’existe pas ici')
    await expect(outline.getByText('Quiz · par score · 2 résultats')).toBeVisible()
    await expectAccessible(page)
  })
  expect((await creator.client.quizzes.list()).quizzes).toEqual([])

  // A remark leads to the line of its question, also after lines were added above.
  const text = dialog.getByLabel('Texte du questionnaire')
  await text.focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('End')
  await page.keyboard.insertText('\n')
  const link = list.getByRole('listitem').filter({ hasText: 'Le retour en arrière' })
  await expect(link.getByRole('button')).toHaveText(/Ligne 37/)
  await link.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect(text).toBeFocused()
  const selected = await text.evaluate((field: HTMLTextAreaElement) =>
    field.value.slice(field.selectionStart, field.selectionEnd),
  )
  expect(selected).toBe('### Combien d’heures par semaine ?')

  await dialog.getByRole('button', { name: 'Créer ce questionnaire' }).click()
  await expect(page.getByLabel('Nom du quiz')).toHaveValue('Êtes-vous prêt à vous lancer ?')
  const { quizzes } = await creator.client.quizzes.list()
  expect(quizzes).toHaveLength(1)
  const { questions } = await creator.client.questions.list({ id: quizzes[0]?.id ?? '' })
  expect(questions).toHaveLength(5)
})

test('files of Typebot and Google Forms are detected by their content, and an abandoned review creates nothing', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const files = [
    ['typebot-v6.json', 'Typebot', 'Quelle formule choisir ?'],
    ['google-forms-quiz.json', 'Google Forms', 'Sécurité au bureau'],
    ['google-forms-answers.csv', 'Google Forms', 'google-forms-answers'],
  ] as const
  for (const [name, product, title] of files) {
    await chooseFile(page, await openCreation(page), {
      ...fixture(name),
      name: name.replace('.json', '.txt'),
    })
    const dialog = page.getByRole('dialog', { name: 'Coller un texte' })
    await expect(dialog.getByRole('region', { name: `Repris de ${product}` })).toBeVisible()
    await expect(dialog.getByRole('region', { name: 'Ce qui est compris' })).toContainText(title)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  expect((await creator.client.quizzes.list()).quizzes).toEqual([])

  // The text of the last review is kept, and emptying the text ends the review.
  await (await openCreation(page)).getByRole('button', { name: 'Coller un texte' }).click()
  const dialog = page.getByRole('dialog', { name: 'Coller un texte' })
  const text = dialog.getByLabel('Texte du questionnaire')
  await expect(text).toHaveValue(/^# google-forms-answers/)
  await text.fill('')
  await expect(dialog.getByRole('region', { name: /^Repris de/ })).toBeHidden()
  await expect(dialog.getByText('Faire écrire le texte par votre assistant')).toBeVisible()
})

test('a file takes the place of a written text, which can be restored', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  await (await openCreation(page)).getByRole('button', { name: 'Coller un texte' }).click()
  const dialog = page.getByRole('dialog', { name: 'Coller un texte' })
  const text = dialog.getByLabel('Texte du questionnaire')
  await text.fill('# Le mien')
  await dialog.getByRole('button', { name: 'Retour aux choix' }).click()
  const choices = page.getByRole('dialog', { name: 'Créer un questionnaire' })
  await chooseFile(page, choices, fixture('typebot-v6.json'))
  await expect(text).toHaveValue(/^# Quelle formule choisir/)
  await dialog.getByRole('button', { name: 'Reprendre votre texte précédent' }).click()
  await expect(text).toBeFocused()
  await expect(text).toHaveValue('# Le mien')
  await expect(dialog.getByRole('region', { name: /^Repris de/ })).toBeHidden()
  expect((await creator.client.quizzes.list()).quizzes).toEqual([])
})

test('files that cannot be imported are refused in French, and nothing is created', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const dialog = await openCreation(page)
  const alert = dialog.getByRole('alert').filter({ hasText: 'Rien n’a été créé' })
  const refused: [Chosen, RegExp][] = [
    [
      { name: 'lourd.json', buffer: Buffer.alloc(5 * 1_048_576 + 1, '{"groups":[') },
      /trop lourd\s: 5 Mo au plus/,
    ],
    [{ name: 'vide.csv', buffer: Buffer.from('') }, /Ce fichier est vide/],
    [
      { name: 'coupe.json', buffer: fixture('typebot-v6.json').buffer.subarray(0, 900) },
      /incomplet ou abîmé/,
    ],
    [{ name: 'autre.json', buffer: Buffer.from('{"a":1}') }, /Ce fichier n’est pas reconnu/],
    [
      { name: 'sans.json', buffer: Buffer.from('{"title":"T","fields":[],"logic":[]}') },
      /aucune question à reprendre/,
    ],
    [{ name: 'photo.png', buffer: Buffer.from([137, 80, 78, 71, 0, 255]) }, /n’est pas reconnu/],
  ]
  for (const [file, reason] of refused) {
    await chooseFile(page, dialog, file)
    await expect(alert).toContainText(reason)
  }
  await expectAccessible(page)
  expect((await creator.client.quizzes.list()).quizzes).toEqual([])
})
