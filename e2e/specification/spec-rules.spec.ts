import type { Page } from '@playwright/test'
import {
  readyProfilsQuiz,
  readyScoreQuiz,
  readySondage,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import {
  addItem,
  expectSaved,
  goToStep,
  publish,
  publishedToast,
  question,
} from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** The specified rules of status, mode, pages and publication; each step tests one of them. */

const { step } = test

const publishButton = (page: Page) => page.getByRole('button', { name: 'Publier', exact: true })
const expectPublishTitle = (page: Page, title: string) =>
  expect(publishButton(page)).toHaveAttribute('title', title)
const dialogOf = (page: Page) => page.getByRole('alertdialog')
const score = (page: Page, answer: string) => page.getByLabel(`Score – ${answer}`)
const bound = (page: Page, which: 'Minimum' | 'Maximum', result: string) =>
  page.getByLabel(`${which} – ${result}`)

test('a quiz changes its status only as the specification says (product 1.3, 6.9)', async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  const badge = (text: string) => page.getByText(text, { exact: true })
  const choose = async (status: string): Promise<void> => {
    await page.goto(`/quiz/${id}/edit`)
    await page.getByLabel('Statut').selectOption(status)
    await page.getByRole('button', { name: 'Sauvegarder' }).click()
    await expect(page.getByText('Modifications enregistrées')).toBeVisible()
    await page.goto(`/quiz/${id}/questions`)
    await expect(badge(status)).toBeVisible()
  }
  await step("'Brouillon' becomes 'Publié' when it is chosen in the edit form", async () => {
    await choose('Publié')
    await expectPublishTitle(page, 'Aucune modification à publier')
  })
  await step('Publié becomes Brouillon only when it is chosen in the edit form', async () => {
    await choose('Brouillon')
    expect((await page.request.get(`/api/v1/quizzes/${id}/snapshot`)).status()).toBe(200)
    await page.goto(`/q/${id}`)
    await expect(page.getByText("Ce quiz n'est pas encore publié.")).toBeVisible()
  })
  await step(
    'Brouillon becomes Publié through the publish call, and the toast offers the link',
    async () => {
      await page.goto(`/quiz/${id}/questions`)
      await expectPublishTitle(page, 'Publier le quiz')
      expect(await publish(page)).toBe(new URL(`/q/${id}`, page.url()).href)
      await expectPublishTitle(page, 'Aucune modification à publier')
    },
  )
  await step(
    'a published quiz can have unpublished changes, and publishing updates it',
    async () => {
      await question(page, 1).fill('Votre semaine ?')
      await expect(badge('Modifications non publiées')).toBeVisible()
      await expectPublishTitle(page, 'Publier le quiz')
      await publishButton(page).click()
      const dialog = page.getByRole('dialog', { name: 'Mettre à jour le quiz' })
      await dialog.getByRole('button', { name: 'Mettre à jour' }).click()
      await expect(dialog).toBeHidden()
      await expect(publishedToast(page)).toBeVisible()
      await expect(badge('Modifications non publiées')).toBeHidden()
    },
  )
})

