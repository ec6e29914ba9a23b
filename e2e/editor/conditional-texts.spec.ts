import type { Page } from '@playwright/test'
import { readyScoreQuiz, readySondage } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth, measureOverflow } from '../support/layout-checks.ts'
import { publishWheel } from '../support/published-quizzes.ts'
import { choose, enterEmail } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const card = (page: Page) => page.getByRole('region', { name: 'Textes conditionnels' })
const add = (page: Page) =>
  card(page).getByRole('button', { name: 'Ajouter un texte conditionnel' })

const WIDTHS = [1440, 390]

test('a creator writes conditional texts with the keyboard', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const { id, answer_ids } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)

  await test.step('the empty card explains itself with an example', async () => {
    await expect(card(page)).toContainText('Par exemple')
    await atEachWidth(page, WIDTHS, () => expectAccessible(page))
  })

  await test.step('a new text has the focus and a first condition', async () => {
    await add(page).press('Enter')
    await expect(card(page).getByRole('textbox', { name: 'Texte', exact: true })).toBeFocused()
    await page.keyboard.type('Bravo **champion**')
    await expect(card(page).getByLabel('Condition 1', { exact: true }).last()).toHaveValue(
      'answer_chosen',
    )
    await expect(card(page)).toContainText('Si « Rempli » choisie à la question 1')
    await expect(card(page)).toContainText(/Montré à 50\s% des parcours/)
  })

  await test.step('a second condition asks how to join them', async () => {
    await card(page).getByRole('button', { name: 'Ajouter une condition' }).press('Enter')
    const kind = card(page).getByRole('combobox', { name: 'Condition 2' })
    await expect(kind).toBeFocused()
    await kind.selectOption('Total entre')
    await card(page).getByLabel('Total minimum').fill('3')
    await card(page).getByRole('combobox', { name: 'Montrer si' }).selectOption({ index: 1 })
    await expect(card(page)).toContainText('ou total d’au moins 3')
    await atEachWidth(page, WIDTHS, () => expectAccessible(page))
  })

  await test.step('a copy goes to the mail, where it is the first of its list', async () => {
    await card(page).getByRole('button', { name: 'Actions – Texte 1' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Dupliquer' }).press('Enter')
    await expect(card(page).getByRole('listitem')).toHaveCount(2)
    await card(page)
      .getByRole('combobox', { name: 'Montrer', exact: true })
      .last()
      .selectOption('Dans l’email du résultat')
    await expect(
      card(page).getByRole('heading', { name: 'Dans l’email du résultat' }),
    ).toBeVisible()
  })

  await test.step('a deleted text comes back with one undo', async () => {
    await card(page).getByRole('button', { name: 'Supprimer texte 1' }).first().press('Enter')
    await expect(card(page).getByRole('listitem')).toHaveCount(1)
    await page.getByRole('button', { name: 'Annuler', exact: true }).last().press('Enter')
    await expect(card(page).getByRole('listitem')).toHaveCount(2)
  })

  await test.step('the draft is stored', async () => {
    await expect
      .poll(async () =>
        (await creator.client.drafts.get({ id })).text_variants.map(
          ({ place, joined_by, conditions }) => [place, joined_by, conditions],
        ),
      )
      .toEqual(
        ['every_result', 'mail'].map((place) => [
          place,
          'or',
          [
            expect.objectContaining({ kind: 'answer_chosen', answer_id: answer_ids[0] }),
            { kind: 'total_between', from: 3, to: null },
          ],
        ]),
      )
    await atEachWidth(page, WIDTHS, async () =>
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0),
    )
  })
})

test('a condition on a deleted answer is a point to fix that leads to its field', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id, question_id, answer_ids } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  await add(page).click()
  await page.keyboard.type('Bravo')
  await expect
    .poll(async () => (await creator.client.drafts.get({ id })).text_variants[0]?.text)
    .toBe('Bravo')
  await creator.client.questions.saveAnswers({
    id: question_id,
    body: { answers: [{ id: answer_ids[1], text: 'Libre', score: 5 }] },
  })
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: '1 point à corriger' }).click()
  await page.getByRole('button', { name: /la condition porte sur une réponse supprimée/ }).click()
  await expect(page).toHaveURL(`/quiz/${id}/results`)
  const line = card(page).getByRole('button', { name: /Bravo/ })
  await expect(line).toBeFocused()
  await line.press('Enter')
  const kind = card(page).getByRole('combobox', { name: 'Condition 1' })
  await expect(kind).toHaveAccessibleDescription(/réponse supprimée\s: choisissez-en une autre/)
  await card(page).getByRole('combobox', { name: 'Réponse' }).selectOption('Libre')
  await expect(kind).not.toHaveAttribute('aria-invalid', 'true')
})

test('a sondage edits its conditional texts beside its end', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  const { id } = await readySondage(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Personnaliser la fin' }).click()
  await add(page).click()
  await page.keyboard.type('Merci de votre avis')
  await expect(card(page).getByRole('heading', { name: 'À la fin du sondage' })).toBeVisible()
  await expect(card(page)).toContainText(/Montré à 50\s% des parcours/)
  await expect
    .poll(async () => (await creator.client.drafts.get({ id })).text_variants[0]?.place)
    .toBe('end')
})

test('a text for equal dimensions is chosen in the editor, and only visitors with equal dimensions read it', {
  tag: '@rare',
}, async ({ page, creator: { client }, browser }) => {
  const { id } = await publishWheel(client)
  await page.goto(`/quiz/${id}/results`)
  await add(page).click()
  await page.keyboard.type('Un équilibre parfait')
  await card(page)
    .getByRole('combobox', { name: 'Condition 1' })
    .selectOption('Toutes les dimensions sont égales')
  await expect(card(page)).toContainText('Si toutes les dimensions sont égales')
  await expect
    .poll(async () => (await client.drafts.get({ id })).text_variants.at(-1)?.conditions)
    .toEqual([{ kind: 'dimensions_equal' }])
  await atEachWidth(page, WIDTHS, () => expectAccessible(page))
  await client.quizzes.publish({ id })

  // « Libre » is 100 % of « Santé »; 5 is 100 % of « Argent », and 1 is 0 %.
  for (const [savings, nb_texts] of [
    ['5', 1],
    ['1', 0],
  ] as const) {
    const visitor = await (await browser.newContext()).newPage()
    await visitor.goto(`/q/${id}`)
    await visitor.getByRole('radio', { name: savings, exact: true }).check()
    await choose(visitor, 'Libre')
    await enterEmail(visitor)
    await expect(visitor.locator('.q-variant', { hasText: 'Un agenda libre' })).toBeVisible()
    await expect(visitor.locator('.q-variant', { hasText: 'Un équilibre parfait' })).toHaveCount(
      nb_texts,
    )
    await visitor.context().close()
  }
})
