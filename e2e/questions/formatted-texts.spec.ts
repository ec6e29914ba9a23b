import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import {
  addItem,
  answerPage,
  expectSaved,
  goToStep,
  publish,
  question,
} from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const { step } = test

test('a creator writes texts with formatting and insertions with the keyboard, and visitors read them with and without scripts', {
  tag: '@rare',
}, async ({ page, creator, visitor, browser }) => {
  const { keyboard } = page
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)

  await step('a question gets its short name from its menu', async () => {
    await page.getByRole('button', { name: 'Actions – Question 1' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Nom court…' }).press('Enter')
    const name = page.getByRole('textbox', { name: 'Nom court – Question 1' })
    await expect(name).toBeFocused()
    await keyboard.type('agenda')
    await expect(page.getByText('{{agenda}}')).toBeVisible()
  })

  const block = page.getByRole('textbox', { name: 'Bloc de texte 1' })
  const written = 'Un **mot**, un *autre* et [ici](https://exemple.fr)\n- Agenda : {{agenda}}'
  await step('a text block accepts bold, italic, a link, a list and an insertion', async () => {
    await question(page, 2).focus()
    await addItem(page, 'Bloc de texte')
    await expect(block).toBeFocused()
    await keyboard.type('Un ')
    await keyboard.press('Control+b')
    await keyboard.type('mot')
    await keyboard.press('Control+b')
    await keyboard.type(', un autre')
    await keyboard.press('Control+Shift+ArrowLeft')
    await keyboard.press('Control+i')
    await expect(block).toHaveValue('Un **mot**, un *autre*')
    await keyboard.press('Control+z')
    await expect(block).toHaveValue('Un **mot**, un autre')
    await keyboard.press('Control+i')
    await keyboard.press('End')
    await keyboard.type(' et ici')
    await keyboard.press('Control+Shift+ArrowLeft')
    await keyboard.press('Control+k')
    await expect(page.getByText('L’adresse du lien est à compléter.')).toBeVisible()
    await keyboard.type('https://exemple.fr')
    await expect(page.getByText('L’adresse du lien est à compléter.')).toBeHidden()
    await keyboard.press('End')
    await keyboard.press('Enter')
    // The toolbar is one Tab stop, and the arrow keys move inside the toolbar.
    await keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Gras (Ctrl B)' })).toBeFocused()
    for (const _ of [1, 2, 3]) await keyboard.press('ArrowRight')
    await expect(page.getByRole('button', { name: 'Liste' })).toBeFocused()
    await keyboard.press('Enter')
    await expect(block).toBeFocused()
    await keyboard.type('Agenda : ')
    // Tab returns to the last used button of the toolbar.
    await keyboard.press('Tab')
    await keyboard.press('ArrowRight')
    await keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'agenda' }).press('Enter')
    await expect(block).toBeFocused()
    await expect(block).toHaveValue(written)
    await expect(
      page.getByRole('toolbar').locator('..').getByRole('link', { name: 'ici' }),
    ).toBeVisible()
    await expectAccessible(page)
    const preview = page.frameLocator('iframe')
    await expect(preview.getByRole('strong').getByText('mot')).toBeVisible()
    await expectSaved(page)
    const { text_blocks } = await creator.client.questions.unified({ id })
    expect(text_blocks.map(({ content }) => content)).toEqual([written])
  })

  await step(
    'a description shows the score, and publishing leads to a wrong insertion',
    async () => {
      await goToStep(page, 'Résultats')
      const description = page.getByRole('textbox', { name: 'Description – Grand saut' })
      await description.fill('Agenda *{{agenda}}* : {{scores}}')
      await goToStep(page, 'Questions')
      await page.getByRole('button', { name: '1 point à corriger' }).click()
      await page
        .getByRole('button', { name: /\{\{scores\}\} n’est le nom court d’aucune question/ })
        .click()
      await expect(description).toBeFocused()
      await description.fill('Agenda *{{agenda}}* : ')
      await page.getByRole('button', { name: /^Insérer/ }).click()
      await page.getByRole('menuitem', { name: 'score' }).click()
      await expect(description).toHaveValue('Agenda *{{agenda}}* : {{score}}')
      await expectAccessible(page)
      await expectSaved(page)
    },
  )
  await publish(page)

  const context = await browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  for (const [how, reader] of [
    ['with scripts', visitor],
    ['without scripts', plain],
  ] as const)
    await step(`visitors read it ${how}`, async () => {
      await reader.goto(`/q/${id}`)
      await answerPage(reader, { choose: ['Libre'] })
      await expect(reader.getByRole('strong')).toHaveText('mot')
      await expect(reader.getByRole('emphasis')).toHaveText('autre')
      await expect(reader.getByRole('listitem')).toHaveText('Agenda : Libre')
      const link = reader.getByRole('link', { name: 'ici' })
      await expect(link).toHaveAttribute('href', 'https://exemple.fr')
      await expect(link).toHaveAttribute('target', '_blank')
      if (reader === visitor) await expectAccessible(reader)
      await answerPage(reader, { type: { 'Où vous écrire ?': 'camille@exemple.fr' } })
      await expect(reader.getByRole('emphasis')).toHaveText('Libre')
      await expect(reader.getByText('Agenda Libre : 5')).toBeVisible()
      if (reader === visitor) await expectAccessible(reader)
    })
  await context.close()
})
