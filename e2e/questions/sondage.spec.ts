import {
  addItem,
  addMultipleChoice,
  addOpenQuestion,
  answerPage,
  createQuestionnaire,
  expectSaved,
  publish,
  renameQuiz,
} from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test('a creator builds a sondage, which needs no result', async ({ page, creator, visitor }) => {
  expect(creator.email).toContain('@')
  await createQuestionnaire(page, 'Sondage')
  await expect(page).toHaveURL(/questions$/)
  await renameQuiz(page, 'Votre avis sur l’atelier')
  await addMultipleChoice(page, 1, { text: 'L’atelier était…', answers: ['Utile', 'Trop long'] })
  await addOpenQuestion(page, 2, { kind: 'Texte long', text: 'Que garder ?' })
  await addItem(page, 'Nouvelle page')
  await addOpenQuestion(page, 3, { kind: 'Nombre', text: 'Votre note sur 10 ?' })
  await expectSaved(page)
  const link = await publish(page)

  await visitor.goto(link)
  await answerPage(visitor, { choose: ['Utile'], type: { 'Que garder ?': 'Les exemples' } })
  await expect(visitor.getByRole('button', { name: 'Envoyer' })).toBeVisible()
  await answerPage(visitor, { type: { 'Votre note sur 10 ?': '9' } })
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    'Merci pour votre participation !',
  )
  await expectAccessible(visitor)

  await page.goto('/dashboard')
  await page.getByRole('link', { name: '1 réponse(s)' }).click()
  await expect(page.getByText('Les exemples').first()).toBeVisible()
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('-')
})
