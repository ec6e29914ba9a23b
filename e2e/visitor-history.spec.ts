import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../src/server/testing/sample-quizzes.ts'
import { expect, test } from './fixtures.ts'
import { CAMILLE, choose, expectParticipants, expectResult, writeTo } from './taking.ts'

const expectPage = (page: Page, number: number): Promise<void> =>
  expect(page.getByText(`${number} / 2`, { exact: true })).toBeVisible()

test('Back goes one page back, Forward one forward, and leaving works', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto('/login')
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await expectPage(visitor, 2)
  await visitor.goBack()
  await expectPage(visitor, 1)
  await expect(visitor.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(visitor.getByRole('radio', { name: 'Libre' })).toBeChecked()
  await visitor.goForward()
  await expectPage(visitor, 2)
  await visitor.getByRole('button', { name: 'Précédent' }).click()
  await expectPage(visitor, 1)
  await visitor.goBack()
  await expect(visitor).toHaveURL(/\/login$/)
  await visitor.goForward()
  await expectPage(visitor, 1)
  await expect(visitor.getByRole('radio', { name: 'Libre' })).toBeChecked()
})

test('a reload and another tab keep a page to go back to', async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await expectPage(visitor, 2)
  await visitor.reload()
  await expectPage(visitor, 2)
  await visitor.goBack()
  await expectPage(visitor, 1)
  await visitor.goForward()
  await expectPage(visitor, 2)
  const context = visitor.context()
  await visitor.close()
  const next = await context.newPage()
  await next.goto(`/q/${id}`)
  await expectPage(next, 2)
  await next.goBack()
  await expectPage(next, 1)
})

test('after the result, Back shows the answers as they were given, and nothing is sent again', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await writeTo(visitor)
  await expectResult(visitor, 'Grand saut')
  await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
  await visitor.goBack()
  await expect(visitor.getByLabel('Où vous écrire ?')).toHaveValue(CAMILLE)
  await expect(visitor.getByLabel('Où vous écrire ?')).toBeDisabled()
  await visitor.goBack()
  await expect(visitor.getByRole('radio', { name: 'Libre' })).toBeChecked()
  await expect(visitor.getByRole('radio', { name: 'Rempli' })).toBeDisabled()
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await visitor.getByRole('button', { name: 'Voir le résultat' }).click()
  await expectResult(visitor, 'Grand saut')
  await expect.poll(() => visitor.evaluate(() => Object.keys(localStorage))).toEqual([])
  await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
})

test('a new taking after the end begins on the first page, and Back leaves it', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto('/login')
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await writeTo(visitor)
  await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
  await expect.poll(() => visitor.evaluate(() => Object.keys(localStorage))).toEqual([])
  await visitor.reload()
  await expectPage(visitor, 1)
  await expect(visitor.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect.poll(() => visitor.evaluate(() => history.state?.page_index ?? 0)).toBe(0)
  await visitor.goBack()
  await expect(visitor).toHaveURL(/\/login$/)
})

test('Forward never passes a page whose answer was taken away', async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const { questions } = await creator.client.questions.list({ id })
  const [first, second] = questions.map((question) => question.id)
  await creator.client.questions.update({ id: first ?? '', body: { page_number: 2 } })
  await creator.client.questions.update({ id: second ?? '', body: { page_number: 1 } })
  await creator.client.quizzes.publish({ id })
  await visitor.goto(`/q/${id}`)
  await writeTo(visitor)
  await expectPage(visitor, 2)
  await visitor.goBack()
  await visitor.getByLabel('Où vous écrire ?').fill('')
  await visitor.goForward()
  await expect.poll(() => visitor.evaluate(() => history.state?.page_index ?? 0)).toBe(0)
  await expectPage(visitor, 1)
  await expect(visitor.getByRole('button', { name: 'Suivant' })).toBeDisabled()
})
