import type { Page, Route } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  test as creatorTest,
  expect,
  expectAccessible,
  visitorTest as test,
} from '../support/fixtures.ts'
import { translate } from '../support/translation.ts'
import { resumeRun } from '../support/visitor-steps.ts'

const HINT = 'Numéro sans indicatif : Belgique (+32).'
const ADVICE = 'Vérifiez ou ajoutez l’indicatif (+33…).'

/** Publishes a sondage of an account in Belgium, with a phone number and a name on its first page. */
const publishedPhone = async (client: Client): Promise<string> => {
  await client.preferences.set({ body: { country: 'BE' } })
  const { quiz } = await client.quizzes.create({ body: { name: 'Rappel', type: 'sondage' } })
  const { id } = quiz
  const questions = [
    { type: 'phone' as const, text: 'Votre téléphone ?' },
    { type: 'text' as const, text: 'Votre prénom ?' },
    { type: 'text' as const, text: 'Votre ville ?', page_number: 2 },
  ]
  await client.questions.saveDraft({ id, body: { questions } })
  await client.quizzes.publish({ id })
  return id
}

const phoneOf = (page: Page) => page.getByLabel('Votre téléphone ?')
const readingOf = (page: Page) => page.locator('.q-reading')

const SECOND_FILE = /\/assets\/player-(?!phones)/
const PHONE_FILE = /\/assets\/player-phones-/

/** Opens a quiz and waits until its second file can load the file that reads numbers. */
const openReading = async (page: Page, id: string): Promise<void> => {
  const loaded = page.waitForResponse(SECOND_FILE)
  await page.goto(`/q/${id}`)
  await (await loaded).finished()
  await expect(page.locator('.q-page[novalidate]')).toBeVisible()
}

test('a visitor sees how a phone number is read, corrects it, and the reply is stored as typed', async ({
  creator,
  visitor,
}) => {
  const id = await publishedPhone(creator.client)
  await openReading(visitor, id)
  const [phone, name, reading] = [
    phoneOf(visitor),
    visitor.getByLabel('Votre prénom ?'),
    readingOf(visitor),
  ]
  await expect(visitor.getByText(HINT)).toBeVisible()
  await expect(reading).toHaveText('')
  const before = await name.boundingBox()
  const leave = async (typed: string): Promise<void> => {
    await phone.fill('')
    await phone.pressSequentially(typed)
    await expect(reading).toHaveText('')
    await phone.press('Tab')
    await expect(name).toBeFocused()
  }
  await leave('0470/12.34.56')
  await expect(reading).toHaveText('Numéro compris : +32 470 12 34 56')
  await expect(phone).toHaveAccessibleDescription(`${HINT} Numéro compris : +32 470 12 34 56`)
  await expectAccessible(visitor)
  // A French number is none of Belgium.
  await leave('06 12 34 56 78')
  await expect(reading).toHaveText(ADVICE)
  await expectAccessible(visitor)
  await leave('+33612345678')
  await expect(reading).toHaveText('Numéro compris : +33 6 12 34 56 78')
  expect(await name.boundingBox()).toEqual(before)
  await leave('   ')
  await expect(reading).toHaveText('')
  // A key that was taken back leaves the same number.
  await leave('02 555 12 12')
  await phone.focus()
  await phone.press('End')
  await phone.press('3')
  await expect(reading).toHaveText('')
  await phone.press('Backspace')
  await phone.press('Tab')
  await expect(reading).toHaveText('Numéro compris : +32 2 555 12 12')
  await leave('02 555 12 12')
  await expect(reading).toHaveText('Numéro compris : +32 2 555 12 12')

  await name.fill('Zoé')
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await expect(visitor.getByText('2 / 2', { exact: true })).toBeVisible()
  await visitor.getByRole('button', { name: 'Précédent' }).click()
  await expect(reading).toHaveText('Numéro compris : +32 2 555 12 12')
  await visitor.getByRole('button', { name: 'Suivant' }).click()
  await visitor.getByLabel('Votre ville ?').fill('Namur')
  await visitor.getByRole('button', { name: 'Envoyer' }).click()
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    'Merci pour votre participation !',
  )
  await expect(async () => {
    const [newest] = (await creator.client.statistics.responses({ id })).details
    expect(newest?.answers.map(({ answer_text }) => answer_text)).toEqual([
      ...['02 555 12 12', 'Zoé', 'Namur'],
    ])
  }).toPass()
})

