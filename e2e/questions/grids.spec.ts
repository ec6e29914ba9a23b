import { publishGridSondage } from '../../src/server/testing/quizzes/grid-sondage.ts'
import { readySondage } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, expectSaved, pasteInto, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { gridRows, listDraftRows, pressMenuItem } from '../support/grid-steps.ts'
import { measureOverflow } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })
const { step } = test
const FORTY = Array.from({ length: 40 }, (_, rank) => `Thème ${rank + 1}`)

test('a creator pastes the rows of a grid, moves it as one, and undoes it in one step', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id } = await readySondage(client)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${id}/questions`)

  await step('the dialog refuses an empty grid, and adds one with pasted rows', async () => {
    await question(page, 1).focus()
    await addItem(page, 'Grille')
    const dialog = page.getByRole('dialog', { name: 'Ajouter une grille' })
    await dialog.getByRole('button', { name: 'Ajouter la grille' }).click()
    await expect(dialog.getByText('Écrivez au moins une question, une par ligne.')).toBeVisible()
    await dialog.getByLabel('Titre de la grille').fill('Votre formation')
    await dialog
      .getByLabel('Questions, une par ligne')
      .fill('1. Le rythme\n2. Les supports\n3. Les salles')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Ajouter la grille' }).click()
    await expect(gridRows(page)).toHaveCount(3)
    await expect(gridRows(page).first()).toHaveValue('Le rythme')
    await expectAccessible(page)
  })
  await step('one undo removes the grid, and one redo brings it back', async () => {
    await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
    await expect(gridRows(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Rétablir' }).click()
    await expect(gridRows(page)).toHaveCount(3)
  })
  await step(
    'Enter adds a row, a pasted list adds several, and Alt with an arrow moves a row',
    async () => {
      await gridRows(page).last().press('Enter')
      await expect(gridRows(page).nth(3)).toBeFocused()
      await pasteInto(gridRows(page).nth(3), '- Les horaires\n- Le repas')
      await expect(gridRows(page)).toHaveCount(5)
      await expect(gridRows(page).nth(4)).toHaveValue('Le repas')
      await gridRows(page).nth(4).press('Alt+ArrowUp')
      await expect(gridRows(page).nth(3)).toHaveValue('Le repas')
      await expect(gridRows(page).nth(3)).toBeFocused()
      await gridRows(page).nth(2).fill('')
      await gridRows(page).nth(2).press('Backspace')
      await expect(gridRows(page)).toHaveCount(4)
    },
  )
  await step('the scale of the grid is the scale of every row', async () => {
    await page.getByLabel('Libellé de la fin – Grille').fill('Parfait')
    await page.getByLabel('Titre de la grille').fill('La formation')
    await expectSaved(page)
    const { questions } = await client.drafts.get({ id })
    expect(questions.slice(1, 5).map(({ scale_max_label }) => scale_max_label)).toEqual(
      Array(4).fill('Parfait'),
    )
  })
  await step(
    'the whole grid moves to another page and up by its menu and by keyboard',
    async () => {
      await pressMenuItem(page, 'Actions – Grille, question 2', 'Déplacer vers la page 2')
      await expect(page.getByRole('heading', { name: 'Grille, question 3' })).toBeVisible()
      await page.getByLabel('Titre de la grille').press('Alt+ArrowUp')
      await expect(page.getByRole('heading', { name: 'Grille, question 2' })).toBeVisible()
      await expectSaved(page)
      await expect
        .poll(listDraftRows(client, id))
        .toEqual([
          '1 Votre agenda ? -',
          '2 Le rythme La formation',
          '2 Les supports +',
          '2 Le repas +',
          '2 Les horaires +',
          '2 Où vous écrire ? -',
        ])
    },
  )
  await step('a row leaves the grid, and a separated grid is single questions', async () => {
    await pressMenuItem(page, 'Actions – Question 2', 'Sortir de la grille')
    await expect(gridRows(page)).toHaveCount(3)
    await pressMenuItem(page, 'Actions – Grille, question 2', 'Séparer les questions')
    await expect(gridRows(page)).toHaveCount(0)
    await expectSaved(page)
    expect((await listDraftRows(client, id)()).slice(1)).toEqual([
      '2 Les supports -',
      '2 Le repas -',
      '2 Les horaires -',
      '2 Le rythme -',
      '2 Où vous écrire ? -',
    ])
  })
  await step('forty pasted rows with two answers are one grid, which moves as one', async () => {
    await addItem(page, 'Grille')
    const dialog = page.getByRole('dialog', { name: 'Ajouter une grille' })
    await dialog.getByLabel('Choix unique').check()
    await dialog.getByLabel('Questions, une par ligne').fill(FORTY.join('\n'))
    await dialog.getByRole('button', { name: 'Ajouter la grille' }).click()
    await expect(dialog.getByText('Écrivez au moins deux réponses, une par ligne.')).toBeVisible()
    await dialog.getByLabel('Réponses, une par ligne').fill('Oui\nNon')
    await dialog.getByRole('button', { name: 'Ajouter la grille' }).click()
    await expect(gridRows(page)).toHaveCount(40)
    await page.getByRole('button', { name: /^Actions – Grille/ }).click()
    await page.getByRole('menuitem', { name: 'Déplacer vers la page 1' }).click()
    await expectSaved(page)
    const moved = (await listDraftRows(client, id)()).filter((one) => /^1 Thème/.test(one))
    expect(moved).toEqual(FORTY.map((text, rank) => `1 ${text} ${rank === 0 ? 'Grille' : '+'}`))
  })
})

test('a row whose answers differ by a space is marked and put back, and answers change for every row', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id, choices } = await publishGridSondage(client)
  const { questions, revision } = await client.drafts.get({ id })
  const first = questions.find((one) => one.id === choices[1]?.id)?.answers[0]
  await client.drafts.save({
    id,
    body: {
      based_on: revision,
      answers: [{ id: first?.id ?? '', question_id: first?.question_id ?? '', text: 'Oui ' }],
    },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/quiz/${id}/questions`)
  await expect(
    page.getByText(
      'Hors de la grille : ses réponses diffèrent de celles de la grille par des espaces.',
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Remettre dans la grille' }).click()
  const grid = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Grille, question 4' }) })
  await expect(grid.getByRole('textbox', { name: /ligne \d sur 2/ })).toHaveCount(2)
  await grid.getByText('Réponses de toutes les lignes').click()
  await grid
    .getByRole('textbox', { name: /^Réponse 1/ })
    .first()
    .fill('Bien sûr')
  await grid.getByRole('button', { name: 'Ajouter une réponse' }).first().click()
  await page.keyboard.type('Jamais')
  await expectSaved(page)
  expect(await measureOverflow(page)).toBe(0)
  await expectAccessible(page)
  await expect
    .poll(async () =>
      (await client.drafts.get({ id })).questions
        .slice(3, 5)
        .map((one) => one.answers.map(({ text }) => text).join()),
    )
    .toEqual(Array(2).fill('Bien sûr,Plutôt,Non,Jamais'))
})
