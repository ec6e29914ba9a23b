import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import {
  test as creatorTest,
  expect,
  expectAccessible,
  visitorTest as test,
} from '../support/fixtures.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

type Submission = {
  answers: Record<string, string>
  elapsed_seconds: number | null
  is_trapped: boolean
}

/** Completes the quiz and returns the submission with its spam signals. */
const completeQuiz = async (page: Page): Promise<Submission> => {
  const sent = page.waitForRequest('**/submit')
  await choose(page, 'Rempli')
  await enterEmail(page)
  await expectResult(page, 'Pas à pas')
  return (await sent).postDataJSON() as Submission
}

test('a person never meets the hidden trap field, and the answers contain the duration in seconds but not the field', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  await visitor.keyboard.press('Tab')
  await expect(visitor.locator('[name=remarque]')).not.toBeFocused()
  await expect(visitor.getByRole('textbox')).toHaveCount(0)
  const { answers, elapsed_seconds, is_trapped } = await completeQuiz(visitor)
  expect(is_trapped).toBe(false)
  expect(Number.isInteger(elapsed_seconds)).toBe(true)
  expect(Object.keys(answers)).not.toContain('url')

  // Without scripts, the field belongs to the form that is posted.
  const html = await (await visitor.request.get(`/q/${id}`)).text()
  const [, form = ''] = /<input class=q-said name=remarque form=(\w+) /.exec(html) ?? []
  expect(html.includes(`<form class="q-page" id="${form}"`)).toBe(true)
})

creatorTest.use({ creatorIs: 'signed in' })
creatorTest(
  'a program that fills in every field is stored like any other participant, and the creator is warned',
  { tag: ['@phone', '@rare'] },
  async ({ creator, visitor, page }) => {
    const { id } = await publishedScoreQuiz(creator.client)
    await visitor.goto(`/q/${id}`)
    await visitor.locator('[name=remarque]').evaluate((field: HTMLInputElement) => {
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
  },
)
