import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  publishedScoreQuiz,
  publishSample,
  readyScoreQuiz,
  readySondage,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth, findSmallTargets, measureOverflow, TOUCH } from '../support/layout-checks.ts'
import { delayCalls, failCalls } from '../support/network.ts'
import { cardMenu } from '../support/quiz-cards.ts'

test.use({ creatorIs: 'signed in' })

const OVERVIEW = { method: 'GET', path: '**/api/v1/statistics/overview' }

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const mainLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const cardNames = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents()
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

/** Adds two visits of the quiz, one of which is completed. */
const addVisits = async (page: Page, client: Client, quiz: SampleQuiz): Promise<void> => {
  const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' }
  await client.publicQuiz.submit({ id: quiz.id, body: { answers } })
  for (const steps of ['0/1', '0/3']) await page.request.post(`/q/${quiz.id}/visite/1/${steps}`)
}

test('a card shows the quiz, its colours and the figures of its statistics', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { client } = creator
  const quiz = await publishedScoreQuiz(client, 'Quel rythme ?')
  await publishSample(client, readySondage(client, 'Votre avis'))
  await client.quizzes.update({
    id: quiz.id,
    body: { bg_color: '#10312b', text_color: '#e9f7f2', button_color: '#aa3355' },
  })
  const pale = await readyScoreQuiz(client, 'Pâle')
  await client.quizzes.update({ id: pale.id, body: { bg_color: '#ffffff', text_color: '#eeeeee' } })
  await addVisits(page, client, quiz)
  await expect
    .poll(async () => {
      const { quizzes } = await client.statistics.overview()
      return quizzes.find(({ id }) => id === quiz.id)?.nb_opened
    })
    .toBe(2)
  await page.goto('/dashboard')

  const shown = card(page, 'Quel rythme ?')
  await expect(shown.getByText('50\u00a0% terminent')).toBeVisible()
  await expect(shown.getByTitle('1 sur 2 · 50\u00a0%')).toBeVisible()
  await expect(shown.getByRole('link', { name: '1 réponse' })).toHaveAttribute(
    'href',
    `/quiz/${quiz.id}/statistics`,
  )
  await expect(shown.getByText('modifié à l’instant')).toHaveAttribute('title', /\d{4} à \d\d:\d\d/)
  await expect(
    shown.getByRole('img', { name: '1 réponse en 30 jours, 1 au plus en un jour' }),
  ).toBeVisible()
  await expect(
    shown.getByRole('img', {
      name: 'Répartition des résultats : Pas à pas 100\u00a0%, Grand saut 0\u00a0%',
    }),
  ).toBeVisible()
  await expect(shown.getByRole('heading').locator('..')).toHaveCSS(
    'background-color',
    'rgb(16, 49, 43)',
  )
  await expect(shown.getByRole('heading')).toHaveCSS('color', 'rgb(233, 247, 242)')

  const sondage = card(page, 'Votre avis')
  await expect(sondage.getByText('Un sondage n’a pas de résultat.')).toBeVisible()
  await expect(sondage.getByTitle('Aucune ouverture comptée')).toContainText('– terminent')
  await expect(sondage.getByRole('img', { name: 'Aucune réponse en 30 jours' })).toBeVisible()
  const head = page.getByRole('main')
  for (const total of ['1 réponse en 30 jours', '50\u00a0% vont au bout', '0 contact envoyé'])
    await expect(head.getByText(total, { exact: true })).toBeVisible()

  await test.step('a title stays readable if the chosen colours have too little contrast', async () => {
    await expect(card(page, 'Pâle').getByRole('heading')).toHaveCSS('color', 'rgb(0, 0, 0)')
    await expectAccessible(page)
  })
})

