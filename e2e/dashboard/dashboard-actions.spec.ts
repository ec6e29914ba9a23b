import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  publishedScoreQuiz,
  readyProfilsQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { delayCalls, failCalls } from '../support/network.ts'
import { cardMenu, chooseCardAction } from '../support/quiz-cards.ts'

test.use({ creatorIs: 'signed in' })

const LIST = '**/api/v1/quizzes'

const createButton = (page: Page) => page.getByRole('button', { name: 'Créer un questionnaire' })
const cardNames = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents()

/** The content of a questionnaire, without its ids and dates. */
const contentOf = async (client: Client, id: string) => {
  const { quiz } = await client.quizzes.get({ id })
  const { questions, text_blocks, results, quiz_mode } = await client.questions.unified({ id })
  const nameOf = (result_id: string) => results.find((result) => result.id === result_id)?.name
  return {
    colors: [quiz.bg_color, quiz.accent_color],
    type: quiz.type,
    quiz_mode,
    results: results.map(({ name, description, min_score, max_score }) => ({
      name,
      description,
      min_score,
      max_score,
    })),
    text_blocks: text_blocks.map(({ content, page_number }) => ({ content, page_number })),
    questions: questions.map(({ text, type, page_number, global_position, answers }) => ({
      text,
      type,
      page_number,
      global_position,
      answers: answers.map(({ text, score, associations }) => ({
        text,
        score,
        counts_for: associations.map(({ result_id, weight, is_checked }) => ({
          name: nameOf(result_id),
          weight,
          is_checked,
        })),
      })),
    })),
  }
}

test('the shortcut of the create button works while the list is loading', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  await creator.client.quizzes.create({ body: { name: 'Quel rythme ?', type: 'quiz' } })
  const arrive = await delayCalls(page, { method: 'GET', path: LIST })
  await page.goto('/dashboard')
  await expect(createButton(page)).toHaveAttribute('aria-keyshortcuts', 'N')
  await page.keyboard.press('n')
  await expect(page.getByRole('button', { name: 'Quiz avec résultat' })).toBeFocused()
  arrive()
  await expect.poll(() => cardNames(page)).toEqual(['Quel rythme ?'])
})

test('the create button keeps the focus when the empty list arrives', { tag: '@dom' }, async ({
  page,
  creator: _,
}) => {
  const arrive = await delayCalls(page, { method: 'GET', path: LIST })
  await page.goto('/dashboard')
  await createButton(page).focus()
  arrive()
  await expect(page.getByRole('heading', { name: 'Aucun quiz créé' })).toBeVisible()
  await expect(createButton(page)).toBeFocused()
})

test('a creator creates a questionnaire with the keyboard alone', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Aucun quiz créé' })).toBeVisible()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Créer un questionnaire' })
  const quiz = dialog.getByRole('button', { name: 'Quiz avec résultat' })
  await expect(quiz).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('button', { name: 'Sondage', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(quiz).toBeFocused()
  const model = dialog.getByRole('button', { name: 'Partir d’un modèle' })
  await model.focus()
  await page.keyboard.press('ArrowDown')
  await expect(model).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await createButton(page).press('Enter')
  await expect(quiz).toBeFocused()
  await page.keyboard.press('2')
  await page.keyboard.press('2')
  await expect(page).toHaveURL(/questions$/)
  const { quizzes } = await creator.client.quizzes.list()
  expect(quizzes.map(({ name, type }) => [name, type])).toEqual([['Nouveau Quiz', 'sondage']])
})

test('a failed creation shows an error, and two clicks create one quiz', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  await page.goto('/dashboard')
  const restore = await failCalls(page, { method: 'POST', path: LIST })
  await createButton(page).click()
  const choice = page.getByRole('dialog').getByRole('button', { name: 'Quiz avec résultat' })
  await choice.click()
  await expect(page.getByRole('alert')).toContainText('Le questionnaire n’a pas pu être créé')
  await restore()
  await page.keyboard.press('Escape')
  await createButton(page).click()
  await expect(page.getByRole('alert')).toBeEmpty()
  await choice.dblclick()
  await expect(page).toHaveURL(/results$/)
  expect((await creator.client.quizzes.list()).quizzes).toHaveLength(1)
})

