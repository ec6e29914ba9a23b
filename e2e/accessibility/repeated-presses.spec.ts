import type { Locator, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, test } from '../support/fixtures.ts'
import { TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const { step } = test

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

/** Creates a quiz from a model; `press` presses each button twice. Returns its id. */
const createFromModel = async (
  page: Page,
  client: Client,
  press: (button: Locator) => Promise<void>,
): Promise<string> => {
  // Until the list is loaded, the button can move between its measurement and the presses.
  await expect(page.getByText('Aucun quiz créé')).toBeVisible()
  await press(page.getByRole('button', { name: 'Créer un questionnaire' }).first())
  const creating = dialog(page, 'Créer un questionnaire')
  await expect(creating).toBeVisible()
  await press(button(creating, 'Partir d’un modèle'))
  const models = dialog(page, 'Partir d’un modèle')
  await expect(models.getByRole('listitem')).toHaveCount(16)
  await press(button(models, 'Essayer – Quel est votre profil d’entrepreneur ?'))
  const trial = dialog(page, /^Quel est votre profil/)
  await press(button(trial, 'Utiliser ce modèle'))
  await expect(page).toHaveURL(/\/results$/)
  const { quizzes } = await client.quizzes.list()
  expect(quizzes).toHaveLength(1)
  return quizzes[0]?.id ?? ''
}

/** Creates a key on the settings screen of the account; `press` presses each button twice. */
const createKey = async (
  page: Page,
  client: Client,
  press: (button: Locator) => Promise<void>,
): Promise<void> => {
  await press(button(page, 'Créer une clé...'))
  const making = dialog(page, /clé d’API/)
  await making.getByLabel('Nom de la clé').fill('Mon programme')
  await press(button(making, 'Créer la clé'))
  await expect(making.getByLabel('Clé d’API')).toBeVisible()
  expect((await client.apiKeys.list()).keys).toHaveLength(1)
}

/** Adds a webhook on the settings screen of a quiz; `press` presses the button twice. */
const addWebhook = async (page: Page, press: (button: Locator) => Promise<void>): Promise<void> => {
  await page.getByRole('tab', { name: 'Automatisations' }).click()
  const field = page.getByLabel('Adresse d’un nouveau webhook')
  await field.fill('http://127.0.0.1:9998/hook')
  await press(button(page, 'Ajouter'))
  await expect(page.getByText('http://127.0.0.1:9998/hook')).toHaveCount(1)
  await expect(field).not.toHaveAttribute('aria-invalid')
}

test('two quick clicks on a button act once, without an error about a blank field', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const steps = page.getByRole('navigation', { name: 'Étapes' })
  await page.goto('/dashboard')
  const id = await createFromModel(page, client, pressTwice)

  await step('one version is published', async () => {
    await steps.getByRole('link', { name: 'Questions' }).click()
    await expect(page.getByRole('heading', { name: 'Page 1' })).toBeVisible()
    await pressTwice(button(page, 'Publier'))
    const publishing = dialog(page, 'Publier le quiz')
    await pressTwice(button(publishing, 'Publier'))
    await expect(publishing).toBeHidden()
    await expect(page.getByText('Publié', { exact: true })).toBeVisible()
    expect((await client.versions.list({ id })).versions).toHaveLength(1)
  })
  await step('one result and one webhook are added', async () => {
    await steps.getByRole('link', { name: 'Résultats' }).click()
    const { results } = await client.results.list({ id })
    await page.getByLabel('Nouveau résultat').fill('Un de plus')
    await pressTwice(button(page, 'Ajouter un résultat'))
    await expect
      .poll(async () => (await client.results.list({ id })).results.length)
      .toBe(results.length + 1)
    await steps.getByRole('link', { name: 'Réglages' }).click()
    await addWebhook(page, pressTwice)
    expect((await client.webhooks.list({ id })).webhooks).toHaveLength(1)
  })
  await step('one copy of the quiz is created', async () => {
    await page.getByRole('link', { name: 'Retour' }).click()
    await expect(page.getByRole('article')).toHaveCount(1)
    await pressTwice(page.getByRole('button', { name: /^Actions/ }).first())
    await pressTwice(page.getByRole('menuitem', { name: 'Dupliquer' }))
    await expect(page.getByRole('article')).toHaveCount(2)
    expect((await client.quizzes.list()).quizzes).toHaveLength(2)
  })
  await step('one key is created and stays visible', async () => {
    await page.getByRole('link', { name: 'Mon compte', exact: true }).click()
    await createKey(page, client, pressTwice)
  })
})

test('a held Enter key adds one answer, and the Enter key of an input method adds none', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
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
  const steps = page.getByRole('navigation', { name: 'Étapes' })
  await steps.getByRole('link', { name: 'Résultats' }).click()
  await expect(page.getByLabel('Nouveau résultat')).toBeVisible()
  const name = page.getByLabel('Nom du quiz')
  await name.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  await expect(name).toBeVisible()
})

test.describe('quick taps on a phone', () => {
  test.use(TOUCH)

  test('two quick taps create one quiz, make one key and add one webhook', {
    tag: '@rare',
  }, async ({ page, creator: { client } }) => {
    // Simulates browsers that set `detail` to 1 for every tap.
    await page.addInitScript(() => {
      const { get } = Object.getOwnPropertyDescriptor(UIEvent.prototype, 'detail') ?? {}
      Object.defineProperty(UIEvent.prototype, 'detail', {
        get() {
          return Math.min(1, get?.call(this))
        },
      })
    })
    await page.goto('/dashboard')
    const id = await createFromModel(page, client, tapTwice)
    await page.goto('/settings')
    await createKey(page, client, tapTwice)
    await page.goto(`/quiz/${id}/settings`)
    await addWebhook(page, tapTwice)
  })
})