test('the first score or association chooses the mode, and a reset asks before it deletes data (product 4.1, 4.2)', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await creator.client.quizzes.resetMode({ id })
  await page.goto(`/quiz/${id}/questions`)
  const storedMode = async () => (await creator.client.quizzes.mode({ id })).mode
  const mode = (name: string) => page.getByRole('heading', { name, exact: true })
  await step("the first ticked association sets 'profils', which hides scores", async () => {
    await expect(mode('Aucun mode choisi')).toBeVisible()
    const group = page.getByRole('group', { name: 'Résultats associés à Rempli' })
    await group.getByRole('checkbox', { name: 'Pas à pas' }).check()
    await expect(mode('Mode profils')).toBeVisible()
    await expect(score(page, 'Rempli')).toHaveCount(0)
    await expect(page.getByText('Paliers de score')).toBeHidden()
    await expect.poll(storedMode).toBe('profils')
  })
  await step("'Réinitialiser le mode' warns that associations will be erased", async () => {
    await page.getByRole('button', { name: 'Réinitialiser le mode' }).click()
    await expect(dialogOf(page)).toContainText('associations')
    await dialogOf(page).getByRole('button', { name: 'Annuler' }).click()
    await expect(mode('Mode profils')).toBeVisible()
    await page.getByRole('button', { name: 'Réinitialiser le mode' }).click()
    await dialogOf(page).getByRole('button', { name: 'Réinitialiser' }).click()
    await expect(mode('Aucun mode choisi')).toBeVisible()
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
  })
  await step('the reset of the mode is saved automatically', () =>
    expect.poll(storedMode).toBeNull(),
  )
  await step(
    "the first non-zero score sets 'score', and a reset warns that scores will be erased",
    async () => {
      await score(page, 'Libre').fill('7')
      await expect(mode('Mode score')).toBeVisible()
      await page.getByRole('button', { name: 'Réinitialiser le mode' }).click()
      await expect(dialogOf(page)).toContainText('scores')
      await dialogOf(page).getByRole('button', { name: 'Annuler' }).click()
    },
  )
  await step('scores are integers, and a threshold is at least 0 or empty', async () => {
    await score(page, 'Libre').fill('2.7')
    await score(page, 'Libre').blur()
    await expect(score(page, 'Libre')).toHaveValue('2')
    await expect(bound(page, 'Minimum', 'Pas à pas')).toHaveAttribute('min', '0')
    await bound(page, 'Minimum', 'Pas à pas').fill('3')
    await expectSaved(page)
    await bound(page, 'Minimum', 'Pas à pas').fill('')
    await bound(page, 'Minimum', 'Pas à pas').blur()
    await expect(bound(page, 'Minimum', 'Pas à pas')).toHaveValue('')
    await expect
      .poll(async () => (await creator.client.results.list({ id })).results[0]?.min_score)
      .toBeNull()
    await expect.poll(storedMode).toBe('score')
  })
  await step('a reset and the choice of the other mode are saved together', async () => {
    await page.getByRole('button', { name: 'Réinitialiser le mode' }).click()
    await dialogOf(page).getByRole('button', { name: 'Réinitialiser' }).click()
    const group = page.getByRole('group', { name: 'Résultats associés à Libre' })
    await group.getByRole('checkbox', { name: 'Grand saut' }).check()
    await expect.poll(storedMode).toBe('profils')
    await page.reload()
    await expect(mode('Mode profils')).toBeVisible()
    await expect(group.getByRole('checkbox', { name: 'Grand saut' })).toBeChecked()
  })
})

