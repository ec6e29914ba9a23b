import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { failCalls } from '../support/network.ts'

test.use({ creatorIs: 'signed in' })

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const title = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Puts questionnaires with these names in the trash, the last one first, and opens the trash. */
const openTrash = async (page: Page, client: Client, names: string[]): Promise<void> => {
  for (const name of names) {
    const { quiz } = await client.quizzes.create({ body: { name, type: 'quiz' } })
    await client.quizzes.remove({ id: quiz.id })
  }
  await page.goto('/corbeille')
}

test('a creator finds a deleted questionnaire in the trash by keyboard and restores it @phone', async ({
  page,
  creator: { client },
}) => {
  const { id } = await publishedScoreQuiz(client, 'Quel rythme ?')
  await client.quizzes.remove({ id })
  await page.goto('/dashboard')
  const link = page.getByRole('link', { name: 'Corbeille (1)' })
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(title(page, 'Corbeille')).toBeFocused()
  const deleted = row(page, 'Quel rythme ?')
  await expect(deleted).toContainText('Quiz, aucun participant')
  await expect(deleted).toContainText('30 jours restants')
  await expectAccessible(page)
  await deleted.getByRole('button', { name: 'Restaurer' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText('« Quel rythme ? » est restauré.')).toBeVisible()
  await expect(title(page, 'La corbeille est vide')).toBeVisible()
  await expect(title(page, 'Corbeille')).toBeFocused()
  await expectAccessible(page)
  const { quiz } = await client.quizzes.get({ id })
  expect(quiz.status).toBe('Publié')
  await page.getByRole('link', { name: 'L’ouvrir' }).click()
  await expect(page).toHaveURL(new RegExp(`/quiz/${id}/results$`))
})

test('a creator deletes a questionnaire for ever and empties the trash after a question', async ({
  page,
  creator: { client },
}) => {
  await openTrash(page, client, ['Un', 'Deux', 'Trois'])
  await expect(page.getByRole('listitem').getByRole('heading')).toHaveText(['Trois', 'Deux', 'Un'])
  await row(page, 'Deux').getByRole('button', { name: 'Supprimer définitivement' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(
    'Supprimer définitivement le quiz « Deux » ? Aucun participant n’a répondu. Cette action est irréversible.',
  )
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Annuler' }).click()
  await expect(row(page, 'Deux')).toBeVisible()
  await row(page, 'Deux').getByRole('button', { name: 'Supprimer définitivement' }).click()
  await dialog.getByRole('button', { name: 'Supprimer définitivement' }).click()
  await expect(page.getByRole('status').getByText('« Deux » est supprimé')).toBeVisible()
  await expect(title(page, 'Un')).toBeFocused()

  await page.getByRole('button', { name: 'Vider la corbeille' }).click()
  await expect(dialog).toContainText(
    'Supprimer définitivement les 2 questionnaires de la corbeille ?',
  )
  await dialog.getByRole('button', { name: 'Vider la corbeille' }).click()
  await expect(title(page, 'La corbeille est vide')).toBeVisible()
  expect((await client.quizzes.list()).nb_trashed).toBe(0)
})

test('a failed trash says so and is loaded again, and a failed restoration keeps its row', async ({
  page,
  creator: { client },
}) => {
  const mend = await failCalls(page, { method: 'GET', path: '**/api/v1/quizzes?trash=1' })
  await openTrash(page, client, ['Un'])
  await expect(page.getByRole('alert')).toBeVisible()
  await mend()
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await expect(row(page, 'Un')).toBeVisible()
  const mendAgain = await failCalls(page, { method: 'POST', path: '**/restore' })
  await row(page, 'Un').getByRole('button', { name: 'Restaurer' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('« Un » n’a pas pu être restauré.')
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await mendAgain()
  await row(page, 'Un').getByRole('button', { name: 'Restaurer' }).click()
  await expect(title(page, 'La corbeille est vide')).toBeVisible()
})

test('a tab that is open in the editor offers the trash, and loses no edit', async ({
  page,
  creator: { client },
}) => {
  const { id } = await publishedScoreQuiz(client, 'Quel rythme ?')
  await page.goto(`/quiz/${id}/questions`)
  const question = page.getByRole('textbox', { name: 'Question 1', exact: true })
  await expect(question).toBeVisible()
  await client.quizzes.remove({ id })
  await question.fill('Une autre question ?')
  await expect(page.getByRole('alert')).toContainText('Ce questionnaire est dans la corbeille')
  await page.getByRole('link', { name: 'Ouvrir la corbeille' }).click()
  // The editor says that the edit is kept on this device, as it does after every refused save.
  await page.getByRole('alertdialog').getByRole('button', { name: 'Annuler' }).click()
  await row(page, 'Quel rythme ?').getByRole('button', { name: 'Restaurer' }).click()
  await page.getByRole('link', { name: 'L’ouvrir' }).click()
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await expect
    .poll(async () => (await client.questions.list({ id })).questions.map(({ text }) => text))
    .toContain('Une autre question ?')
})

test('the address of a trashed questionnaire in the editor offers the trash', async ({
  page,
  creator: { client },
}) => {
  const { id } = await publishedScoreQuiz(client)
  await client.quizzes.remove({ id })
  await page.goto(`/quiz/${id}/settings`)
  await expect(title(page, 'Quiz introuvable')).toBeVisible()
  await expect(page.getByText('Ce questionnaire est dans la corbeille')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Ouvrir la corbeille' }).click()
  await expect(title(page, 'Corbeille')).toBeVisible()
})
