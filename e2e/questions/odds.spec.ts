import { randomUUID } from 'node:crypto'
import type { Client } from '../../src/contract/client/client.ts'
import { readyScoreQuiz, readyTiedQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const TITLE = 'Qui obtiendra quoi ?'
/** Script of the worker that computes the odds. */
const WORKER = '**/assets/odds-worker-*'

/** Creates a quiz of two questions with 1 or 5 points. The totals are 2, 6 and 10; the third tier begins above 10. */
const createQuizOfThreeTiers = async (client: Client): Promise<string> => {
  const { id } = await readyScoreQuiz(client)
  const results = [
    { id: randomUUID(), name: 'Pas à pas', min_score: 0, max_score: 6 },
    { id: randomUUID(), name: 'Grand saut', min_score: 7, max_score: 12 },
    { id: randomUUID(), name: 'Tour du monde', min_score: 13, max_score: 20 },
  ]
  await client.results.saveAll({ id, body: { results } })
  const questions = [
    { text: 'Votre agenda ?', answers: ['Rempli', 'Libre'] },
    { text: 'Votre budget ?', answers: ['Serré', 'Large'] },
  ].map(({ text, answers }, index) => ({
    id: randomUUID(),
    text,
    type: 'multiple_choice' as const,
    global_position: index,
    page_number: index + 1,
    answers: answers.map((answer, rank) => ({
      id: randomUUID(),
      text: answer,
      score: rank === 0 ? 1 : 5,
    })),
  }))
  await client.questions.saveDraft({ id, body: { questions, quiz_mode: 'score' } })
  return id
}

test('the odds show an impossible result, which the creator corrects before publishing', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const id = await createQuizOfThreeTiers(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const odds = page.getByRole('region', { name: TITLE })
  const line = (name: string) => odds.getByRole('listitem').filter({ hasText: name })
  await expect(line('Pas à pas')).toContainText('75 %')
  await expect(line('Grand saut')).toContainText('25 %')
  await expect(line('Tour du monde')).toContainText('ne peut pas sortir')
  await expect(line('Tour du monde')).toContainText(/total va de 2 à 10.* 13/)
  await expect(odds).toContainText('Calcul exact sur 4 combinaisons.')
  await expectAccessible(page)

  await test.step('the odds change with the points of an answer', async () => {
    await page.getByLabel('Score – Rempli').fill('3')
    await expect(line('Pas à pas')).toContainText('50 %')
    await expect(line('Grand saut')).toContainText('50 %')
  })

  await test.step('an example run is shown up to its result, with the effect of each answer', async () => {
    await line('Grand saut').getByRole('link', { name: 'Voir un exemple' }).click()
    await expect(page).toHaveURL(/\/preview\?result=[0-9a-f-]+$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
    const reasons = page.getByRole('region', { name: 'Réponses de l’exemple' })
    await expect(reasons.getByRole('listitem').filter({ hasText: 'Votre budget ?' })).toContainText(
      /Large\s*\+5 points/,
    )
    await expectAccessible(page, ['.q-next'])
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Grand saut')
    await page.getByRole('button', { name: 'Recommencer' }).click()
    await expect(page.getByText('1 / 2')).toBeVisible()
    await expect(reasons).toHaveCount(0)
    await page.getByRole('button', { name: 'Fermer l’aperçu' }).click()
  })

  const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
  const open = () => page.getByRole('button', { name: 'Publier', exact: true }).click()
  await test.step('publishing asks for a confirmation while a result is impossible', async () => {
    await expect(line('Tour du monde')).toContainText('ne peut pas sortir')
    await open()
    await expect(dialog.getByRole('button', { name: 'Publier quand même' })).toBeFocused()
    await expect(dialog.getByRole('status')).toContainText(/Tour du monde.* 4 à 10.* 13/)
    await expect(dialog.getByText(/total va de 4 à 10/)).toHaveCount(1)
    await expect(dialog.getByText('ne peut pas sortir', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Annuler' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('publishing asks for no confirmation when every result is possible', async () => {
    await page.getByLabel('Maximum – Grand saut').fill('8')
    await page.getByLabel('Minimum – Tour du monde').fill('9')
    await expect(line('Tour du monde')).toContainText('25 %')
    await expect(odds).toContainText('Tous les totaux de 4 à 10 mènent à un résultat.')
    await expectSaved(page)
    await open()
    await dialog.getByRole('button', { name: 'Publier', exact: true }).click()
    await expect(page.getByText('Publié', { exact: true })).toBeVisible()
  })
})

test('on a phone the odds open below the questions, ties have their share, and participants are compared from thirty on', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { client } = creator
  const { id, question_id, answer_ids, open_id, second } = await readyTiedQuiz(client)
  await client.quizzes.publish({ id })
  const submit = (rank: number) => {
    const answers = {
      [question_id]: answer_ids[rank] ?? '',
      [second.id]: second.answer_ids[rank] ?? '',
      [open_id]: 'a@exemple.fr',
    }
    return client.publicQuiz.submit({ id, body: { answers } })
  }
  for (let nb = 0; nb < 30; nb++) await submit(nb % 3 === 0 ? 1 : 0)

  await page.route(WORKER, (route) => route.abort())
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/quiz/${id}/questions`)
  const odds = page.getByRole('group').filter({ has: page.getByRole('heading', { name: TITLE }) })
  await odds.getByText(TITLE).click()
  await expect(odds.getByRole('alert')).toBeVisible()
  await page.unroute(WORKER)
  await odds.getByRole('button', { name: 'Réessayer' }).press('Enter')
  await expect(odds.locator('summary')).toBeFocused()
  const line = (name: string) => odds.getByRole('listitem').filter({ hasText: name })
  await expect(line('Pas à pas')).toContainText('75 %')
  await expect(odds).toContainText(
    /Égalités\s: 50\s%\. Le plus haut de la liste l’emporte\s: «\sPas à pas\s»\./,
  )
  await expectAccessible(page)
  await odds.getByLabel('comme vos 30 participants répondent').check()
  // Two thirds of the participants choose the first answer of each question.
  await expect(line('Pas à pas')).toContainText(/88,9\s%/)
  await expect(odds).toContainText(/Égalités\s: 44,4\s%/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await odds.getByRole('link', { name: 'Changer la règle' }).click()
  await expect(page.getByRole('radio', { name: 'Donner le plus haut de la liste' })).toBeFocused()
})

test('failed odds can be recomputed, and missing odds do not prevent a publication', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const id = await createQuizOfThreeTiers(creator.client)
  await page.route(WORKER, (route) => route.abort())
  await page.goto(`/quiz/${id}/questions`)
  const odds = page.getByRole('region', { name: TITLE })
  await expect(odds.getByRole('alert')).toContainText('Les chances n’ont pas pu être calculées.')
  await expectAccessible(page)
  await page.unroute(WORKER)
  await odds.getByRole('button', { name: 'Réessayer' }).press('Enter')
  await expect(odds.getByRole('heading', { name: TITLE })).toBeFocused()
  await expect(odds).toContainText('Calcul exact sur 4 combinaisons.')
  await expect(odds.getByRole('alert')).toHaveCount(0)

  await page.route(WORKER, (route) => route.abort())
  await page.goto(`/quiz/${id}/settings`)
  const open = page.getByRole('button', { name: 'Publier', exact: true })
  await open.click()
  const dialog = page.getByRole('dialog')
  const publish = dialog.getByRole('button', { name: 'Publier', exact: true })
  await expect(dialog.getByRole('status')).toHaveText(
    'Les chances n’ont pas pu être calculées ; vous pouvez publier quand même.',
  )
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Annuler' }).click()

  await page.unroute(WORKER)
  await page.route(WORKER, () => undefined)
  await open.click()
  await publish.click()
  await expect(publish).toHaveAttribute('aria-busy', 'true')
  // A press in a dialog that was then closed publishes nothing, also after the dialog opens again.
  await dialog.getByRole('button', { name: 'Annuler' }).click()
  await open.click()
  await expect(publish).not.toHaveAttribute('aria-busy')
  await publish.click()
  await expect(page.getByText('Publié', { exact: true })).toBeVisible()
})