test('pages and items are added, numbered and deleted as the specification says (product 3.6)', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  const pagesOf = async () =>
    (await creator.client.questions.unified({ id })).questions.map(({ text, page_number }) => [
      text,
      page_number,
    ])
  await page.goto(`/quiz/${id}/questions`)
  await step('a new page has the next page number and explains how to fill it', async () => {
    await addItem(page, 'Nouvelle page')
    await expect(page.getByRole('heading', { name: 'Page 3' })).toBeVisible()
    await expect(page.getByText('Glissez un élément ici')).toBeVisible()
  })
  await step("deleting a page asks 'la page {n} ?' and lowers the later page numbers", async () => {
    await page.getByRole('button', { name: 'Supprimer la page 3' }).click()
    await expect(dialogOf(page)).toContainText('Êtes-vous sûr de vouloir supprimer la page 3 ?')
    await dialogOf(page).getByRole('button', { name: 'Supprimer' }).click()
    await page.getByRole('button', { name: 'Actions – Question 1', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Déplacer vers la page 2' }).click()
    await page.getByRole('button', { name: 'Supprimer la page 1' }).click()
    await dialogOf(page).getByRole('button', { name: 'Supprimer' }).click()
    await expect(page.getByRole('heading', { name: 'Page 2' })).toHaveCount(0)
    await expect.poll(async () => (await pagesOf()).map(([, number]) => number)).toEqual([1, 1])
  })
  await step('text blocks with blank content are not saved', async () => {
    await addItem(page, 'Bloc de texte')
    await page.getByLabel('Bloc de texte 1', { exact: true }).fill('   ')
    await question(page, 1).fill('Où écrire ?')
    await expect.poll(async () => (await pagesOf()).flat()).toContain('Où écrire ?')
    expect((await creator.client.questions.unified({ id })).text_blocks).toEqual([])
  })
  await step(
    "deleting a question asks 'Êtes-vous sûr de vouloir supprimer cette question ?'",
    async () => {
      await page.getByRole('button', { name: 'Supprimer Question 1', exact: true }).click()
      await expect(dialogOf(page)).toContainText(
        'Êtes-vous sûr de vouloir supprimer cette question ?',
      )
    },
  )
})

test('the publish button states the first validation error (product 6.6)', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const long = 'Quelle est, parmi toutes celles-ci, la phrase qui vous ressemble ?'
  await step('the title is the first error of a quiz without questions and results', async () => {
    const { quiz } = await creator.client.quizzes.create({ body: { name: 'Vide', type: 'quiz' } })
    await page.goto(`/quiz/${quiz.id}/results`)
    for (const screen of ['Résultats', 'Réglages'] as const) {
      await goToStep(page, screen)
      await expectPublishTitle(page, 'Il faut au moins une question pour publier le quiz')
      await expect(publishButton(page)).toBeDisabled()
      await page.getByRole('button', { name: 'Reste à faire : 2 points' }).click()
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText([
        'Il faut au moins une question pour publier le quiz',
        'Il faut au moins 2 résultats pour publier le quiz',
      ])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  })
  const { id } = await readyScoreQuiz(creator.client)
  await step('in score mode, a result needs a tier', async () => {
    await page.goto(`/quiz/${id}/questions`)
    await bound(page, 'Minimum', 'Grand saut').fill('')
    await expectPublishTitle(page, `Le résultat "Grand saut" n'a pas de palier de score défini`)
    await expectSaved(page)
  })
  await step('on the results and settings screens only the first two checks apply', async () => {
    for (const screen of ['Résultats', 'Réglages'] as const) {
      await goToStep(page, screen)
      await expectPublishTitle(page, 'Publier le quiz')
      await expect(publishButton(page)).toBeEnabled()
    }
  })
  await step(
    "server validation errors are listed under 'Impossible de publier le quiz'",
    async () => {
      await publishButton(page).click()
      const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
      await dialog.getByRole('button', { name: 'Publier' }).click()
      await expect(dialog.getByRole('alert')).toContainText('Impossible de publier le quiz')
      await expect(dialog.getByRole('alert').getByRole('listitem')).toHaveText([
        `Le résultat "Grand saut" n'a pas de palier de score défini`,
      ])
    },
  )
  await step('a choice needs an answer, and its text is cut after 50 characters', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).click()
    await goToStep(page, 'Questions')
    await bound(page, 'Minimum', 'Grand saut').fill('5')
    await addItem(page, 'Choix multiple')
    await question(page, 2).or(question(page, 3)).last().fill(long)
    await expectPublishTitle(page, `La question "${long.slice(0, 50)}..." n'a aucune réponse`)
  })
  await step(
    'in score mode, an answer needs a score, and texts are cut after 30 characters',
    async () => {
      const answer = 'Une réponse assez longue pour être coupée'
      await page.getByRole('textbox', { name: /^Réponse 1 de la question 3$/ }).fill(answer)
      await expectPublishTitle(
        page,
        `La réponse "${answer.slice(0, 30)}" de la question "${long.slice(0, 30)}" doit avoir un score`,
      )
    },
  )
  await step('in profils mode, an answer needs a result', async () => {
    const profils = await readyProfilsQuiz(creator.client)
    await page.goto(`/quiz/${profils.id}/questions`)
    await page
      .getByRole('group', { name: 'Résultats associés à Rempli' })
      .getByRole('checkbox', { checked: true })
      .uncheck()
    await expectPublishTitle(
      page,
      'La réponse "Rempli" de la question "Votre agenda ?" doit être associée à au moins un résultat',
    )
  })
  await step('a sondage needs no result', async () => {
    const sondage = await readySondage(creator.client)
    await page.goto(`/quiz/${sondage.id}/results`)
    await expectPublishTitle(page, 'Publier le quiz')
    await expect(publishButton(page)).toBeEnabled()
  })
})
