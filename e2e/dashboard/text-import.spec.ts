import { readFile } from 'node:fs/promises'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { failCalls } from '../support/network.ts'
import { chooseCardAction } from '../support/quiz-cards.ts'

const WRONG = `# Quel rythme ?
Type : quiz

## Résultats

### Matin
Palier : zéro à cinq

## Page 1

### Debout à six heures ?
- Oui [+2]
- Non [0] => page trois
`

test('a creator pastes a text, corrects its errors, creates a questionnaire from it, and exports the same text', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await page.getByRole('button', { name: 'Créer un questionnaire' }).click()
  await page.getByRole('button', { name: 'Coller un texte' }).click()
  const dialog = page.getByRole('dialog', { name: 'Coller un texte' })
  const text = dialog.getByLabel('Texte du questionnaire')
  const create = dialog.getByRole('button', { name: 'Créer ce questionnaire' })
  const outline = dialog.getByRole('region', { name: 'Ce qui est compris' })

  await dialog.getByRole('button', { name: 'Insérer un exemple' }).click()
  await expect(text).toBeFocused()
  await expect(outline.getByText('Quiz · par profils · 2 résultats')).toBeVisible()
  await expectAccessible(page)

  await text.fill(WRONG)
  await expect(dialog.getByRole('status')).toHaveText('2 erreurs, la première ligne 7.')
  await expect(text).toHaveAttribute('aria-invalid', 'true')
  const errors = dialog.getByRole('list', { name: 'Erreurs du texte' })
  await expect(errors.getByRole('button')).toHaveText([
    'Ligne 7 : « Palier » attend deux nombres, par exemple « 0 à 5 ».',
    /^Ligne 13\s: «\s=>\s» attend une page/,
  ])
  await expectAccessible(page)

  // The wrong line is selected, so that typed text replaces it.
  await create.click()
  await expect(text).toBeFocused()
  await page.keyboard.insertText('Palier : 0 à 5')
  await errors.getByRole('button', { name: /^Ligne 13/ }).click()
  await page.keyboard.insertText('- Non [0] => fin')
  await expect(errors).toBeHidden()
  await expect(outline.getByText('Matin – de 0 à 5')).toBeVisible()
  await expect(outline.getByText('Non – 0 point, va à la fin')).toBeVisible()

  // The text stays after a failed import and after closing the dialog.
  const restore = await failCalls(page, { method: 'POST', path: '**/api/v1/quizzes/import' })
  await create.click()
  await expect(dialog.getByRole('alert')).toContainText('Votre texte est conservé.')
  await restore()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Créer un questionnaire' }).click()
  await page.getByRole('button', { name: 'Coller un texte' }).click()
  await expect(text).toHaveValue(/- Non \[0\] => fin/)
  const written = await text.inputValue()
  await create.click()

  await expect(page.getByLabel('Nom du quiz')).toHaveValue('Quel rythme ?')
  const { quizzes } = await creator.client.quizzes.list()
  expect(quizzes).toHaveLength(1)
  const { questions } = await creator.client.questions.list({ id: quizzes[0]?.id ?? '' })
  expect(questions.map((question) => question.text)).toEqual(['Debout à six heures ?'])

  await page.goto('/dashboard')
  const downloading = page.waitForEvent('download')
  await chooseCardAction(page, 'Quel rythme ?', 'Exporter en texte')
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/Quel rythme.*\.txt$/)
  const exported = await readFile(await download.path(), 'utf8')
  expect(exported).toBe(written.replace('Type : quiz', 'Type : quiz\nMode : score'))
})

test('on a phone the preview is below the text, and a text that is too long is refused immediately', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Créer un questionnaire' }).click()
  await page.getByRole('button', { name: 'Coller un texte' }).click()
  const dialog = page.getByRole('dialog', { name: 'Coller un texte' })
  const text = dialog.getByLabel('Texte du questionnaire')
  await text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'a'.repeat(1_000_000))
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  })
  await expect(dialog.getByRole('status')).toContainText(/^Ce texte a 1.000.000 caractères/)
  await expect(text).toHaveValue('')
  await text.fill('# Q\n## Page\n### Oui ?\n- Oui')
  const outline = dialog.getByRole('region', { name: 'Ce qui est compris' })
  await expect(outline.getByText('Oui ?')).toBeVisible()
  const [above, below] = [await text.boundingBox(), await outline.boundingBox()]
  expect(below?.y ?? 0).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0))
  await expectAccessible(page)
  expect((await creator.client.quizzes.list()).quizzes).toEqual([])
})
