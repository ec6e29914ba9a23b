import { randomUUID } from 'node:crypto'
import { publishedScoreQuiz } from '../src/server/testing/sample-quizzes.ts'
import { test } from './fixtures.ts'
test('shots', async ({ page, creator }) => {
  const quiz = await publishedScoreQuiz(creator.client)
  const { question } = await creator.client.questions.create({ id: quiz.id, body: { type: 'number', text: 'Quel âge avez-vous ?', global_position: 9, page_number: 2 } })
  await creator.client.quizzes.publish({ id: quiz.id })
  for (let rank = 0; rank < 40; rank++)
    await creator.client.taking.submit({ id: quiz.id, body: { participant_uuid: randomUUID(), answers: { [quiz.question_id]: quiz.answer_ids[rank % 3 ? 1 : 0] ?? '', [quiz.open_id]: `p${rank % 17}@exemple.fr`, [question.id]: String(18 + ((rank * rank) % 50)) } } })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/quiz/${quiz.id}/statistics?email=p`)
    await page.getByText('Voir en tableau').first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: `/tmp/shots-stats/${width}.png`, fullPage: true })
    await page.getByText('Voir les réponses').first().click()
    await page.getByRole('region', { name: 'Tableau des participants' }).screenshot({ path: `/tmp/shots-stats/${width}-table.png` })
    await page.getByRole('button', { name: 'Exporter' }).click()
    await page.screenshot({ path: `/tmp/shots-stats/${width}-export.png` })
  }
})
