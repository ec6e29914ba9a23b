import type { Locator, Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, test } from '../support/fixtures.ts'
import { TOUCH } from '../support/layout-checks.ts'

/** Returns the middle of a button when its position is unchanged for thirty frames. */
const restingMiddle = async (button: Locator): Promise<{ x: number; y: number }> => {
  await button.click({ trial: true })
  return button.evaluate(
    (element) =>
      new Promise((resolve) => {
        let before = ''
        let frames = 0
        const measure = (): void => {
          const { x, y, width, height } = element.getBoundingClientRect()
          const now = `${x} ${y} ${width} ${height}`
          frames = now === before ? frames + 1 : 0
          before = now
          if (frames === 30) resolve({ x: x + width / 2, y: y + height / 2 })
          else requestAnimationFrame(measure)
        }
        measure()
      }),
  )
}

/** Taps the position of a button twice, as quickly as a double tap. */
const tapTwice = async (tapped: Locator): Promise<void> => {
  const { x, y } = await restingMiddle(tapped)
  for (const _ of [1, 2]) await tapped.page().touchscreen.tap(x, y)
}

/** Double-clicks the position of a button, even if the first click covers the button. */
const pressTwice = async (pressed: Locator): Promise<void> => {
  const { x, y } = await restingMiddle(pressed)
  await pressed.page().mouse.dblclick(x, y, { delay: 20 })
}

const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
const button = (at: Page | Locator, name: string): Locator =>
  at.getByRole('button', { name, exact: true })

test('two quick clicks create one quiz, open one step of a dialog, and publish one version', async ({
  page,
  creator: { client },
}) => {
  await expect(page.getByText('Aucun quiz créé')).toBeVisible()
  await pressTwice(page.getByRole('button', { name: 'Créer un questionnaire' }).first())
  const creating = dialog(page, 'Créer un questionnaire')
  await expect(creating).toBeVisible()
  await pressTwice(button(creating, 'Partir d’un modèle'))
  const models = dialog(page, 'Partir d’un modèle')
  await expect(models.getByRole('listitem')).toHaveCount(16)
  await pressTwice(button(models, 'Essayer – Quel est votre profil d’entrepreneur ?'))
  const trial = dialog(page, /^Quel est votre profil/)
  await pressTwice(button(trial, 'Utiliser ce modèle'))
  await expect(page).toHaveURL(/\/results$/)
  const { quizzes } = await client.quizzes.list()
  expect(quizzes).toHaveLength(1)

  await page.goto(page.url().replace('results', 'questions'))
  await pressTwice(button(page, 'Publier'))
  const publishing = dialog(page, 'Publier le quiz')
  await pressTwice(button(publishing, 'Publier'))
  await expect(publishing).toBeHidden()
  await expect(page.getByText('Publié', { exact: true })).toBeVisible()
  const { versions } = await client.versions.list({ id: quizzes[0]?.id ?? '' })
  expect(versions).toHaveLength(1)
})

test('two quick clicks copy a quiz once', async ({ page, creator: { client } }) => {
  await readyScoreQuiz(client, 'Où en êtes-vous ?')
  await page.reload()
  await pressTwice(page.getByRole('button', { name: /^Actions/ }).first())
  await pressTwice(page.getByRole('menuitem', { name: 'Dupliquer' }))
  await expect(page.getByRole('article')).toHaveCount(2)
  expect((await client.quizzes.list()).quizzes).toHaveLength(2)
})

test('two quick clicks on « Créer la clé » leave the key visible', async ({ page, creator }) => {
  await page.goto('/settings')
  await pressTwice(button(page, 'Créer une clé...'))
  const making = dialog(page, /clé d’API/)
  await making.getByLabel('Nom de la clé').fill('Mon programme')
  await pressTwice(button(making, 'Créer la clé'))
  await expect(making.getByLabel('Clé d’API')).toBeVisible()
  expect((await creator.client.apiKeys.list()).keys).toHaveLength(1)
})

