import type { Locator, Page } from '@playwright/test'
import {
  readyProfilsQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, pasteInto, question, typeHalfCharacter } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const { step } = test

/** Pasted lists, and rows that the server refuses. */

const REASON = 'Le texte contient un caractère interdit'

const bar = (page: Page): Locator => page.getByRole('alert').filter({ hasText: 'Non enregistré' })

test('a pasted result and a text pasted into a field are cut before an emoji that crosses the limit, and are stored', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  const names = async () =>
    (await creator.client.results.list({ id })).results.map(({ name }) => name)
  const long = 'a'.repeat(199)
  await step('a pasted result is cut, and the creator is told', async () => {
    await pasteInto(page.getByLabel('Nouveau résultat'), `• Un\n• ${long}😀\n• Trois`)
    const alert = page.getByRole('alertdialog')
    await expect(alert).toContainText('1 ligne a été raccourcie à 200 caractères.')
    await alert.getByRole('button').click()
    await expect(page.getByLabel(/^Nom du résultat/)).toHaveCount(5)
    await expectSaved(page)
    expect((await names()).slice(2)).toEqual(['Un', long, 'Trois'])
  })
  await step('a text pasted into a field is cut', async () => {
    const field = page.getByLabel('Nom du résultat 1')
    await field.fill('')
    await pasteInto(field, `${long}😀`)
    await expect(field).toHaveValue(long)
    await expectSaved(page)
    expect((await names())[0]).toBe(long)
  })
})

test('a list pasted from a text processor becomes answers without its marks', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id, question_id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const answer = page.getByRole('textbox', { name: 'Réponse 2 de la question 1' })
  await answer.fill('')
  await pasteInto(answer, '\uf0b7\tLyon\r\n\uf0b7\tNice\r\no\tMetz')
  await expectSaved(page)
  await question(page, 2).fill('')
  await pasteInto(question(page, 2), '• Où vivez-vous ?')
  await expect(question(page, 2)).toHaveValue('Où vivez-vous ?')
  await expect
    .poll(async () => {
      const { questions } = await creator.client.questions.list({ id })
      return questions.find((one) => one.id === question_id)?.answers.map(({ text }) => text)
    })
    .toEqual(['Rempli', 'Lyon', 'Nice', 'Metz'])
})

type RefusedField = {
  what: string
  open?: (page: Page) => Promise<void>
  fieldOf: (page: Page) => Locator
  title: string
}

const FIELDS: { screen: string; sample: typeof readyScoreQuiz; fields: RefusedField[] }[] = [
  {
    screen: 'results',
    sample: readyScoreQuiz,
    fields: [
      {
        what: 'the name of a result',
        fieldOf: (page) => page.getByLabel('Nom du résultat 2'),
        title: 'Nom du résultat « Grand saut',
      },
      {
        what: 'the description of a result',
        fieldOf: (page) => page.getByRole('textbox', { name: 'Description – Pas à pas' }),
        title: 'Description du résultat « Pas à pas »',
      },
    ],
  },
  {
    screen: 'questions',
    sample: readyProfilsQuiz,
    fields: [
      {
        what: 'a question',
        fieldOf: (page) => question(page, 1),
        title: 'Texte de la question 1',
      },
      {
        what: 'an answer',
        fieldOf: (page) => page.getByRole('textbox', { name: 'Réponse 2 de la question 1' }),
        title: 'Texte de la réponse « Libre',
      },
      {
        what: 'the welcome',
        open: (page) =>
          page
            .getByRole('button', { name: /accueil/i })
            .first()
            .click(),
        fieldOf: (page) => page.getByLabel('Titre', { exact: true }),
        title: 'Titre de l’accueil',
      },
    ],
  },
  {
    screen: 'settings',
    sample: readyScoreQuiz,
    fields: [
      {
        what: 'the name of the quiz',
        fieldOf: (page) => page.getByLabel('Nom du quiz'),
        title: 'Nom du quiz',
      },
    ],
  },
]

for (const { screen, sample, fields } of FIELDS)
  test(`a field of the ${screen} that the server refuses stays on the screen with the reason until it is corrected`, {
    tag: '@rare',
  }, async ({ page, creator }) => {
    const { id } = await sample(creator.client)
    await page.goto(`/quiz/${id}/${screen}`)
    for (const { what, open, fieldOf, title } of fields)
      await step(what, async () => {
        await open?.(page)
        const field = fieldOf(page)
        await typeHalfCharacter(field)
        await expect(bar(page)).toContainText(title)
        await expect(bar(page)).toContainText(REASON)
        await expect(field).toHaveAccessibleDescription(new RegExp(REASON))
        await expect(page.getByText('Enregistré', { exact: true })).toHaveCount(0)
        await expectAccessible(page)
        await page.getByRole('button', { name: 'Voir le champ' }).click()
        await expect(field).toBeFocused()
        await field.press('End')
        await field.press('Backspace')
        await expectSaved(page)
        await expect(bar(page)).toHaveCount(0)
      })
  })

test('leaving a refused row shows a warning, and the row is still there after a reload', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  const field = page.getByLabel('Nom du résultat 2')
  await typeHalfCharacter(field)
  await expect(bar(page)).toBeVisible()
  const written = await field.inputValue()

  await page.getByRole('link', { name: 'Tableau de bord' }).click()
  const warning = page.getByRole('alertdialog')
  await expect(warning).toContainText('n’est pas entièrement enregistré')
  await warning.getByRole('button', { name: 'Y revenir' }).click()
  await expect(field).toHaveValue(written)
  await expect(bar(page)).toBeVisible()

  const leaveDialog = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const dialog = await leaveDialog
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reloaded
  await expect(field).toHaveValue(written)
  await expect(bar(page)).toBeVisible()
  await field.fill('Grand bond')
  await expectSaved(page)
  const { results } = await creator.client.results.list({ id })
  expect(results.map(({ name }) => name)).toEqual(['Pas à pas', 'Grand bond'])
})
