import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Client } from '../src/contract/client.ts'
import { publishedScoreQuiz, type Ready } from '../src/server/testing/sample-quizzes.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

test.use({ creatorIs: 'signed in' })

const submit = (client: Client, quiz: Ready, choice: 0 | 1, text: string) =>
  client.taking.submit({
    id: quiz.id,
    body: { answers: { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: text } },
  })

const openFirst = async (page: Page): Promise<void> => {
  await page.getByText('Voir les réponses (2)').first().press('Enter')
}

test('a participant’s result is explained, and the participant can be deleted', async ({
  page,
  creator,
}) => {
  const quiz = await publishedScoreQuiz(creator.client)
  await submit(creator.client, quiz, 0, 'ada@exemple.fr')
  await submit(creator.client, quiz, 1, 'alan@exemple.fr')
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await openFirst(page)
  await page.getByRole('button', { name: 'Pourquoi ce résultat ?' }).press('Enter')
  const why = page.getByRole('dialog', { name: 'Pourquoi ce résultat ?' })
  await expect(
    why.getByText(
      '« Grand saut » avec 5 points. Le plus proche ensuite, « Pas à pas », était à 1 point.',
    ),
  ).toBeVisible()
  await expect(why.getByText('+5 points')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const remove = page.getByRole('button', { name: 'Supprimer ce participant' })
  await remove.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Annuler' }).press('Enter')
  await expect(page.getByRole('row')).toHaveCount(3)
  await remove.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).press('Enter')
  await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Tableau des participants' })).toBeFocused()
})

test('a person’s data are given and deleted in every quiz; how long they are kept is chosen', async ({
  page,
  creator,
}) => {
  const quiz = await publishedScoreQuiz(creator.client)
  const other = await publishedScoreQuiz(creator.client)
  for (const one of [quiz, other]) await submit(creator.client, one, 0, 'ada@exemple.fr')
  await submit(creator.client, quiz, 1, 'alan@exemple.fr')
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await page.getByLabel('Adresse email, dans tous vos quiz et sondages').fill('ADA@exemple.fr')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger ses données' }).press('Enter')
  const given = JSON.parse(readFileSync(await (await coming).path(), 'utf8')) as {
    responses: unknown[]
  }
  expect(given.responses).toHaveLength(2)
  await page.getByRole('button', { name: 'Supprimer ses données' }).press('Enter')
  await expect(page.getByText(/^Supprimer 2 participations de ADA@exemple.fr/)).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).press('Enter')
  await expect(page.getByText('2 participations supprimées.')).toBeVisible()
  await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
  await page.getByLabel('Supprimer les réponses après').selectOption('12 mois')
  await expect(page.getByText(/^Aucune suppression n’est prévue/)).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByLabel('Supprimer les réponses après')).toHaveValue('12')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})

test('an open screen hears of new participants, streamed or asked for, and can follow them', async ({
  page,
  creator,
}) => {
  const quiz = await publishedScoreQuiz(creator.client)
  await submit(creator.client, quiz, 0, 'ada@exemple.fr')
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
  await submit(creator.client, quiz, 1, 'alan@exemple.fr')
  await expect(page.getByText('1 nouvelle réponse', { exact: true })).toBeVisible()
  await submit(creator.client, quiz, 1, 'zoe@exemple.fr')
  await expect(page.getByText('2 nouvelles réponses', { exact: true })).toBeVisible()
  await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Actualiser' }).press('Enter')
  await expect(page.getByText('3 participants', { exact: true })).toBeVisible()
  await expect(page.getByText('2 nouvelles réponses')).toHaveCount(0)
  await page.getByLabel('Suivre en direct').press('Space')
  await submit(creator.client, quiz, 1, 'nina@exemple.fr')
  await expect(page.getByText('4 participants', { exact: true })).toBeVisible()
  await page.clock.install()
  await page.route('**/responses/live', (route) => route.abort())
  await page.reload()
  await expect(page.getByText('4 participants', { exact: true })).toBeVisible()
  await submit(creator.client, quiz, 1, 'adele@exemple.fr')
  await page.clock.runFor(20_000)
  await expect(page.getByText('1 nouvelle réponse', { exact: true })).toBeVisible()
})

test('a deletion is no new response, and following live asks for nothing where nothing changes', async ({
  page,
  creator,
}) => {
  const quiz = await publishedScoreQuiz(creator.client)
  await submit(creator.client, quiz, 0, 'ada@exemple.fr')
  await submit(creator.client, quiz, 1, 'alan@exemple.fr')
  let nb_read = 0
  page.on('request', (request) => {
    if (request.url().endsWith(`/quizzes/${quiz.id}`)) nb_read++
  })
  // The live count is not corrected: it stays the one from before the deletion.
  await page.route('**/responses/live', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'data: {"nb_responses":2}\n\n' }),
  )
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await openFirst(page)
  await page.getByRole('button', { name: 'Supprimer ce participant' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).press('Enter')
  await expect(page.getByText('1 participant', { exact: true })).toBeVisible()
  await expect(page.getByText('nouvelle réponse')).toHaveCount(0)
  await page.getByLabel('Suivre en direct').press('Space')
  nb_read = 0
  await page.waitForTimeout(5_000)
  expect(nb_read).toBe(0)
})
