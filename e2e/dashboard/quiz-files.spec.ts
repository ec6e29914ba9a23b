import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { delayCalls } from '../support/network.ts'
import { chooseCardAction } from '../support/quiz-cards.ts'

test.use({ creatorIs: 'signed in' })

/** Export of a questionnaire as a file, and import of the file as a new questionnaire. */

const NAME = 'Quel rythme ?'

/** Runs `act` and returns the name and content of the downloaded file. */
const download = async (page: Page, act: () => Promise<void>) => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  const text = await readFile(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), text }
}

const importFile = async (page: Page, dialog: Locator, text: string): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Importer un fichier' }).click()
  const buffer = Buffer.from(text)
  await (await chooser).setFiles({ name: 'quiz.json', mimeType: 'application/json', buffer })
}

test('a creator exports a quiz as a file and imports it again, and a wrong file shows the reason and creates nothing', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client, NAME)
  await page.goto('/dashboard')
  const { name, text } = await download(page, () => chooseCardAction(page, NAME, 'Exporter (JSON)'))
  expect(name).toMatch(/^Quel rythme .?\.json$/)
  await expect(page.getByText('« Quel rythme ? » est dans vos téléchargements')).toBeVisible()

  await page.getByRole('button', { name: 'Créer un questionnaire' }).click()
  const dialog = page.getByRole('dialog', { name: 'Créer un questionnaire' })
  const ways = dialog.getByRole('region', { name: 'Autres façons de commencer' })
  await importFile(page, ways, text.replace('"schema_version":4', '"schema_version":5'))
  const alert = ways.getByRole('alert')
  await expect(alert).toContainText('Ce fichier vient d’une version plus récente de Quizaine')
  await expectAccessible(page)
  expect((await client.quizzes.list()).quizzes).toHaveLength(1)

  const release = await delayCalls(page, { method: 'POST', path: '**/import-file' })
  await importFile(page, ways, text)
  await expect(ways.getByRole('progressbar')).toBeVisible()
  await expect(alert).toHaveCount(0)
  release()
  await expect(page).toHaveURL(/\/quiz\/[0-9a-f-]+\/results$/)
  await expect(page.getByRole('textbox', { name: 'Nom du quiz' })).toHaveValue(NAME)
  await expect(page).not.toHaveURL(new RegExp(id))
  expect((await client.quizzes.list()).quizzes).toHaveLength(2)

  // The editor of the imported quiz exports the same file, with the newly typed name.
  await page.getByRole('textbox', { name: 'Nom du quiz' }).fill('Votre tempo')
  const again = await download(page, async () => {
    await page.getByRole('button', { name: 'Statut : Brouillon' }).click()
    await page.getByRole('menuitem', { name: 'Exporter (JSON)' }).click()
  })
  expect(again.text).toBe(text.replace(`"name":"${NAME}"`, '"name":"Votre tempo"'))
})
