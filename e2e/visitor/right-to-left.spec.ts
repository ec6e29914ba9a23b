import type { Page } from '@playwright/test'
import {
  readyProfilsQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { openScreen } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'
import { choose, enterEmail } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const NAME = 'مرحبا'

/** Finds the elements whose text begins with the Arabic word but is laid out from the left. */
const findTextsLaidOutFromLeft = (page: Page): Promise<string[]> =>
  page.evaluate((name) => {
    const ownText = (element: Element): string =>
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? element.value
        : [...element.childNodes]
            // The element around a text that has siblings belongs to the line of its parent.
            .filter(({ nodeType, nodeName }) => nodeType === Node.TEXT_NODE || nodeName === 'Q-T')
            .map(({ textContent }) => textContent ?? '')
            .join('')
    return [...document.querySelectorAll('body *:not(script, title, style, q-t)')]
      .filter((element) => ownText(element).trim().startsWith(name))
      .filter((element) => getComputedStyle(element).direction !== 'rtl')
      .map((element) => element.outerHTML)
  }, NAME)

test('texts in Arabic are laid out from right to left on every screen of their creator', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { client } = creator
  const quiz = await readyProfilsQuiz(client, NAME)
  const { id, question_id, open_id, answer_ids, result_ids } = quiz
  for (const [rank, resultId] of result_ids.entries())
    await client.results.update({
      resultId,
      body: { name: `${NAME} ${rank}`, description: `${NAME} !` },
    })
  await client.questions.update({ id: question_id, body: { text: `${NAME} ?` } })
  const { question } = await client.questions.create({
    id,
    body: { text: NAME, type: 'text', page_number: 2 },
  })
  await client.questions.saveAnswers({
    id: question_id,
    body: {
      answers: answer_ids.map((answer_id, rank) => ({
        id: answer_id,
        text: `${NAME} ${rank + 7}`,
        associations: [{ result_id: result_ids[rank] ?? '', is_checked: true }],
      })),
    },
  })
  await client.quizzes.publish({ id })
  const { participant_uuid } = await client.publicQuiz.submit({
    id,
    body: {
      answers: {
        [question_id]: answer_ids[0] ?? '',
        [open_id]: 'a@exemple.fr',
        [question.id]: `${NAME} !!`,
      },
    },
  })
  await page.goto('/dashboard')
  for (const [path, text] of [
    ['/dashboard', NAME],
    [`/quiz/${id}/results`, 'Continuer vers les questions'],
    [`/quiz/${id}/questions`, 'Continuer vers les réglages'],
    [`/quiz/${id}/settings`, /^Réinitialiser$/],
    [`/quiz/${id}/statistics`, 'Réponses détaillées'],
    [`/quiz/${id}/statistics?participant=${participant_uuid}`, 'Pourquoi ce résultat ?'],
    [`/quiz/${id}/envois`, /^Envois\s: /],
  ] as const)
    await test.step(path, async () => {
      await openScreen(page, path)
      await expect(page.getByText(text).first()).toBeVisible()
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
      })
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      expect(await findTextsLaidOutFromLeft(page)).toEqual([])
    })
})

test('a visitor meets texts in Arabic laid out from right to left, from the first page to the result', {
  tag: '@rare',
}, async ({ visitor, creator }) => {
  const { client } = creator
  const { id, result_ids, question_id } = await readyScoreQuiz(client, NAME)
  await client.questions.update({ id: question_id, body: { text: `${NAME} ?` } })
  for (const resultId of result_ids)
    await client.results.update({ resultId, body: { name: NAME, description: `${NAME} !` } })
  await client.quizzes.publish({ id })
  await visitor.goto(`/q/${id}`)
  expect(await findTextsLaidOutFromLeft(visitor)).toEqual([])
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(NAME)
  expect(await findTextsLaidOutFromLeft(visitor)).toEqual([])
})