test('two quick clicks add one result and one webhook, without an error about a blank field', async ({
  page,
  creator: { client },
}) => {
  const { id } = await readyScoreQuiz(client)
  const { results } = await client.results.list({ id })
  await page.goto(`/quiz/${id}/results`)
  await page.getByLabel('Nouveau résultat').fill('Un de plus')
  await pressTwice(button(page, 'Ajouter un résultat'))
  await expect
    .poll(async () => (await client.results.list({ id })).results.length)
    .toBe(results.length + 1)

  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Automatisations' }).click()
  await page.getByLabel('Adresse d’un nouveau webhook').fill('http://127.0.0.1:9998/hook')
  await pressTwice(button(page, 'Ajouter'))
  await expect(page.getByText('http://127.0.0.1:9998/hook')).toHaveCount(1)
  await expect(page.getByLabel('Adresse d’un nouveau webhook')).not.toHaveAttribute('aria-invalid')
  expect((await client.webhooks.list({ id })).webhooks).toHaveLength(1)
})

test('a held Enter key adds one answer, and the Enter key of an input method adds none', async ({
  page,
  creator: { client },
}) => {
  const { id } = await readyScoreQuiz(client)
  await page.goto(`/quiz/${id}/questions`)
  const answers = page.getByRole('textbox', { name: /^Réponse \d+ de la question 1$/ })
  await answers.last().focus()
  const before = await answers.count()
  for (const how of [{ isComposing: true }, { keyCode: 229 }])
    await answers.last().dispatchEvent('keydown', { key: 'Enter', ...how })
  expect(await answers.count()).toBe(before)
  for (let time = 0; time < 4; time++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await expect(answers).toHaveCount(before + 1)
  await answers.last().fill('Une réponse')
  await page.keyboard.press('Enter')
  await expect(answers).toHaveCount(before + 2)

  // A held key still adds lines to a text of several lines.
  await page.goto(`/quiz/${id}/results`)
  const name = page.getByLabel('Nom du quiz')
  await name.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  await expect(name).toBeVisible()
})

test.describe('quick taps on a phone', { tag: '@phone' }, () => {
  test.use(TOUCH)

  test('two quick taps create one quiz, make one key and add one webhook', async ({
    page,
    creator: { client },
  }) => {
    // Simulates browsers that set `detail` to 1 for every tap.
    await page.addInitScript(() => {
      const { get } = Object.getOwnPropertyDescriptor(UIEvent.prototype, 'detail') ?? {}
      Object.defineProperty(UIEvent.prototype, 'detail', {
        get() {
          return Math.min(1, get?.call(this))
        },
      })
    })
    await page.reload()
    // Until the list is loaded, the button can move between its measurement and the taps.
    await expect(page.getByText('Aucun quiz créé')).toBeVisible()
    await tapTwice(page.getByRole('button', { name: 'Créer un questionnaire' }).first())
    const creating = dialog(page, 'Créer un questionnaire')
    await expect(creating).toBeVisible()
    await tapTwice(button(creating, 'Partir d’un modèle'))
    const models = dialog(page, 'Partir d’un modèle')
    await expect(models.getByRole('listitem')).toHaveCount(16)
    await tapTwice(button(models, 'Essayer – Quel est votre profil d’entrepreneur ?'))
    const trial = dialog(page, /^Quel est votre profil/)
    await tapTwice(button(trial, 'Utiliser ce modèle'))
    await expect(page).toHaveURL(/\/results$/)
    const { quizzes } = await client.quizzes.list()
    expect(quizzes).toHaveLength(1)

    await page.goto('/settings')
    await tapTwice(button(page, 'Créer une clé...'))
    const making = dialog(page, /clé d’API/)
    await making.getByLabel('Nom de la clé').fill('Mon programme')
    await tapTwice(button(making, 'Créer la clé'))
    await expect(making.getByLabel('Clé d’API')).toBeVisible()
    expect((await client.apiKeys.list()).keys).toHaveLength(1)

    await page.goto(`/quiz/${quizzes[0]?.id}/settings`)
    await page.getByRole('tab', { name: 'Automatisations' }).click()
    const field = page.getByLabel('Adresse d’un nouveau webhook')
    await field.fill('http://127.0.0.1:9998/hook')
    await tapTwice(button(page, 'Ajouter'))
    await expect(page.getByText('http://127.0.0.1:9998/hook')).toHaveCount(1)
    await expect(field).not.toHaveAttribute('aria-invalid')
  })
})
