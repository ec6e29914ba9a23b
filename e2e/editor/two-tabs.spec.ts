import type { Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** Two tabs or two authors edit the same quiz (docs/decisions/012). */

const openInTwoTabs = async (page: Page, path: string): Promise<Page> => {
  await page.goto(path)
  const other = await page.context().newPage()
  await other.goto(path)
  return other
}

test('two tabs that edit different fields keep both edits and show the edits of the other tab', async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  const other = await openInTwoTabs(page, `/quiz/${id}/questions`)
  await expect(question(other, 1)).toBeVisible()
  await question(page, 1).fill('Votre semaine ?')
  await expect(question(other, 1)).toHaveValue('Votre semaine ?')
  await question(other, 2).fill('Votre adresse ?')
  await page.getByLabel('Score – Rempli').fill('7')
  await expect(question(page, 2)).toHaveValue('Votre adresse ?')
  await expectSaved(page)
  await expectSaved(other)
  const { questions } = await creator.client.questions.list({ id })
  expect(questions.map(({ text }) => text)).toEqual(['Votre semaine ?', 'Votre adresse ?'])
  expect(questions[0]?.answers[0]?.score).toBe(7)
})

test('a field that was changed in two tabs asks which text to keep', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).fill('Ma question ?')
  await question(page, 2).fill('Mon adresse ?')
  // A second author saves first.
  const { revision, questions } = await creator.client.drafts.get({ id })
  const texts = ['Sa question ?', 'Son adresse ?']
  await creator.client.drafts.save({
    id,
    body: {
      based_on: revision,
      questions: questions.map((one, index) => ({ id: one.id, text: texts[index] })),
    },
  })

  const dialog = page.getByRole('alertdialog', { name: 'Modifié aussi ailleurs' })
  await expect(dialog).toBeVisible()
  await expect(dialog).toContainText('Texte de la question 1')
  await expect(dialog).toContainText('Ma question ?')
  await expect(dialog).toContainText('Sa question ?')
  await expectAccessible(page)
  // The dialog opens while the creator types, so the next keys must not answer it.
  await page.keyboard.type(' encore\n')
  await expect(dialog).toContainText('Texte de la question 1')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Garder la mienne' }).click()
  await expect(dialog).toContainText('Texte de la question 2')
  await dialog.getByRole('button', { name: "Garder l'autre" }).click()
  await expect(dialog).toBeHidden()

  await expect(question(page, 1)).toHaveValue('Ma question ?')
  await expect(question(page, 2)).toHaveValue('Son adresse ?')
  await expectSaved(page)
  const stored = await creator.client.questions.list({ id })
  expect(stored.questions.map(({ text }) => text)).toEqual(['Ma question ?', 'Son adresse ?'])
})

test('a row stays if one editor deletes it while the other editor edits it', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id, result_ids } = await readyScoreQuiz(creator.client)
  const [, resultId = ''] = result_ids
  await page.goto(`/quiz/${id}/results`)
  await page.getByLabel('Nom du résultat 2').fill('Bond en avant')
  await creator.client.results.remove({ id, resultId })
  await expectSaved(page)
  const { results } = await creator.client.results.list({ id })
  expect(results.map(({ name }) => name)).toEqual(['Pas à pas', 'Bond en avant'])
})

test('a tab of a published quiz shows the edits of another tab as soon as it is visible', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  await expect(page.getByLabel('Nom du résultat 1')).toHaveValue('Pas à pas')
  const [resultId = ''] = (await creator.client.results.list({ id })).results.map((one) => one.id)
  await creator.client.results.update({ resultId, body: { name: 'Doucement' } })
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
  await expect(page.getByLabel('Nom du résultat 1')).toHaveValue('Doucement')
})
