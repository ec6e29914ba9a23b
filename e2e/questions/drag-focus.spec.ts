import type { Page } from '@playwright/test'
import { publishCompleteQuiz } from '../../src/server/testing/quizzes/complete-quiz.ts'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** Picks an item up by its handle, moves it down and ends the drag. The handle has the focus after each step. */
const dragByKeyboard = async (
  page: Page,
  { handle, ends_with }: { handle: string; ends_with: string },
): Promise<void> => {
  await page.getByRole('button', { name: handle, exact: true }).focus()
  const status = page.locator('[role=status][aria-live=assertive]')
  await page.keyboard.press('Space')
  await expect(status.filter({ hasText: /» saisie/ })).toBeAttached()
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowDown']) {
    const before = await status.allTextContents()
    await page.keyboard.press(key)
    await expect.poll(() => status.allTextContents()).not.toEqual(before)
    await expect(page.locator('[data-dnd-dragging] :focus')).toBeAttached()
  }
  await page.keyboard.press(ends_with)
  await expect(page.locator('[data-dnd-dragging], [data-dnd-placeholder]')).toHaveCount(0)
}

test('a handle has the focus after each step of a drag by keyboard, also on another page and after Escape', async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  const complete = await publishCompleteQuiz(creator.client)
  for (const [path, handle, dropped] of [
    [`/quiz/${id}/questions`, 'Déplacer Question 1', 'Déplacer Question 1'],
    [`/quiz/${id}/questions`, 'Déplacer la page 1', 'Déplacer la page 2'],
    [`/quiz/${id}/results`, 'Déplacer Pas à pas', 'Déplacer Pas à pas'],
    [`/quiz/${complete}/questions`, 'Déplacer Question 2', 'Déplacer Question 3'],
  ] as const)
    for (const ends_with of ['Escape', 'Space'])
      await test.step(`${handle}, then ${ends_with}`, async () => {
        await page.goto(path)
        await dragByKeyboard(page, { handle, ends_with })
        const name = ends_with === 'Space' ? dropped : handle
        await expect(page.getByRole('button', { name, exact: true })).toBeFocused()
      })
})