test('a copy has everything except the responses, appears first in the list and has the focus', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { client } = creator
  const { id } = await readyProfilsQuiz(client, 'Quelle boutique ?')
  const { questions } = await client.questions.unified({ id })
  const text_blocks = [{ content: 'Un dernier effort', page_number: 2 }]
  await client.questions.saveDraft({ id, body: { questions, text_blocks } })
  const colors = { bg_color: '#fff8e7', accent_color: '#224488' }
  await client.quizzes.update({ id, body: colors })
  const published = await publishedScoreQuiz(client, 'Un autre')
  await page.goto('/dashboard')

  await chooseCardAction(page, 'Quelle boutique ?', 'Dupliquer')
  const copy = page.getByRole('link', { name: 'Quelle boutique ? (copie)', exact: true })
  await expect(copy).toBeFocused()
  await expect(page.getByText('« Quelle boutique ? (copie) » a été créé')).toBeAttached()
  const names = ['Quelle boutique ? (copie)', 'Un autre', 'Quelle boutique ?']
  expect(await cardNames(page)).toEqual(names)
  await expectAccessible(page)

  const { quizzes } = await client.quizzes.list()
  expect(quizzes.map(({ name }) => name)).toEqual(names)
  const original = await contentOf(client, id)
  expect(original).toMatchObject({
    quiz_mode: 'profils',
    text_blocks,
    colors: Object.values(colors),
  })
  expect(await contentOf(client, quizzes[0]?.id ?? '')).toEqual(original)

  await test.step('a copy of a published quiz is a draft without participants', async () => {
    await chooseCardAction(page, 'Un autre', 'Dupliquer')
    const card = page.getByRole('article', { name: 'Un autre (copie)' })
    await expect(card.getByText('Brouillon')).toBeVisible()
    await expect(card.getByRole('link', { name: /^0 réponse —/ })).toBeVisible()
    const [draft] = (await client.quizzes.list()).quizzes
    const content = await contentOf(client, published.id)
    expect(content.quiz_mode).toBe('score')
    expect(await contentOf(client, draft?.id ?? '')).toEqual(content)
  })
})

test('a failed copy leaves nothing behind, and a slow copy shows its progress and leaves the focus where it is', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  await readyScoreQuiz(creator.client, 'Quel rythme ?')
  await page.goto('/dashboard')
  const path = '**/duplicate'
  const restore = await failCalls(page, { method: 'POST', path })
  await chooseCardAction(page, 'Quel rythme ?', 'Dupliquer')
  const alert = page.getByRole('alertdialog')
  await expect(alert).toContainText('La copie n’a pas pu être faite')
  await expectAccessible(page)
  expect((await creator.client.quizzes.list()).quizzes).toHaveLength(1)
  await alert.getByRole('button', { name: 'OK' }).click()
  await expect(cardMenu(page, 'Quel rythme ?')).toBeFocused()
  expect(await cardNames(page)).toEqual(['Quel rythme ?'])
  await restore()

  const release = await delayCalls(page, { method: 'POST', path })
  const card = page.getByRole('article', { name: 'Quel rythme ?', exact: true })
  await chooseCardAction(page, 'Quel rythme ?', 'Dupliquer')
  await expect(card).toHaveAttribute('aria-busy', 'true')
  // A second request during the copy creates no second copy.
  await chooseCardAction(page, 'Quel rythme ?', 'Dupliquer')
  await expect(page.getByText('Copie de « Quel rythme ? »…')).toBeAttached()
  const link = page.getByRole('link', { name: 'Modifier Quel rythme ?', exact: true })
  await link.focus()
  release()
  await expect(page.getByText('« Quel rythme ? (copie) » a été créé')).toBeAttached()
  await expect(page.getByRole('article', { name: 'Quel rythme ? (copie)' })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(card).not.toHaveAttribute('aria-busy')
  await expect(link).toBeFocused()
  expect((await creator.client.quizzes.list()).quizzes).toHaveLength(2)
})

test('the public link is copied, or shown if the browser cannot copy', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await publishedScoreQuiz(creator.client, 'Quel rythme ?')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Copier le lien – Quel rythme ?' }).click()
  await expect(page.getByRole('button', { name: 'Copié – Quel rythme ?' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/q/${id}`)
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.getByRole('button', { name: 'Copier le lien – Quel rythme ?' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(`/q/${id}`)
})
