import type { Page } from '@playwright/test'
import { publishCompleteQuiz } from '../../src/server/testing/quizzes/complete-quiz.ts'
import { expectSaved, goToStep, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** Text of more letters than React allows updates within one task. */
const DICTATED =
  'Et quand il pleut, restez-vous plutôt chez vous avec un **livre**, ou sortez-vous avec des amis ? Dites-le franchement !'

/**
 * Replaces the text of every text field of the editor, letter by letter within one task, as dictation and text expanders do.
 * Returns the fields that show another text, and the number of fields.
 */
const dictateIntoAllFields = (page: Page): Promise<{ changed: string[]; nb_fields: number }> =>
  page.evaluate((text) => {
    const fields = [
      ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
        'textarea, input[type=text], input:not([type])',
      ),
    ].filter(
      (field) =>
        field.inputMode === '' && !field.readOnly && !field.closest('[aria-label^=Aperçu]'),
    )
    let nb_fields = 0
    const changed = fields.flatMap((field) => {
      field.focus()
      // Fields in closed parts take no focus.
      if (document.activeElement !== field) return []
      nb_fields += 1
      const fitting = text.slice(0, field.maxLength < 0 ? undefined : field.maxLength)
      field.select()
      for (const letter of fitting) document.execCommand('insertText', false, letter)
      return field.value === fitting ? [] : [`${field.id}: ${field.value}`]
    })
    return { changed, nb_fields }
  }, DICTATED)

test('a text that is inserted without a pause arrives whole in every field of the editor', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const id = await publishCompleteQuiz(creator.client)
  const expectNothingLost = async (least: number): Promise<void> => {
    const { changed, nb_fields } = await dictateIntoAllFields(page)
    expect(changed).toEqual([])
    expect(nb_fields).toBeGreaterThanOrEqual(least)
    await expectSaved(page)
  }
  await page.goto(`/quiz/${id}/results`)
  await expect(page.getByLabel('Nouveau résultat')).toBeVisible()
  await expectNothingLost(4)
  await goToStep(page, 'Questions')
  await expect(question(page, 1)).toBeVisible()
  await expectNothingLost(6)
  await goToStep(page, 'Réglages')
  await expectNothingLost(3)
  const { questions } = await creator.client.questions.list({ id })
  expect(questions[0]?.text).toBe(DICTATED)
})