test('on a translated page, the reading of another number replaces the translated one', async ({
  creator,
  visitor,
}) => {
  const id = await publishedPhone(creator.client)
  const errors: Error[] = []
  visitor.on('pageerror', (error) => errors.push(error))
  await openReading(visitor, id)
  const translateQuiz = () => translate(visitor, { root: '.q', mark: ['[', ']'] })
  const [phone, reading] = [phoneOf(visitor), readingOf(visitor)]
  await translateQuiz()
  await expect(visitor.getByText(`[${HINT}]`)).toBeVisible()
  await phone.fill('0470 12 34 56')
  await phone.press('Tab')
  await expect(reading).toHaveText('Numéro compris : +32 470 12 34 56')
  await translateQuiz()
  await expect(reading).toHaveText('[Numéro compris : +32 470 12 34 56]')
  await phone.press('End')
  for (const _ of ' 34') await phone.press('Backspace')
  await expect(reading).toHaveText('')
  await phone.press('Tab')
  await expect(reading).toHaveText(ADVICE)
  await expect(visitor.locator('.q-reading font')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('a number that was left before the second file arrived is read once it is there', async ({
  creator,
  visitor,
}) => {
  const id = await publishedPhone(creator.client)
  const { promise: isAwaited, resolve: release } = Promise.withResolvers<void>()
  await visitor.route(SECOND_FILE, async (route) => {
    await isAwaited
    await route.continue()
  })
  await visitor.goto(`/q/${id}`)
  await expect(visitor.locator('.q-page[novalidate]')).toBeVisible()
  const phone = phoneOf(visitor)
  await phone.fill('0470 12 34 56')
  await phone.press('Tab')
  await expect(visitor.getByLabel('Votre prénom ?')).toBeFocused()
  await expect(readingOf(visitor)).toHaveText('')
  release()
  await expect(readingOf(visitor)).toHaveText('Numéro compris : +32 470 12 34 56')
})

test('a number that the browser fills in is read without leaving the field', async ({
  creator,
  visitor,
}) => {
  const id = await publishedPhone(creator.client)
  await openReading(visitor, id)
  // As browsers fill in the fields of a person: with both events, and without the focus.
  await phoneOf(visitor).evaluate((field: HTMLInputElement) => {
    field.value = '0470123456'
    for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }))
  })
  await expect(readingOf(visitor)).toHaveText('Numéro compris : +32 470 12 34 56')
})

test('the file that reads numbers is loaded once, when a phone field gets the focus for the first time', async ({
  creator,
  visitor,
}) => {
  const id = await publishedPhone(creator.client)
  const loaded: string[] = []
  visitor.on('request', (request) => {
    if (PHONE_FILE.test(request.url())) loaded.push(request.url())
  })
  await openReading(visitor, id)
  await visitor.getByLabel('Votre prénom ?').fill('Zoé')
  await visitor.getByLabel('Votre prénom ?').blur()
  expect(loaded).toEqual([])
  const response = visitor.waitForResponse(PHONE_FILE)
  await phoneOf(visitor).focus()
  await (await response).finished()
  await phoneOf(visitor).fill('0470 12 34 56')
  await phoneOf(visitor).press('Tab')
  await expect(readingOf(visitor)).toHaveText('Numéro compris : +32 470 12 34 56')
  await phoneOf(visitor).focus()
  expect(loaded).toHaveLength(1)
})

test('a number of a country that the page does not know has no reading, and no advice', async ({
  creator,
  visitor,
}) => {
  const id = await publishedPhone(creator.client)
  await openReading(visitor, id)
  const [phone, reading] = [phoneOf(visitor), readingOf(visitor)]
  for (const typed of ['+44 7771 234567', '0044 7771 234567']) {
    await phone.fill('06 12 34 56 78')
    await phone.blur()
    await expect(reading).toHaveText(ADVICE)
    await phone.fill(typed)
    await phone.blur()
    await expect(reading).toHaveText('')
  }
  await phone.fill('+33 6 12')
  await phone.blur()
  await expect(reading).toHaveText(ADVICE)
})

