import type { FrameLocator, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { COMPLETE_END, COMPLETE_REPLIES } from '../../src/server/testing/quizzes/complete-quiz.ts'
import { expect } from './fixtures.ts'

/** Steps of a visitor on the quiz of `publishCompleteQuiz`, in a page or in a frame of another site. */

/** Takes the quiz up to its end. */
export const takeCompleteQuiz = async (quiz: Page | FrameLocator): Promise<void> => {
  await quiz.getByRole('radio', { name: 'Souvent' }).check()
  for (const [row, number] of [
    ['Le sommeil', '5'],
    ['Les repas', '4'],
  ] as const)
    await quiz.getByRole('radiogroup', { name: row }).getByRole('radio', { name: number }).check()
  await quiz.getByRole('button', { name: 'Suivant' }).click()
  await quiz.getByLabel('Ton prénom ?').fill('Zoé')
  await quiz.getByLabel('Ton email ?').fill('zoe@exemple.fr')
  await quiz.getByLabel('Ton téléphone ?').fill('0470 12 34 56')
  await quiz.getByLabel('Ta note ?').fill('9.5')
  await quiz.getByLabel('Depuis le ?').fill('2025-12-24')
  await quiz.getByRole('button', { name: 'Voir le résultat' }).click()
}

/** Expects the result with its detail, texts, dimensions and documents. */
export const expectCompleteEnd = async (quiz: Page | FrameLocator): Promise<void> => {
  await expect(quiz.getByRole('heading', { level: 1 })).toHaveText(COMPLETE_END.result)
  await expect(quiz.getByText(COMPLETE_END.conditional)).toBeVisible()
  await expect(quiz.getByText(COMPLETE_END.dimension, { exact: true }).first()).toBeVisible()
  for (const name of [COMPLETE_END.report, COMPLETE_END.certificate, COMPLETE_END.own_page])
    await expect(quiz.getByRole('link', { name })).toBeVisible()
}

/** Expects a number of participants, of whom the newest has all replies and the result. */
export const expectCompleteReplies = async (
  client: Client,
  { id, nb_participants = 1 }: { id: string; nb_participants?: number },
): Promise<void> => {
  await expect
    .poll(async () => (await client.quizzes.get({ id })).quiz.nb_responses)
    .toBe(nb_participants)
  const [newest] = (await client.statistics.responses({ id })).details
  expect(newest?.final_result_name).toBe(COMPLETE_END.result)
  const replies = newest?.answers.map(
    ({ question_text, answer_text }) => `${question_text}: ${answer_text}`,
  )
  expect(replies).toEqual(COMPLETE_REPLIES)
}
