import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  test as creatorTest,
  expect,
  expectAccessible,
  visitorTest as test,
} from '../support/fixtures.ts'
import { TOUCH } from '../support/layout-checks.ts'

/** Effects of single presses, of Enter and of filled fields on a phone. */

type Questions = NonNullable<Parameters<Client['questions']['saveDraft']>[0]['body']['questions']>

/** Publishes a sondage with these questions and returns its id. */
const publishSondage = async (
  { client }: { client: Client },
  questions: Questions,
  welcome_title?: string,
): Promise<string> => {
  const body = { name: 'Votre avis', type: 'sondage' as const }
  const { id } = (await client.quizzes.create({ body })).quiz
  await client.quizzes.update({ id, body: { welcome_title, allows_restart: true } })
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  return id
}

const TEXT = { type: 'text', is_required: false } as const
/** Three pages without required questions, so that their buttons are never blocked. */
const OPTIONAL_PAGES: Questions = [1, 2, 3].map((page_number) => ({
  ...TEXT,
  text: `Remarque ${page_number}`,
  page_number,
}))
const FIELDS: Questions = ['Nom', 'Ville', 'Métier'].map((text) => ({ ...TEXT, text }))

const expectCounter = (page: Page, counter: string): Promise<void> =>
  expect(page.getByText(counter, { exact: true })).toBeVisible()
const expectThanks = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { level: 1, name: 'Merci' })).toBeVisible()
const next = (page: Page) => page.locator('.q-next')
const readResponseCount = async ({ client }: { client: Client }, id: string): Promise<number> =>
  (await client.statistics.responses({ id })).details.length

/** Taps the position of a button several times without waiting for the page. */
const tapTimes = async (page: Page, name: string, times: number): Promise<void> => {
  const shown = page.locator('.q')
  const button = shown.getByRole('button', { name }).or(shown.getByRole('link', { name }))
  await button.click({ trial: true })
  const box = await button.boundingBox()
  if (!box) throw new Error(`${name} is not on the page`)
  for (let time = 0; time < times; time++)
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
}

test('two or three quick presses turn one page, and none of them sends the answers', async ({
  creator,
  visitor,
}) => {
  const id = await publishSondage(creator, OPTIONAL_PAGES)
  await visitor.goto(`/q/${id}`)
  await tapTimes(visitor, 'Suivant', 3)
  await expectCounter(visitor, '2 / 3')
  await expectAccessible(visitor, ['.q-next'])
  await next(visitor).click()
  await expectCounter(visitor, '3 / 3')
  await tapTimes(visitor, 'Précédent', 2)
  await expectCounter(visitor, '2 / 3')
  await next(visitor).click()
  await expectCounter(visitor, '3 / 3')
  expect(await readResponseCount(creator, id)).toBe(0)
  await tapTimes(visitor, 'Envoyer', 3)
  await expectThanks(visitor)
  await expect.poll(() => readResponseCount(creator, id)).toBe(1)
  await tapTimes(visitor, 'Recommencer', 3)
  await expectCounter(visitor, '1 / 3')
})

test('a second press of « Commencer » or of a double press does nothing, also after a slow page', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishSondage(creator, OPTIONAL_PAGES, 'Bienvenue')
  await visitor.goto(`/q/${id}`)
  await tapTimes(visitor, 'Commencer', 3)
  await expectCounter(visitor, '1 / 3')
  await next(visitor).click({ clickCount: 2, delay: 50 })
  await expectCounter(visitor, '2 / 3')
  await next(visitor).click()
  await expectCounter(visitor, '3 / 3')
  await next(visitor).dispatchEvent('click', { detail: 2 })
  await expectCounter(visitor, '3 / 3')
  // Assistive technology sends a click without a pointer event.
  await next(visitor).dispatchEvent('click', { detail: 0 })
  await expectThanks(visitor)
})

