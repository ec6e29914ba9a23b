import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

test('the publish dialog names default colours that are hard to read, and leads to them', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
  await expect(dialog.getByText('À vérifier')).toBeVisible()
  await dialog
    .getByRole('button', { name: /^Contraste du bouton et de son texte peu lisible .*2,2\s:\s1,/ })
    .click()
  await expect(page).toHaveURL(/\/settings/)
  await expect(page.getByLabel('Texte du bouton – palette')).toBeFocused()
  await page
    .getByRole('button', { name: 'Corriger le contraste du bouton et de son texte' })
    .click()
  await page.getByRole('button', { name: 'Corriger le contraste de l’accent sur le fond' }).click()
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await expect(dialog.getByText('sera accessible à toutes les personnes')).toBeVisible()
  await expect(dialog.getByText('À vérifier')).toHaveCount(0)
})

test('the publish dialog says when a quiz opens, closes and is full', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await readyScoreQuiz(client)
  await client.quizzes.update({
    id,
    body: {
      opens_at: '2900-12-03T08:00:00.000Z',
      closes_at: '2900-12-24T17:00:00.000Z',
      max_responses: 50,
    },
  })
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Ouvre le' })).toHaveText(
    /Ouvre le vendredi 3 décembre 2900 à 9\sh\. Avant cette date, le lien annonce l’ouverture\./,
  )
  await expect(dialog.getByText(/Fermera le vendredi 24 décembre 2900 à 18\sh\./)).toBeVisible()
  await expect(dialog.getByText('Limité à 50 participants (0 à ce jour).')).toBeVisible()
})

test('the dialog of an update lists the changes since the published version', async ({
  page,
  creator: { client },
}) => {
  const { id } = await publishedScoreQuiz(client)
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).fill('Et votre agenda, alors ?')
  await expectSaved(page)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  const changes = page
    .getByRole('dialog', { name: 'Mettre à jour le quiz' })
    .getByRole('region', { name: 'Modifications à publier' })
  await expect(changes).toContainText(/Depuis la version 1, publiée le /)
  await expect(changes.getByRole('listitem')).toHaveText(['1 question modifiée'])
  await atEachWidth(page, [1440, 390], () => expectAccessible(page))
})
