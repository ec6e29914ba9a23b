import type { Page } from '@playwright/test'
import { readyTiedQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { answerPage, expectSaved, goToStep, publish } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { expectParticipants } from '../support/visitor-steps.ts'

const isWithin = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

test.use({ creatorIs: 'signed in' })

test('a creator lets a question settle ties, then shows all tied results, and a visitor with two results sees both', {
  tag: '@rare',
}, async ({ page, creator, visitor }) => {
  const { client } = creator
  const { id, second } = await readyTiedQuiz(client)
  const worker = '**/assets/odds-worker-*'
  await page.route(worker, (route) => route.abort())
  await page.goto(`/quiz/${id}/results`)
  const ties = page.getByRole('region', { name: 'En cas d’égalité' })
  await expect(ties.getByRole('status')).toHaveText('Les chances n’ont pas pu être calculées.')
  await page.unroute(worker)
  await page.reload()
  await expect(ties.getByRole('radio', { name: 'Donner le plus haut de la liste' })).toBeChecked()
  await expect(ties.getByRole('status')).toHaveText(/^Égalités\s: 50\s%$/)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
  await expect(dialog).toContainText(
    /Égalités\s: 50\s%\. Le plus haut de la liste l’emporte\s: «\sPas à pas\s»\./,
  )
  await expect(dialog.getByRole('button', { name: 'Publier', exact: true })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Changer la règle' }).click()
  await expect(ties.getByRole('radio', { name: 'Donner le plus haut de la liste' })).toBeFocused()
  await ties.getByRole('radio', { name: 'Laisser une question départager' }).check()
  const question = ties.getByLabel('Question qui départage')
  // A switch that the header half covers counts as too small.
  await page.evaluate(() => scrollTo(0, 0))
  await expectAccessible(page)
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  await expect(question).toBeVisible()
  expect(await isWithin(page)).toBe(true)
  if (size) await page.setViewportSize(size)
  await expectSaved(page)

  // A tie setting without a question is a point to fix, and its link leads to this field.
  await goToStep(page, 'Questions')
  await page.getByRole('button', { name: /1 point/ }).click()
  await page.getByRole('button', { name: /^Choisissez la question qui départage/ }).click()
  await expect(question).toBeFocused()
  await question.selectOption('Question 2 – Plutôt ?')
  await expect(question).toHaveValue(second.id)
  await expect(ties.getByRole('status')).toHaveText(/^Égalités qui restent\s: 0\s%$/)
  await expectSaved(page)
  await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
  await expect(question).toHaveValue('')
  await expect(question).toBeInViewport()

  await ties.getByRole('radio', { name: 'Montrer tous les résultats à égalité' }).check()
  await expect(question).toBeHidden()
  const link = await publish(page)

  await visitor.goto(link)
  await answerPage(visitor, { choose: ['Rempli', 'Vif'] })
  await answerPage(visitor, { type: { 'Où vous écrire ?': 'c@exemple.fr' } })
  const heading = visitor.getByRole('heading', { level: 1 })
  const other = visitor.getByRole('heading', { level: 2, name: 'Grand saut' })
  await expect(heading).toHaveText('Pas à pas')
  await expect(heading).toBeFocused()
  await expect(visitor.getByText('Ex æquo')).toBeVisible()
  await expect(other).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.emulateMedia({ colorScheme })
    await expectAccessible(visitor, ['.q-next'])
  }
  await visitor.setViewportSize({ width: 320, height: 640 })
  expect(await isWithin(visitor)).toBe(true)
  await visitor.emulateMedia({ media: 'print' })
  await expect(other).toBeVisible()
  await visitor.emulateMedia({ media: 'screen' })
  await expectParticipants(client, id, ['c@exemple.fr: Rempli → Pas à pas'])
  await visitor.reload()
  await expect(other).toBeVisible()
})