test('figures fill the space that is reserved for them, and can be reloaded after a failure', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const quiz = await publishedScoreQuiz(creator.client, 'Quel rythme ?')
  await addVisits(page, creator.client, quiz)
  await readyScoreQuiz(creator.client, 'Un autre')
  const release = await delayCalls(page, OVERVIEW)
  await page.goto('/dashboard')
  const shown = card(page, 'Quel rythme ?')
  await expect(shown).toBeVisible()
  const before = await shown.boundingBox()
  release()
  await expect(shown.getByRole('img', { name: /^Répartition/ })).toBeVisible()
  expect(await shown.boundingBox()).toEqual(before)

  const restore = await failCalls(page, OVERVIEW)
  await page.reload()
  await expect(status(page, 'Les chiffres n’ont pas pu être chargés.')).toBeVisible()
  await expect(shown.getByTitle('Chiffres indisponibles')).toContainText('– terminent')
  await expectAccessible(page)
  await restore()
  await page.getByRole('button', { name: 'Recharger les chiffres' }).click()
  await expect(page.getByText('1 réponse en 30 jours', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a creator chooses the order of the list, and the device remembers it', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { client } = creator
  const taken = await publishedScoreQuiz(client, 'Zèbre')
  const { quiz } = await client.quizzes.create({ body: { name: 'Été', type: 'quiz' } })
  await client.quizzes.create({ body: { name: 'Automne', type: 'sondage' } })
  await addVisits(page, client, taken)
  await client.quizzes.update({ id: quiz.id, body: { bg_color: '#ffeecc' } })
  await page.goto('/dashboard')
  await expect(page.getByRole('article')).toHaveCount(3)
  expect(await cardNames(page)).toEqual(['Été', 'Automne', 'Zèbre'])
  const sort = page.getByRole('combobox', { name: 'Trier par' })
  for (const [label, names] of [
    ['Nom', ['Automne', 'Été', 'Zèbre']],
    ['Création', ['Automne', 'Été', 'Zèbre']],
    ['Réponses', ['Zèbre', 'Été', 'Automne']],
  ] as const) {
    await sort.selectOption(label)
    expect(await cardNames(page)).toEqual(names)
  }
  await page.reload()
  await expect(sort).toHaveValue('responses')
  expect(await cardNames(page)).toEqual(['Zèbre', 'Été', 'Automne'])
})

test('the arrow keys move from card to card, and Tab moves through each card', {
  tag: '@rare',
}, async ({ page, creator }) => {
  for (const name of ['Quatre', 'Trois', 'Deux', 'Un'])
    await creator.client.quizzes.create({ body: { name, type: 'quiz' } })
  await page.setViewportSize({ width: 1100, height: 900 })
  await page.goto('/dashboard')
  await mainLink(page, 'Un').focus()
  for (const [key, name] of [
    ['ArrowRight', 'Deux'],
    ['ArrowDown', 'Quatre'],
    ['ArrowLeft', 'Trois'],
    ['ArrowUp', 'Un'],
    ['ArrowUp', 'Un'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(mainLink(page, name)).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: '0 réponse — Un' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Statistiques — Un' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Modifier Un' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Supprimer Un' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(cardMenu(page, 'Un')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(mainLink(page, 'Deux')).toBeFocused()
})

test('a list that cannot be reloaded says that it is the list of the last visit', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator, context }) => {
  await readyScoreQuiz(creator.client, 'Quel rythme ?')
  await page.goto('/dashboard')
  await expect(card(page, 'Quel rythme ?')).toBeVisible()
  await page.getByRole('link', { name: 'Mon compte', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mon compte' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Tableau de bord' }).click()
  await expect(status(page, 'Hors ligne')).toContainText('celle de votre dernière visite')
  await expect(card(page, 'Quel rythme ?')).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(status(page, 'Hors ligne')).toHaveCount(0)
})

test('cards are complete and accessible on narrow screens in both colour schemes', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const name = 'Êtes-vous prêt à vous lancer ?'
  const quiz = await publishedScoreQuiz(creator.client, name)
  await addVisits(page, creator.client, quiz)
  await publishSample(creator.client, readySondage(creator.client))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await expect(page.getByRole('img', { name: /^Répartition/ })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const)
    await atEachWidth(page, [390, 320], (width) =>
      test.step(`${width} px, ${colorScheme}`, async () => {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
        expect(await measureOverflow(page)).toBe(0)
        await cardMenu(page, name).click()
        for (const box of await page.getByRole('menuitem').all())
          await expect(box).toBeInViewport({ ratio: 1 })
        await expectAccessible(page)
        await page.keyboard.press('Escape')
      }),
    )
})

test.describe('a card on a phone', () => {
  test.use(TOUCH)

  test('a card has a delete button that asks for confirmation, also with the keyboard', {
    tag: '@rare',
  }, async ({ page, creator }) => {
    const { client } = creator
    await readyScoreQuiz(client, 'Un brouillon')
    await publishedScoreQuiz(client, 'Quel rythme ?')
    await page.goto('/dashboard')
    const inner = card(page, 'Quel rythme ?')
    for (const name of ['Un brouillon', 'Quel rythme ?']) {
      const button = page.getByRole('button', { name: `Supprimer ${name}`, exact: true })
      await button.scrollIntoViewIfNeeded()
      await expect(button).toBeInViewport({ ratio: 1 })
      expect(await findSmallTargets(card(page, name))).toEqual([])
    }
    const [first, last] = [
      inner.getByRole('link', { name: 'Modifier Quel rythme ?' }),
      inner.getByRole('button', { name: 'Actions – Quel rythme ?' }),
    ]
    expect((await first.boundingBox())?.y).toBe((await last.boundingBox())?.y)
    await page.getByRole('button', { name: 'Supprimer Quel rythme ?' }).press('Enter')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText(
      'Êtes-vous sûr de vouloir supprimer le quiz "Quel rythme ?" ? Cette action est irréversible.',
    )
    await dialog.getByRole('button', { name: 'Supprimer' }).press('Enter')
    await expect(inner).toHaveCount(0)
    await expect(card(page, 'Un brouillon')).toBeVisible()
  })
})
