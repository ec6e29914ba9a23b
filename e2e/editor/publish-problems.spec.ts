import type { Page } from '@playwright/test'
import {
  readyProfilsQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, addResults, expectSaved, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const publishButton = (page: Page) => page.getByRole('button', { name: 'Publier', exact: true })
const points = (page: Page) =>
  page.getByRole('dialog', { name: /^(À corriger avant de publier|Avant de publier)$/ })

/** Opens the list of points to fix and follows one of them. */
const goToPoint = async (page: Page, opener: string, point: string): Promise<void> => {
  await page.getByRole('button', { name: opener, exact: true }).click()
  await points(page).getByRole('button', { name: point, exact: true }).click()
  await expect(points(page)).toBeHidden()
}

test('each problem in the list leads to its field', { tag: '@dom' }, async ({ page, creator }) => {
  const { id, result_ids } = await readyScoreQuiz(creator.client)
  const [low = '', high = ''] = result_ids
  const { questions } = await creator.client.questions.list({ id })
  await creator.client.questions.saveDraft({
    id,
    body: {
      questions: questions.map((asked) => ({
        ...asked,
        answers: asked.answers.map((answer, index) =>
          index ? { ...answer, score: null } : answer,
        ),
      })),
      score_thresholds: {
        [low]: { min_score: 0, max_score: 4 },
        [high]: { min_score: 5, max_score: null },
      },
    },
  })
  await page.goto(`/quiz/${id}/questions`)
  await expect(publishButton(page)).toBeDisabled()
  await expect(publishButton(page)).toHaveAttribute(
    'title',
    `Le résultat "Grand saut" n'a pas de palier de score défini`,
  )

  await page.getByRole('button', { name: 'Voir les 2 points à corriger' }).click()
  await expect(points(page).getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Voir les 2 points à corriger' })).toBeFocused()

  await goToPoint(
    page,
    'Voir les 2 points à corriger',
    'La réponse "Libre" de la question "Votre agenda ?" doit avoir un score',
  )
  const score = page.getByLabel('Score – Libre')
  await expect(score).toBeFocused()
  await expect(score).toBeInViewport()
  await score.fill('5')
  await goToPoint(
    page,
    '1 point à corriger',
    `Le résultat "Grand saut" n'a pas de palier de score défini`,
  )
  await expect(page.getByLabel('Maximum – Grand saut')).toBeFocused()
  await page.getByLabel('Maximum – Grand saut').fill('10')
  await expect(publishButton(page)).toBeEnabled()
  await expect(page.getByRole('button', { name: 'à corriger' })).toHaveCount(0)
})

test('the problem of an answer without a result leads to its first checkbox, and the problem of a question leads to its text', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyProfilsQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const links = page.getByRole('group', { name: 'Résultats associés à Rempli' })
  await links.getByRole('checkbox', { name: 'Pas à pas' }).uncheck()
  await addItem(page, 'Choix multiple')
  // The new question is at the end of page 1, before the question of page 2.
  await question(page, 2).fill('Et ensuite ?')
  await goToPoint(
    page,
    'Voir les 2 points à corriger',
    'La réponse "Rempli" de la question "Votre agenda ?" doit être associée à au moins un résultat',
  )
  await expect(links.getByRole('checkbox', { name: 'Pas à pas' })).toBeFocused()
  await goToPoint(
    page,
    'Voir les 2 points à corriger',
    `La question "Et ensuite ?..." n'a aucune réponse`,
  )
  await expect(question(page, 2)).toBeFocused()
})

test('a missing part links to the screen where it is added', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const body = { name: 'Nouveau Quiz', type: 'quiz' as const }
  const { id } = (await creator.client.quizzes.create({ body })).quiz
  const noQuestion = 'Il faut au moins une question pour publier le quiz'
  const fewResults = 'Il faut au moins 2 résultats pour publier le quiz'
  await page.goto(`/quiz/${id}/settings`)
  await goToPoint(page, 'Reste à faire : 2 points', fewResults)
  await expect(page).toHaveURL(/\/results$/)
  await expect(page.getByLabel('Nouveau résultat')).toBeFocused()
  // The questions are still locked: the results come first.
  await goToPoint(page, 'Reste à faire : 2 points', noQuestion)
  await expect(page.getByLabel('Nouveau résultat')).toBeFocused()
  await addResults(page, ['Pas à pas', 'Grand saut'])
  await expectSaved(page)
  await goToPoint(page, 'Reste à faire : 1 point', noQuestion)
  await expect(page).toHaveURL(/\/questions$/)
  await expect(page.getByRole('button', { name: 'Ajouter un élément' })).toBeFocused()
})

test('reasons that only the server knows are listed once each and get the focus', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id, result_ids } = await readyScoreQuiz(creator.client)
  const [low = ''] = result_ids
  const { questions } = await creator.client.questions.list({ id })
  await creator.client.questions.saveDraft({
    id,
    body: { questions, score_thresholds: { [low]: { min_score: null, max_score: null } } },
  })
  // The settings screen only runs the two basic checks (product 6.3).
  await page.goto(`/quiz/${id}/settings`)
  await publishButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
  await dialog.getByRole('button', { name: 'Publier' }).click()
  const reasons = dialog.getByRole('alert')
  await expect(reasons).toContainText('Impossible de publier le quiz')
  await expect(reasons.getByRole('listitem')).toHaveText([
    `Le résultat "Pas à pas" n'a pas de palier de score défini`,
  ])
  await expect(reasons).toBeFocused()
  await expectAccessible(page)
  await reasons.getByRole('button', { name: /n'a pas de palier de score défini/ }).click()
  await expect(page.getByLabel('Minimum – Pas à pas')).toBeFocused()
})

test('every step counts all points to fix, and a fixed point lowers the count everywhere', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  const { questions } = await creator.client.questions.list({ id })
  const withoutScores = questions.map((asked) => ({
    ...asked,
    answers: asked.answers.map((answer) => ({ ...answer, score: null })),
  }))
  await creator.client.questions.saveDraft({ id, body: { questions: withoutScores } })
  const steps = page.getByRole('navigation', { name: 'Étapes' })
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('button', { name: 'Voir les 2 points à corriger' }).click()
  await expect(points(page).getByRole('listitem')).toHaveCount(2)
  await points(page)
    .getByRole('button', { name: /doit avoir un score/ })
    .first()
    .click()
  await page
    .getByLabel(/^Score – /)
    .first()
    .fill('1')
  await expect(page.getByRole('button', { name: '1 point à corriger' })).toBeVisible()
  for (const name of ['Résultats', 'Réglages']) {
    await steps.getByRole('link', { name }).click()
    await expect(page.getByRole('button', { name: '1 point à corriger' })).toBeVisible()
  }
})
