import { randomUUID } from 'node:crypto'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

/** Right answers in the editor: options of a question, the card of the results step, and points to fix. */

test.use({ creatorIs: 'signed in' })

const WIDTHS = [1440, 390]

test('right answers are marked by keyboard, explained, shown and counted', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  const card = page.getByRole('region', { name: 'Corrections' })
  const options = page.getByRole('group', { name: 'Options – Question 1' })

  await test.step('corrections without a right answer are a point to fix that leads to their card', async () => {
    await page.goto(`/quiz/${id}/results`)
    await expect(card.getByRole('radio', { name: 'Jamais' })).toBeChecked()
    await card.getByRole('radio', { name: 'Après chaque page' }).check()
    await expect(card.getByText('Ce n’est donc pas un examen.')).toBeVisible()
    await expectSaved(page)
    await page.getByRole('button', { name: '1 point à corriger' }).click()
    const error = page.getByRole('link', { name: /aucune question n’a de bonne réponse/ })
    await error.or(page.getByRole('button', { name: /aucune question n’a de bonne/ })).click()
    await expect(card.getByRole('radio', { name: 'Après chaque page' })).toBeFocused()
  })

  await test.step('the options of a choice mark right answers and hold the explanation', async () => {
    await page.goto(`/quiz/${id}/questions`)
    await page.getByRole('button', { name: /^Options – Question 1/ }).click()
    const right = options.getByRole('group', { name: 'Bonnes réponses' })
    await right.getByRole('checkbox', { name: 'Libre' }).press('Space')
    await expect(right.getByRole('checkbox', { name: 'Libre' })).toBeChecked()
    await options.getByRole('textbox', { name: 'Explication' }).fill('Parce que **oui**.')
    await expectSaved(page)
    // The toolbar of a focused text and the bar at the top cover fields, which axe takes for small targets.
    await right.getByRole('checkbox', { name: 'Rempli' }).focus()
    await atEachWidth(page, WIDTHS, async () => {
      await page
        .getByRole('heading', { name: 'Page 1' })
        .evaluate((title) => title.scrollIntoView({ block: 'center' }))
      await expectAccessible(page)
    })
  })

  await test.step('one press gives one point to each right answer, and one undo takes it back', async () => {
    await page.goto(`/quiz/${id}/results`)
    await expect(card.getByText('1 question a une bonne réponse.')).toBeVisible()
    await card.getByRole('button', { name: '1 point par bonne réponse, partout' }).click()
    await expectSaved(page)
    const scores = async () =>
      (await creator.client.drafts.get({ id })).questions[0]?.answers.map(({ score }) => score)
    await expect.poll(scores).toEqual([0, 1])
    await atEachWidth(page, WIDTHS, () => expectAccessible(page))
    await page.keyboard.press('Control+z')
    await expect.poll(scores).toEqual([1, 5])
    const { questions, quiz } = await creator.client.drafts.get({ id })
    expect(questions[0]?.explanation).toBe('Parce que **oui**.')
    expect(quiz.shows_corrections).toBe('page')
  })
})

test('a marked answer gives its points without typing, and the points per right answer are one number of the quiz', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Culture', type: 'quiz' } })
  const { id } = quiz
  const results = ['Débutant', 'Expert'].map((name) => ({ id: randomUUID(), name }))
  await client.results.saveAll({ id, body: { results } })
  await client.questions.saveDraft({
    id,
    body: {
      questions: ['Capitale ?', 'Fleuve ?'].map((text) => ({
        id: randomUUID(),
        text,
        type: 'multiple_choice' as const,
        answers: ['Oui', 'Non'].map((answer) => ({ id: randomUUID(), text: answer })),
      })),
      score_thresholds: {},
    },
  })
  const scores = async () =>
    (await client.drafts.get({ id })).questions.map(({ answers }) =>
      answers.map(({ score }) => score),
    )
  const mark = async (number: number): Promise<void> => {
    await page.getByRole('button', { name: new RegExp(`^Options – Question ${number}`) }).click()
    await page
      .getByRole('group', { name: `Options – Question ${number}` })
      .getByRole('checkbox', { name: 'Oui' })
      .press('Space')
  }
  await page.goto(`/quiz/${id}/questions`)
  await mark(1)
  await expect(page.getByLabel('Score – Oui', { exact: true }).first()).toHaveValue('1')
  await expect(page.getByLabel('Score – Non', { exact: true }).first()).toHaveValue('0')
  await expect(page.getByText('Ce premier score choisit le mode score').first()).toBeAttached()
  await expect.poll(scores).toEqual([
    [1, 0],
    [null, null],
  ])
  await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
  await expect(page.getByText('Rétabli : bonne réponse « Oui »').first()).toBeAttached()
  await page.getByRole('button', { name: 'Rétablir la modification' }).click()
  await expect(page.getByLabel('Score – Oui', { exact: true }).first()).toHaveValue('1')

  await page
    .getByRole('navigation', { name: 'Étapes' })
    .getByRole('link', { name: 'Résultats' })
    .click()
  const points = page.getByLabel('Points par bonne réponse')
  await expect(points).toHaveValue('1')
  await points.fill('3')
  await expect.poll(scores).toEqual([
    [3, 0],
    [null, null],
  ])
  await page
    .getByRole('navigation', { name: 'Étapes' })
    .getByRole('link', { name: 'Questions' })
    .click()
  await mark(2)
  await expect.poll(scores).toEqual([
    [3, 0],
    [3, 0],
  ])
})
