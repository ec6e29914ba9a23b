import { publishSizedQuiz } from '../../src/server/testing/quizzes/sized-quiz.ts'
import { question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

test('Ctrl Z and Ctrl Y bring the changed field in sight and focus it, from anywhere on the screen', async ({
  page,
  creator,
}) => {
  const id = await publishSizedQuiz(creator.client, 30)
  await page.goto(`/quiz/${id}/questions`)
  await atEachWidth(page, [1440, 390], async (width) => {
    const text = `Changée à ${width} px`
    const before = await question(page, 2).inputValue()
    await question(page, 2).fill(text)
    for (const [keys, value] of [
      ['Control+z', before],
      ['Control+y', text],
    ] as const) {
      await question(page, 28).focus()
      await expect(question(page, 2)).not.toBeInViewport()
      await page.keyboard.press(keys)
      await expect(question(page, 2)).toHaveValue(value)
      await expect(question(page, 2)).toBeFocused()
      await expect(question(page, 2)).toBeInViewport({ ratio: 1 })
    }
  })
  await test.step('a button of the header keeps the focus, so that it can be pressed again', async () => {
    await page.setViewportSize({ width: 1440, height: 844 })
    const undo = page.getByRole('button', { name: 'Annuler la dernière modification' })
    await undo.press('Enter')
    await expect(question(page, 2)).toBeInViewport()
    await expect(undo).toBeFocused()
  })
})
