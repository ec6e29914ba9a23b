import type { Route } from '@playwright/test'
import { expect, visitorTest as test } from '../support/fixtures.ts'
import {
  openReading,
  PHONE_FILE,
  phoneOf,
  publishedPhone,
  READING,
  readingOf,
  SECOND_FILE,
  TYPED,
} from '../support/phone-steps.ts'

/** The file that reads phone numbers, which a page loads when a phone field gets the focus for the first time. */

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
  await phone.fill(TYPED)
  await phone.press('Tab')
  await expect(visitor.getByLabel('Votre prénom ?')).toBeFocused()
  await expect(readingOf(visitor)).toHaveText('')
  release()
  await expect(readingOf(visitor)).toHaveText(READING)
})

test('the file that reads numbers is loaded once, when a phone field gets the focus for the first time', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
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
  await phoneOf(visitor).fill(TYPED)
  await phoneOf(visitor).press('Tab')
  await expect(readingOf(visitor)).toHaveText(READING)
  await phoneOf(visitor).focus()
  expect(loaded).toHaveLength(1)
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
    await phoneOf(visitor).fill(TYPED)
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
      expect(newest?.answers[0]?.answer_text).toBe(TYPED)
    }).toPass()
    expect(errors).toEqual([])
  })

test('a number that was typed offline is read at the next focus, once the device is online again', {
  tag: '@rare',
}, async ({ creator, visitor }) => {
  const id = await publishedPhone(creator.client)
  await openReading(visitor, id)
  const [phone, name] = [phoneOf(visitor), visitor.getByLabel('Votre prénom ?')]
  await visitor.context().setOffline(true)
  const failed = visitor.waitForEvent('requestfailed', (request) => PHONE_FILE.test(request.url()))
  await phone.fill(TYPED)
  await failed
  await phone.press('Tab')
  await expect(name).toBeFocused()
  await expect(readingOf(visitor)).toHaveText('')
  await visitor.context().setOffline(false)
  await phone.focus()
  await expect(readingOf(visitor)).toHaveText(READING)
})
