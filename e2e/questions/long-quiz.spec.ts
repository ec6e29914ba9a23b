import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const QUESTIONS = 60

/** Factor by which a slow machine is slower than this one. */
const SLOWDOWN = 4

/** Creates a score quiz with very many questions; one answer of the last question has no score. */
const createLongQuiz = async (client: Client): Promise<string> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Très long', type: 'quiz' } })
  const results = [
    { name: 'Peu', min_score: 0, max_score: QUESTIONS },
    { name: 'Beaucoup', min_score: QUESTIONS + 1, max_score: 2 * QUESTIONS },
  ]
  await client.results.saveAll({ id: quiz.id, body: { results } })
  const questions = Array.from({ length: QUESTIONS }, (_, index) => ({
    id: randomUUID(),
    text: `Question du jour ${index + 1}`,
    type: 'multiple_choice' as const,
    global_position: index,
    page_number: 1 + Math.floor(index / 5),
    answers: [1, 2].map((rank) => ({
      id: randomUUID(),
      text: `Choix ${rank} du jour ${index + 1}`,
      score: index === QUESTIONS - 1 && rank === 2 ? null : rank,
      associations: [],
    })),
  }))
  await client.questions.saveDraft({ id: quiz.id, body: { questions, quiz_mode: 'score' } })
  return quiz.id
}

const problems = (page: Page): Locator => page.getByRole('button', { name: '1 point à corriger' })

/** Goes from the list of problems to the missing score of the last question, and fills it in. */
const expectProblemLeadsToLastScore = async (page: Page, timeout: number): Promise<void> => {
  await problems(page).click()
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').click()
  const score = page.getByLabel(`Score – Choix 2 du jour ${QUESTIONS}`)
  await expect(score).toBeFocused({ timeout })
  await expect(score).toBeInViewport()
  await page.keyboard.type('2')
  await expect(problems(page)).toHaveCount(0)
}

test('items far from the visible area show their text, and their fields appear on scroll, focus, Tab and from the list of problems', async ({
  page,
  creator,
}) => {
  const id = await createLongQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await expect(question(page, QUESTIONS)).toBeAttached()
  const far = page.getByRole('textbox', { name: 'Réponse 1 de la question 30', exact: true })
  await expect(page.getByText('Choix 1 du jour 30', { exact: true })).toBeAttached()
  await expect(far).toHaveCount(0)

  await question(page, 30).scrollIntoViewIfNeeded()
  await expect(far).toHaveValue('Choix 1 du jour 30')
  await far.fill('Un autre choix')
  await page.getByText('Enregistré', { exact: true }).waitFor()
  await question(page, 1).scrollIntoViewIfNeeded()
  await expect(page.getByRole('textbox', { name: /^Réponse 1 de la question 1$/ })).toBeVisible()

  // The last edited field keeps the focus, and is still rendered when scrolling back.
  await expect(far).toBeFocused()
  await question(page, 45).focus()
  await expect(far).toHaveCount(0)
  await expect(page.getByText('Un autre choix', { exact: true })).toBeAttached()
  await page.keyboard.press('Tab')
  await expect(
    page.getByRole('button', { name: 'Insérer une réponse ou un résultat' }),
  ).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(
    page.getByRole('textbox', { name: 'Réponse 1 de la question 45', exact: true }),
  ).toBeFocused()

  await question(page, 1).scrollIntoViewIfNeeded()
  await expectProblemLeadsToLastScore(page, 30_000)
})

test('the list of problems leads to a field far down the page on a slow machine before all items are rendered', {
  tag: '@rare',
}, async ({ page, creator }) => {
  test.slow()
  const id = await createLongQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await problems(page).waitFor()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await expectProblemLeadsToLastScore(page, 30_000 * SLOWDOWN)
})