test('a press in the first half second of a new page chooses no answer', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const answers = Array.from({ length: 14 }, (_, rank) => ({ text: `Réponse ${rank}` }))
  const id = await publishSondage(creator, [
    ...OPTIONAL_PAGES.slice(0, 1),
    { type: 'multiple_choice', text: 'Laquelle ?', page_number: 2, answers },
  ])
  await visitor.goto(`/q/${id}`)
  await tapTimes(visitor, 'Suivant', 2)
  await expectCounter(visitor, '2 / 2')
  await expect(visitor.getByRole('radio', { checked: true })).toHaveCount(0)
  await visitor.getByRole('radio', { name: 'Réponse 3' }).check()
  await next(visitor).click()
  await expectThanks(visitor)
})

test('Enter moves from field to field, and presses the button only from the last field', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishSondage(creator, [
    ...FIELDS.slice(0, 1),
    { type: 'number', text: 'Âge' },
    { type: 'date', text: 'Arrivée', is_required: false },
    { type: 'scale', text: 'Note', scale_min: 1, scale_max: 5 },
    {
      type: 'multiple_choice',
      text: 'Venu par ?',
      has_other: true,
      answers: [{ text: 'Train' }],
    },
    {
      type: 'multiple_choice',
      text: 'Avec ?',
      max_choices: 3,
      has_other: true,
      answers: [{ text: 'Chien' }, { text: 'Chat' }],
    },
    { type: 'textarea', text: 'Un mot', is_required: false },
    { type: 'email', text: 'Adresse', is_required: false },
  ])
  await visitor.goto(`/q/${id}`)
  const { keyboard } = visitor
  const other = visitor.getByLabel('Autre : précisez')
  await visitor.getByLabel('Nom').press('Enter')
  await expect(visitor.getByLabel('Âge')).toBeFocused()
  await visitor.getByLabel('Âge').fill('30')
  await keyboard.press('Enter')
  await expect(visitor.getByLabel('Arrivée')).toBeFocused()
  await keyboard.press('Enter')
  await expect(visitor.getByRole('radio', { name: '1', exact: true })).toBeFocused()
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await expect(visitor.getByRole('radio', { name: 'Train' })).toBeFocused()
  // Enter stops at the text of « Autre… » if « Autre… » is chosen.
  await visitor.getByRole('radio', { name: 'Autre…' }).focus()
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await expect(other.first()).toBeFocused()
  await keyboard.type('Vélo')
  await keyboard.press('Enter')
  await expect(visitor.getByRole('checkbox', { name: 'Chien' })).toBeFocused()
  await keyboard.press('Space')
  await keyboard.press('Enter')
  const word = visitor.getByLabel('Un mot')
  await expect(word).toBeFocused()
  await keyboard.type('Oui')
  await keyboard.press('Enter')
  await keyboard.type('Non')
  await expect(word).toHaveValue('Oui\nNon')
  expect(await readResponseCount(creator, id)).toBe(0)
  const email = visitor.getByLabel('Adresse')
  await email.focus()
  // Enter in an input method and a held Enter key do nothing.
  for (const how of [{ isComposing: true }, { keyCode: 229 }, { repeat: true }])
    await email.dispatchEvent('keydown', { key: 'Enter', ...how })
  await expect(email).toBeFocused()
  await keyboard.press('Enter')
  await expectThanks(visitor)
  await expect.poll(() => readResponseCount(creator, id)).toBe(1)
})

test('Enter in the last field leads to a missing answer, and Enter moves to the chosen radio of a group', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishSondage(creator, [
    { type: 'text', text: 'Nom' },
    {
      type: 'multiple_choice',
      text: 'Venu par ?',
      answers: [{ text: 'Train' }, { text: 'Vélo' }],
    },
  ])
  await visitor.goto(`/q/${id}`)
  await visitor.getByRole('radio', { name: 'Vélo' }).check()
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByLabel('Nom')).toBeFocused()
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('radio', { name: 'Vélo' })).toBeFocused()
})

