import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, visitorTest as test } from '../support/fixtures.ts'
import {
  CAMILLE,
  choose,
  enterEmail,
  expectParticipants,
  expectResult,
} from '../support/visitor-steps.ts'

const expectPage = (page: Page, number: number): Promise<void> =>
  expect(page.getByText(`${number} / 2`, { exact: true })).toBeVisible()

test('Back and Forward go from page to page and out of the quiz, also after a reload, and another tab starts a new run', async ({
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

  await test.step('a reload keeps the previous page', async () => {
    await visitor.getByRole('button', { name: 'Suivant' }).click()
    await expectPage(visitor, 2)
    await visitor.reload()
    await expectPage(visitor, 2)
    await visitor.goBack()
    await expectPage(visitor, 1)
    await visitor.goForward()
    await expectPage(visitor, 2)
  })

  await test.step('another tab starts a new run', async () => {
    const context = visitor.context()
    await visitor.close()
    const next = await context.newPage()
    await next.goto(`/q/${id}`)
    await expectPage(next, 1)
    await expect(next.getByRole('radio', { checked: true })).toHaveCount(0)
  })
})

test('after the result, Back shows the chosen answers without typed texts, and sends nothing again', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
  await visitor.goBack()
  await expect(visitor.getByLabel('Où vous écrire ?')).toHaveValue('')
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

test('the result is still shown after a reload of its tab, and another visit begins on the first page', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
  await expect.poll(() => visitor.evaluate(() => Object.keys(localStorage))).toEqual([])
  // The result stays the same even if the creator changes the quiz.
  const [result] = (await creator.client.results.list({ id })).results.toReversed()
  const renamed = { resultId: result?.id ?? '', body: { name: 'Tout autre chose' } }
  await creator.client.results.update(renamed)
  await creator.client.quizzes.publish({ id })
  for (let visit = 0; visit < 2; visit++) {
    await visitor.reload()
    await expectResult(visitor, 'Grand saut')
  }
  await visitor.goto(`/q/${id}`)
  await expectPage(visitor, 1)
  await expect(visitor.getByRole('radio', { checked: true })).toHaveCount(0)
  await choose(visitor, 'Rempli')
  const other = await publishedScoreQuiz(creator.client, 'Un autre')
  await visitor.goto(`/q/${other.id}`)
  await expectPage(visitor, 1)
  await visitor.goto(`/q/${id}`)
  await expectPage(visitor, 1)
  await expect(visitor.getByRole('radio', { checked: true })).toHaveCount(0)
  await expectParticipants(creator.client, id, [`${CAMILLE}: Libre → Grand saut`])
})

test('Forward never passes a page whose answer was removed', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const { questions } = await creator.client.questions.list({ id })
  const [first, second] = questions.map((question) => question.id)
  await creator.client.questions.update({ id: first ?? '', body: { page_number: 2 } })
  await creator.client.questions.update({ id: second ?? '', body: { page_number: 1 } })
  await creator.client.quizzes.publish({ id })
  await visitor.goto(`/q/${id}`)
  await enterEmail(visitor)
  await expectPage(visitor, 2)
  await visitor.goBack()
  await visitor.getByLabel('Où vous écrire ?').fill('')
  await visitor.goForward()
  await expect.poll(() => visitor.evaluate(() => history.state?.page_index ?? 0)).toBe(0)
  await expectPage(visitor, 1)
  await expect(visitor.getByRole('button', { name: 'Suivant' })).toBeDisabled()
})
