import {
  addItem,
  addMultipleChoice,
  addOpenQuestion,
  answerPage,
  createQuestionnaire,
  expectSaved,
  publish,
  typeNameOfNewQuiz,
} from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { expectParticipants } from '../support/visitor-steps.ts'

const THANKS = 'Merci pour votre participation !'

test('a creator builds a sondage, which needs no result and ends with its thanks', {
  tag: '@rare',
}, async ({ page, creator, visitor }) => {
  const id = await createQuestionnaire(page, 'Sondage')
  await expect(page).toHaveURL(/questions$/)
  await typeNameOfNewQuiz(page, 'Votre avis sur l’atelier')
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
  const title = visitor.getByRole('heading', { level: 1 })
  await expect(title).toHaveText(THANKS)
  // Unlike `toHaveText`, this distinguishes kinds of spaces.
  expect(await title.evaluate((element) => element.textContent)).toBe(THANKS)
  await expectAccessible(visitor)

  await expectParticipants(creator.client, id, ['null: Utile → null'])
  await page.goto('/dashboard')
  await page.getByRole('link', { name: '1 réponse' }).click()
  await expect(page.getByText('Les exemples').first()).toBeVisible()
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('-')
})
