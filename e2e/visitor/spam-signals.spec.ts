import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

type Signs = { elapsed_seconds: number | null; is_trapped: boolean }

/** Completes the quiz and returns the spam signals of the submission. */
const completeQuiz = async (page: Page): Promise<Signs> => {
  const sent = page.waitForRequest('**/submit')
  await choose(page, 'Rempli')
  await enterEmail(page)
  await expectResult(page, 'Pas à pas')
  return (await sent).postDataJSON() as Signs
}

test('a person never meets the hidden trap field, and the answers contain the duration in seconds', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await visitor.keyboard.press('Tab')
  await expect(visitor.locator('[name=url]')).not.toBeFocused()
  await expect(visitor.getByRole('textbox')).toHaveCount(0)
  const { elapsed_seconds, is_trapped } = await completeQuiz(visitor)
  expect(is_trapped).toBe(false)
  expect(Number.isInteger(elapsed_seconds)).toBe(true)
})

test('a program that fills in every field is stored like any other participant, and the creator is warned', {
  tag: '@phone',
}, async ({ creator, visitor, page }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await visitor.locator('[name=url]').evaluate((field: HTMLInputElement) => {
    field.value = 'https://exemple.fr'
  })
  expect((await completeQuiz(visitor)).is_trapped).toBe(true)
  await expect
    .poll(async () => (await creator.client.quizzes.get({ id })).quiz.nb_responses)
    .toBe(1)
  await page.goto(`/quiz/${id}/statistics`)
  const row = page.getByRole('row').nth(1)
  await expect(row.getByText('À vérifier', { exact: true })).toBeVisible()
  await row.getByRole('link', { name: /voir le détail$/ }).click()
  const detail = page.getByRole('dialog')
  await expect(detail.getByText('À vérifier', { exact: true })).toBeVisible()
  await expect(detail.getByText('Un champ invisible a été rempli')).toBeVisible()
  await expect(detail.getByText(/^Rempli en \d+\ss$/)).toBeVisible()
  await expectAccessible(page)
})

test('the hidden trap field belongs to the form that is posted without scripts, and its value is not part of the answers', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const html = await (await visitor.request.get(`/q/${id}`)).text()
  const [, form = ''] = /<input class=q-said name=url form=(\w+) /.exec(html) ?? []
  expect(html.includes(`<form class="q-page" id="${form}"`)).toBe(true)
  const sent = visitor.waitForRequest('**/submit')
  await visitor.goto(`/q/${id}`)
  await completeQuiz(visitor)
  const { answers } = (await sent).postDataJSON() as { answers: Record<string, string> }
  expect(Object.keys(answers)).not.toContain('url')
})