const FAILURES: [name: string, refuse: (route: Route) => Promise<void>][] = [
  ['is blocked', (route) => route.abort()],
  ['belongs to another release', (route) => route.fulfill({ status: 404, json: {} })],
  ['is the page of a network that asks for a sign-in', (route) => route.fulfill({ body: '<p>' })],
]
for (const [name, refuse] of FAILURES)
  test(`a run without readings ends and is stored if the file that reads numbers ${name}`, async ({
    creator,
    visitor,
  }) => {
    const id = await publishedPhone(creator.client)
    const errors: Error[] = []
    visitor.on('pageerror', (error) => errors.push(error))
    let nb_refused = 0
    await visitor.route(PHONE_FILE, async (route) => {
      await refuse(route)
      nb_refused++
    })
    await openReading(visitor, id)
    await phoneOf(visitor).fill('0470 12 34 56')
    await expect.poll(() => nb_refused).toBe(1)
    await phoneOf(visitor).press('Tab')
    await expect.poll(() => nb_refused).toBeGreaterThan(1)
    await expect(readingOf(visitor)).toHaveText('')
    await visitor.getByLabel('Votre prénom ?').fill('Zoé')
    await visitor.getByRole('button', { name: 'Suivant' }).click()
    await visitor.getByLabel('Votre ville ?').fill('Namur')
    await visitor.getByRole('button', { name: 'Envoyer' }).click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
      'Merci pour votre participation !',
    )
    await expect(async () => {
      const [newest] = (await creator.client.statistics.responses({ id })).details
      expect(newest?.answers[0]?.answer_text).toBe('0470 12 34 56')
    }).toPass()
    expect(errors).toEqual([])
  })

test('a number that was typed offline is read at the next focus, once the device is online again', async ({
  creator,
  visitor,
}) => {
  const id = await publishedPhone(creator.client)
  await openReading(visitor, id)
  const [phone, name] = [phoneOf(visitor), visitor.getByLabel('Votre prénom ?')]
  await visitor.context().setOffline(true)
  const failed = visitor.waitForEvent('requestfailed', (request) => PHONE_FILE.test(request.url()))
  await phone.fill('0470 12 34 56')
  await failed
  await phone.press('Tab')
  await expect(name).toBeFocused()
  await expect(readingOf(visitor)).toHaveText('')
  await visitor.context().setOffline(false)
  await phone.focus()
  await expect(readingOf(visitor)).toHaveText('Numéro compris : +32 470 12 34 56')
})

test('a number of a resumed run is read at the focus, and a corrected number keeps its own reading', async ({
  creator,
  visitor,
}) => {
  const id = await publishedPhone(creator.client)
  await openReading(visitor, id)
  const [phone, name] = [phoneOf(visitor), visitor.getByLabel('Votre prénom ?')]
  await phone.fill('0470 12 34 56')
  await phone.press('Tab')
  await expect(readingOf(visitor)).toHaveText('Numéro compris : +32 470 12 34 56')
  await visitor.reload()
  await resumeRun(visitor)
  await expect(phone).toHaveValue('0470 12 34 56')
  await phone.focus()
  await expect(readingOf(visitor)).toHaveText('Numéro compris : +32 470 12 34 56')
  await phone.fill('02 555 12 12')
  await phone.press('Tab')
  await expect(readingOf(visitor)).toHaveText('Numéro compris : +32 2 555 12 12')
  // Each key shows the page again.
  await name.fill('Zoé')
  await expect(readingOf(visitor)).toHaveText('Numéro compris : +32 2 555 12 12')
})

creatorTest('the preview reads numbers as the public page does', async ({ creator, page }) => {
  const id = await publishedPhone(creator.client)
  await page.goto(`/quiz/${id}/preview`)
  await expect(page.getByText(HINT)).toBeVisible()
  await phoneOf(page).fill('0470 12 34 56')
  await phoneOf(page).press('Tab')
  await expect(readingOf(page)).toHaveText('Numéro compris : +32 470 12 34 56')
})
