import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { addItem, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** Creates a quiz without mode, with this number of questions, each higher than the estimate of the styles. */
const createQuiz = async (client: Client, count: number): Promise<string> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Long', type: 'quiz' } })
  const results = ['Petit pas', 'Grand saut', 'Marathon', 'Sieste', 'Pause'].map((name) => ({
    name,
  }))
  await client.results.saveAll({ id: quiz.id, body: { results } })
  const questions = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    text: `Question du jour ${index + 1}`,
    type: 'multiple_choice' as const,
    global_position: index,
    page_number: 1 + Math.floor(index / 20),
    answers: [1, 2, 3, 4, 5, 6].map((rank) => ({
      id: randomUUID(),
      text: `Choix ${rank}`,
      score: null,
      associations: [],
    })),
  }))
  await client.questions.saveDraft({ id: quiz.id, body: { questions } })
  return quiz.id
}

/** Resolves when the layout has not changed for 20 frames, and returns the box of the focused field. */
const measureFocusedField = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ top: number; bottom: number; window_height: number }>((done) => {
        let still_frames = 0
        let last = ''
        const check = (): void => {
          const { top, bottom } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
          const now = `${top} ${document.body.scrollHeight}`
          still_frames = now === last ? still_frames + 1 : 0
          last = now
          if (still_frames < 20) requestAnimationFrame(check)
          else done({ top, bottom, window_height: innerHeight })
        }
        check()
      }),
  )

const undo = (page: Page) => page.getByRole('button', { name: 'Annuler la dernière modification' })

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  for (const count of [9, 100])
    test(`a new item among ${count} high questions is focused inside a window of ${width} × ${height}, and undo removes it`, {
      tag: '@rare',
    }, async ({ page, creator }) => {
      await page.setViewportSize({ width, height })
      const id = await createQuiz(creator.client, count)
      await page.goto(`/quiz/${id}/questions`)
      await expect(question(page, count)).toBeAttached()
      for (const from of [0, 0.5]) {
        await page.evaluate(
          (part) => scrollTo({ top: document.body.scrollHeight * part, behavior: 'instant' }),
          from,
        )
        await addItem(page, 'Choix multiple')
        const { top, bottom, window_height } = await measureFocusedField(page)
        expect(top).toBeGreaterThanOrEqual(0)
        expect(bottom).toBeLessThanOrEqual(window_height)
        await expect(page.locator(':focus')).toHaveAttribute('placeholder', 'Texte de la question')
        await expect(question(page, count + 1)).toBeAttached()
        await undo(page).click()
        await expect(question(page, count + 1)).toHaveCount(0)
      }
    })
