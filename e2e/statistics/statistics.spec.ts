import type { Client } from '../../src/contract/client/client.ts'
import {
  publishedScoreQuiz,
  readySondage,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const submit = (client: Client, quiz: SampleQuiz, choice: 0 | 1, text: string) =>
  client.publicQuiz.submit({
    id: quiz.id,
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[choice] ?? '', [quiz.open_id]: text },
      email: text,
    },
  })

test('the statistics of a quiz change from an empty state to figures and a table, also on a phone and with reduced motion', async ({
  page,
  creator,
}) => {
  const quiz = await publishedScoreQuiz(creator.client)
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await expect(page.getByText('Aucune réponse pour le moment')).toBeVisible()
  await expect(page).toHaveTitle('Statistiques : Quel rythme ?')
  await expect(
    page.getByText("Les statistiques s'afficheront dès que quelqu'un répondra à votre quiz."),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Modifier le quiz' })).toHaveAttribute(
    'href',
    `/quiz/${quiz.id}/results`,
  )
  await expectAccessible(page)
  await submit(creator.client, quiz, 0, 'a@exemple.fr')
  await submit(creator.client, quiz, 0, 'b@exemple.fr')
  await submit(
    creator.client,
    quiz,
    1,
    'un.email.vraiment.tres.tres.long.sans.coupure.possible.du.tout@exemple.fr',
  )
  await page.getByRole('button', { name: 'Actualiser' }).press('Enter')
  await expect(page.getByText('3 participants', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByText('2 réponses · 66,7\u00a0%')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(4)
  await expect(page.getByRole('columnheader')).toHaveText(['Date', 'Email', 'Résultat', 'Réponses'])
  await page.getByText('Voir les réponses (2)').first().press('Enter')
  await expect(page.getByRole('definition').first()).toHaveText('Libre')
  await expectAccessible(page)
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 640 })
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  }
  const region = page.getByRole('region', { name: 'Tableau des participants' })
  await region.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => region.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await expect(page.getByRole('table')).toBeVisible()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  await page.getByRole('link', { name: 'Retour au tableau de bord' }).click()
  await expect(page).toHaveURL(/dashboard$/)
})

test('the empty statistics of a sondage lead to its questions, and a missing quiz shows an error', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readySondage(creator.client)
  await page.goto(`/quiz/${id}/statistics`)
  await expect(page.getByRole('link', { name: 'Modifier le quiz' })).toHaveAttribute(
    'href',
    `/quiz/${id}/questions`,
  )
  await page.goto('/quiz/11111111-1111-4111-8111-111111111111/statistics')
  await expect(page.getByText('Quiz introuvable')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Retour au tableau de bord' })).toHaveAttribute(
    'href',
    '/dashboard',
  )
})

test('participants load page by page, also after failures', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const quiz = await publishedScoreQuiz(creator.client)
  for (let rank = 0; rank < 230; rank++)
    await submit(creator.client, quiz, rank % 3 ? 1 : 0, `p${rank}@exemple.fr`)
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await expect(page.getByText('230 participants', { exact: true })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(101)
  await expect(page.getByText('100 participants affichés sur 230')).toBeVisible()
  await submit(creator.client, quiz, 0, 'nouveau@exemple.fr')
  await page.route('**/responses*cursor=*', (route) =>
    route.fulfill({ status: 500, json: { error: 'Panne passagère' } }),
  )
  await page.getByRole('button', { name: 'Afficher plus de participants' }).press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Erreur: Panne passagère')
  const retry = page.getByRole('button', { name: 'Réessayer' })
  await expect(retry).toBeFocused()
  await page.unroute('**/responses*cursor=*')
  await retry.press('Enter')
  await expect(page.getByRole('row')).toHaveCount(201)
  await expect(page.getByRole('alert')).toHaveCount(0)
  const more = page.getByRole('button', { name: 'Afficher plus de participants' })
  await expect(more).toBeFocused()
  await expect(page.getByText('230 participants', { exact: true })).toBeVisible()
  await expect(page.getByText('77 réponses')).toBeVisible()
  await more.press('Enter')
  await expect(page.getByRole('row')).toHaveCount(231)
  await expect(page.getByRole('region', { name: 'Tableau des participants' })).toBeFocused()
  await page.route('**/responses*', (route) => route.abort())
  await page.getByRole('button', { name: 'Actualiser' }).click()
  await expect(page.getByRole('alert')).toHaveText('Erreur inconnue')
  await expect(page.getByRole('row')).toHaveCount(231)
  await page.unroute('**/responses*')
  await page.getByRole('button', { name: 'Actualiser' }).click()
  await expect(page.getByText('231 participants', { exact: true })).toBeVisible()
  await expect(page.getByText('78 réponses')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(232)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.route('**/responses*', (route) =>
    route.fulfill({ status: 500, json: { error: 'Panne' } }),
  )
  await page.reload()
  await expect(page.getByText('Chargement des statistiques...')).toBeVisible()
  await expect(page.getByText('Erreur: Panne', { exact: true })).toBeVisible()
})

test('the list is empty and shows no error after the last participant of a filter is deleted', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const quiz = await publishedScoreQuiz(creator.client)
  const { participant_uuid } = await submit(creator.client, quiz, 0, 'x@exemple.fr')
  await page.goto(`/quiz/${quiz.id}/statistics?result=${quiz.result_ids[0]}`)
  await expect(page.getByText('1 sur 1 participant')).toBeVisible()
  await creator.client.participants.remove({ id: quiz.id, participantId: participant_uuid })
  await page.getByRole('button', { name: 'Actualiser' }).click()
  await expect(page.getByText('Aucune réponse pour le moment')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})
