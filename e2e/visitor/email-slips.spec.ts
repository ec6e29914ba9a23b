import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { expect, expectAccessible, visitorTest as test } from '../support/fixtures.ts'
import { translate } from '../support/translation.ts'

/** Suggestions for typing slips in the addresses that visitors give. */

/** Publishes a sondage with two addresses and a name on its first page, and a city on its second. */
const publishedEmails = async (client: Client, address_form: 'vous' | 'tu' = 'vous') => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Courrier', type: 'sondage' } })
  const { id } = quiz
  const questions = [
    { type: 'email' as const, text: 'Votre adresse ?' },
    { type: 'email' as const, text: 'Une autre adresse ?', is_required: false },
    { type: 'text' as const, text: 'Votre prénom ?' },
    { type: 'text' as const, text: 'Votre ville ?', page_number: 2 },
  ]
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.update({ id, body: { address_form } })
  await client.quizzes.publish({ id })
  return id
}
const SLIPS_FILE = /\/assets\/player-emails-/
const fieldOf = (page: Page) => page.getByLabel('Votre adresse ?')
const suggestionOf = (page: Page) => page.getByRole('button', { name: /dire/ })
const next = (page: Page) => page.getByRole('button', { name: 'Suivant' })

/** Opens a quiz and waits for the file that finds slips. */
const open = async (page: Page, id: string, query = '') => {
  const loaded = page.waitForResponse(SLIPS_FILE)
  await page.goto(`/q/${id}${query}`)
  await (await loaded).finished()
  await expect(page.locator('.q-page[novalidate]')).toBeVisible()
}

for (const width of [1440, 390])
  test(`a visitor accepts a suggestion at ${width} pixels with the keyboard, and the field has the focus again`, async ({
    creator,
    visitor,
  }) => {
    const id = await publishedEmails(creator.client)
    await visitor.setViewportSize({ width, height: 844 })
    await open(visitor, id)
    const field = fieldOf(visitor)
    await field.fill('camille@gmial.com')
    await field.press('Tab')
    await expect(visitor.getByLabel('Une autre adresse ?')).toBeFocused()
    const suggestion = suggestionOf(visitor)
    await expect(suggestion).toHaveText('Vouliez-vous dire camille@gmail.com ?')
    await expect(visitor.getByRole('status').filter({ has: suggestion })).toBeVisible()
    await expectAccessible(visitor)
    await visitor.keyboard.press('Shift+Tab')
    await visitor.keyboard.press('Shift+Tab')
    await expect(suggestion).toBeFocused()
    await visitor.keyboard.press('Enter')
    await expect(field).toHaveValue('camille@gmail.com')
    await expect(field).toBeFocused()
    await expect(suggestion).toBeHidden()

    await visitor.getByLabel('Votre prénom ?').fill('Camille')
    await next(visitor).click()
    await visitor.getByLabel('Votre ville ?').fill('Lyon')
    await visitor.getByRole('button', { name: 'Envoyer' }).click()
    await expect(visitor.getByText('Merci')).toBeVisible()
    const emails = async () =>
      (await creator.client.statistics.responses({ id })).details.map(({ email }) => email)
    await expect.poll(emails).toEqual(['camille@gmail.com'])
  })

test('a suggestion disappears when the address changes, and « Non » keeps what was typed', async ({
  creator,
  visitor,
}) => {
  const id = await publishedEmails(creator.client, 'tu')
  await open(visitor, id)
  const field = fieldOf(visitor)
  await field.fill('camille@orange.fe')
  await field.blur()
  const suggestion = suggestionOf(visitor)
  await expect(suggestion).toHaveText('Voulais-tu dire camille@orange.fr ?')
  await field.press('End')
  await field.press('x')
  await expect(suggestion).toBeHidden()
  await field.fill('camille@wanado.fr')
  await field.blur()
  await expect(suggestion).toBeVisible()
  await visitor.getByRole('button', { name: 'Non', exact: true }).click()
  await expect(suggestion).toBeHidden()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('camille@wanado.fr')
  await visitor.getByLabel('Votre prénom ?').fill('Camille')
  await next(visitor).click()
  await expect(visitor.getByLabel('Votre ville ?')).toBeVisible()
})

test('a visitor who presses « Suivant » at once is asked once, and the second press goes on', async ({
  creator,
  visitor,
}) => {
  const id = await publishedEmails(creator.client)
  await open(visitor, id)
  await visitor.getByLabel('Votre prénom ?').fill('Camille')
  await fieldOf(visitor).pressSequentially('camille@hotmial.fr')
  await next(visitor).click()
  await expect(suggestionOf(visitor)).toBeFocused()
  await next(visitor).click()
  await expect(visitor.getByLabel('Votre ville ?')).toBeVisible()
  await visitor.getByRole('button', { name: 'Précédent' }).click()
  await expect(fieldOf(visitor)).toHaveValue('camille@hotmial.fr')
  await expect(suggestionOf(visitor)).toBeHidden()
})

test('a field that a password manager has filled without an event is asked about', async ({
  creator,
  visitor,
}) => {
  const id = await publishedEmails(creator.client)
  await open(visitor, id)
  await visitor.getByLabel('Votre prénom ?').fill('Camille')
  await fieldOf(visitor).evaluate((input: HTMLInputElement) => {
    input.value = 'camille@gmail,com'
  })
  await next(visitor).click({ force: true })
  await expect(suggestionOf(visitor)).toHaveText('Vouliez-vous dire camille@gmail.com ?')
})

test('each of two fields has its own suggestion, also on a translated page', async ({
  creator,
  visitor,
}) => {
  const id = await publishedEmails(creator.client)
  await open(visitor, id)
  await translate(visitor)
  await fieldOf(visitor).fill('a@gmial.com')
  await visitor.getByLabel('Une autre adresse ?').fill('b@bluewin.hc')
  await visitor.getByLabel('Votre prénom ?').focus()
  await expect(suggestionOf(visitor)).toHaveText([/a@gmail\.com/, /b@bluewin\.ch/])
  await translate(visitor)
  await suggestionOf(visitor).last().click()
  await expect(visitor.getByLabel('Une autre adresse ?')).toHaveValue('b@bluewin.ch')
  await expect(suggestionOf(visitor)).toHaveText([/a@gmail\.com/])
})

test('a page without an email field does not load the file, and a blocked file stops nobody', async ({
  creator,
  visitor,
}) => {
  const { client } = creator
  const { quiz } = await client.quizzes.create({ body: { name: 'Mot', type: 'sondage' } })
  await client.questions.saveDraft({
    id: quiz.id,
    body: { questions: [{ type: 'text', text: 'Un mot ?' }] },
  })
  await client.quizzes.publish({ id: quiz.id })
  const requests: string[] = []
  visitor.on('request', (request) => requests.push(request.url()))
  const second = visitor.waitForResponse(/\/assets\/player-(?!emails)/)
  await visitor.goto(`/q/${quiz.id}`)
  await (await second).finished()
  await visitor.getByLabel('Un mot ?').fill('Bonjour')
  await visitor.getByRole('button', { name: 'Envoyer' }).click()
  await expect(visitor.getByText('Merci')).toBeVisible()
  expect(requests.filter((url) => SLIPS_FILE.test(url))).toEqual([])

  const id = await publishedEmails(client)
  await visitor.route(SLIPS_FILE, (route) => route.abort())
  await visitor.goto(`/q/${id}`)
  await fieldOf(visitor).fill('camille@gmial.com')
  await visitor.getByLabel('Votre prénom ?').fill('Camille')
  await next(visitor).click()
  await expect(visitor.getByLabel('Votre ville ?')).toBeVisible()
})