test('a field that is filled without an event is counted and sent', { tag: '@rare' }, async ({
  creator,
  visitor,
}) => {
  const id = await publishSondage(creator, [
    { type: 'text', text: 'Nom' },
    { type: 'text', text: 'Ville' },
    { type: 'email', text: 'Adresse', page_number: 2 },
  ])
  const fill = (label: string, value: string, event?: string): Promise<void> =>
    visitor.getByLabel(label).evaluate(
      (field: HTMLInputElement, [text, kind]) => {
        field.value = text ?? ''
        if (kind) field.dispatchEvent(new Event(kind, { bubbles: true }))
      },
      [value, event],
    )
  await visitor.goto(`/q/${id}`)
  await expect(visitor.getByText('2 questions sans réponse')).toBeVisible()
  await fill('Nom', 'Camille', 'change')
  await expect(visitor.getByText('1 question sans réponse')).toBeVisible()
  await fill('Ville', 'Lyon')
  await visitor.getByLabel('Ville').focus()
  await visitor.keyboard.press('Tab')
  await expect(visitor.getByText('sans réponse')).toHaveCount(0)
  await next(visitor).click()
  await expectCounter(visitor, '2 / 2')
  await fill('Adresse', 'camille@exemple.fr')
  await visitor.getByRole('button', { name: 'Précédent' }).dispatchEvent('click')
  await expectCounter(visitor, '1 / 2')
  await fill('Ville', 'Nantes')
  await next(visitor).dispatchEvent('click')
  await expect(visitor.getByLabel('Adresse')).toHaveValue('camille@exemple.fr')
  await fill('Adresse', 'dominique@exemple.fr')
  await visitor.evaluate(() => dispatchEvent(new Event('pageshow')))
  await expect(visitor.getByText('sans réponse')).toHaveCount(0)
  await next(visitor).dispatchEvent('click')
  await expectThanks(visitor)
  await expect.poll(() => readResponseCount(creator, id)).toBe(1)
  const { details } = await creator.client.statistics.responses({ id })
  expect(details[0]?.answers.map(({ answer_text }) => answer_text)).toEqual([
    'Camille',
    'Nantes',
    'dominique@exemple.fr',
  ])
})

creatorTest.describe('the preview on a phone', () => {
  creatorTest.use({ ...TOUCH, creatorIs: 'signed in' })

  creatorTest(
    'the preview ignores a second press like the public page',
    { tag: '@rare' },
    async ({ creator, page }) => {
      const id = await publishSondage(creator, OPTIONAL_PAGES)
      await page.goto(`/quiz/${id}/preview`)
      await tapTimes(page, 'Suivant', 3)
      await expectCounter(page, '2 / 3')
      await next(page).click()
      await expectCounter(page, '3 / 3')
      await tapTimes(page, 'Envoyer', 3)
      await expectThanks(page)
      await tapTimes(page, 'Recommencer', 3)
      await expectCounter(page, '1 / 3')
    },
  )
})

test('without scripts, Enter sends no page of several fields, and a new page blocks early presses', {
  tag: '@rare',
}, async ({ creator, browser }) => {
  const id = await publishSondage(creator, FIELDS)
  const two = await publishSondage(creator, [
    ...OPTIONAL_PAGES.slice(0, 1),
    ...FIELDS.map((field) => ({ ...field, page_number: 2 })),
  ])
  const context = await browser.newContext({ ...TOUCH, javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(`/q/${id}`)
  await plain.getByLabel('Nom').press('Enter')
  await expect(plain.getByLabel('Ville')).toBeVisible()
  await plain.getByLabel('Métier').press('Enter')
  await next(plain).click()
  await expectThanks(plain)
  await expect.poll(() => readResponseCount(creator, id)).toBe(1)

  await plain.goto(`/q/${two}`)
  await tapTimes(plain, 'Suivant', 2)
  await expectCounter(plain, '2 / 2')
  await plain.getByLabel('Nom').press('Enter')
  await plain.getByLabel('Métier').press('Enter')
  expect(await readResponseCount(creator, two)).toBe(0)
  await plain.getByRole('button', { name: 'Envoyer' }).click()
  await expectThanks(plain)
  await expect.poll(() => readResponseCount(creator, two)).toBe(1)
  await context.close()
})
