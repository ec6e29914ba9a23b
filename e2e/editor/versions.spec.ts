import {
  publishDimensionQuiz,
  replaceDimensions,
  takeDimensionQuiz,
} from '../../src/server/testing/quizzes/dimension-quiz.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, publishedToast, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { findSmallTargets, measureOverflow } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

test('an update shows changed results, its version is listed, and the previous version can be restored', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const quiz = await publishedScoreQuiz(client)
  const { id, question_id, answer_ids, open_id, result_ids } = quiz
  for (const rank of [0, 1, 1])
    await client.publicQuiz.submit({
      id,
      body: { answers: { [question_id]: answer_ids[rank] ?? '', [open_id]: 'a@exemple.fr' } },
    })
  await client.results.update({ resultId: result_ids[0] ?? '', body: { max_score: 6 } })
  await client.questions.remove({ id: open_id })
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).fill('Votre semaine ?')
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  const update = page.getByRole('dialog', { name: 'Mettre à jour le quiz' })
  await expect(
    update.getByText('2 participants sur 3 obtiendraient un autre résultat'),
  ).toBeVisible()
  await expect(update.getByRole('row', { name: 'Grand saut Pas à pas 2' })).toBeVisible()
  await expect(
    update.getByText('3 réponses n’ont plus de correspondance (3 participants)'),
  ).toBeVisible()
  await expectAccessible(page)
  // The first tier contains all totals of the second, whose result has become impossible.
  await update.getByRole('button', { name: 'Publier quand même' }).click()
  await expect(update).toBeHidden()
  await publishedToast(page).getByRole('button', { name: 'Fermer' }).click()

  const openVersions = async () => {
    await page.getByRole('button', { name: /^Statut : / }).click()
    await page.getByRole('menuitem', { name: 'Versions' }).click()
  }
  await openVersions()
  const versions = page.getByRole('dialog', { name: 'Versions publiées' })
  const row = (number: number) =>
    versions
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: `Version ${number}` }) })
  await expect(row(2)).toContainText('En ligne')
  await expect(row(2)).toContainText(
    '1 question retirée, 1 question modifiée, palier de « Pas à pas » changé',
  )
  await expect(row(1)).toContainText('3 participants')
  await expectAccessible(page)
  await row(1).getByRole('button', { name: 'Restaurer dans le brouillon' }).press('Enter')
  await expect(versions).toBeHidden()
  await expect(page.getByRole('button', { name: /^Statut : / })).toBeFocused()
  await expect(page.getByText('Version 1 restaurée dans le brouillon')).toBeVisible()
  await expect(question(page, 1)).toHaveValue('Votre agenda ?')
  await expect(question(page, 2)).toHaveValue('Où vous écrire ?')
  await expectSaved(page)
  const { questions } = await client.questions.list({ id })
  expect(questions.map((one) => one.id)).toEqual([question_id, open_id])

  await page.getByRole('button', { name: /^Annuler la dernière modification/ }).click()
  await expect(question(page, 1)).toHaveValue('Votre semaine ?')
  await expect(question(page, 2)).toHaveCount(0)
  await openVersions()
  await row(1).getByRole('link', { name: 'Voir' }).click()
  await expect(page.getByText('Aperçu de la version 1')).toBeVisible()
  await expect(page.getByText('Votre agenda ?')).toBeVisible()
})

test('an update shows the changed tiers of each dimension, before they apply @phone', {
  tag: '@rare',
}, async ({ page, creator: { client }, isMobile }) => {
  const quiz = await publishDimensionQuiz(client)
  for (const way of ['past', 'past', 'out'] as const)
    await takeDimensionQuiz(client, quiz, { version: 1, way, several: [], scale: 2 })
  await replaceDimensions(client, quiz)
  await page.goto(`/quiz/${quiz.id}/results`)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  const update = page.getByRole('dialog', { name: 'Mettre à jour le quiz' })
  const effect = update.getByRole('region', { name: 'Effet sur vos participants' })
  await expect(effect).toContainText('Aucun de vos 3 participants n’obtiendrait un autre résultat')
  const summary = effect.locator('summary')
  await expect(summary).toHaveText('« Santé » : 2 participants sur 3 changeraient de palier')
  const moves = effect.getByRole('table', { name: 'De quel palier vers lequel – Santé' })
  await expect(moves.getByRole('row', { name: 'Forte À revoir 2' })).toBeVisible()
  await expect(effect).toContainText('« Temps » est nouvelle pour 2 participants.')
  await expect(effect).toContainText('« Argent » disparaît pour 2 participants.')
  await expectAccessible(page)
  // A mouse needs no large targets.
  expect(isMobile ? await findSmallTargets(effect) : []).toEqual([])
  expect(await measureOverflow(page)).toBe(0)
  await summary.press('Enter')
  await expect(moves).toBeHidden()
  await update.getByRole('button', { name: /^(Mettre à jour|Publier quand même)$/ }).click()
  await expect(publishedToast(page)).toBeVisible()
  expect((await client.replay.get({ id: quiz.id })).nb_replayed).toBe(3)
})

test('a failed replay does not prevent a publication', { tag: '@dom' }, async ({
  page,
  creator: { client },
}) => {
  const { id, question_id } = await publishedScoreQuiz(client)
  await client.questions.update({ id: question_id, body: { text: 'Votre semaine ?' } })
  await page.route('**/replay', (route) =>
    route.fulfill({ status: 503, json: { error: 'Plus tard' } }),
  )
  await page.goto(`/quiz/${id}/results`)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  const update = page.getByRole('dialog', { name: 'Mettre à jour le quiz' })
  await expect(update.getByText(/n’a pas pu être calculé. Vous pouvez publier/)).toBeVisible()
  await update.getByRole('button', { name: 'Mettre à jour' }).click()
  await expect(update).toBeHidden()
  await expect(publishedToast(page)).toBeVisible()
})
