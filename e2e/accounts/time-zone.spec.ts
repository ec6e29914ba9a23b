import type { Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  type SampleQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'

// The zone of the browser differs from Paris and from the zone of the account.
test.use({ creatorIs: 'signed in', timezoneId: 'America/New_York' })

const NOUMEA = 'Pacific/Noumea'
const formatDate = (at: string, time_zone: string): string =>
  new Intl.DateTimeFormat('fr-FR', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: time_zone,
  }).format(Date.parse(at))
const select = (page: Page) => page.getByLabel('Fuseau horaire du compte')

const createQuizWithParticipant = async (
  client: Parameters<typeof publishedScoreQuiz>[0],
): Promise<SampleQuiz & { created_at: string }> => {
  const quiz = await publishedScoreQuiz(client)
  for (let rank = 0; rank < 5; rank++) {
    const email = `p${rank}@exemple.fr`
    const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: email }
    await client.publicQuiz.submit({ id: quiz.id, body: { answers, email } })
  }
  const { details } = await client.statistics.responses({ id: quiz.id })
  return { ...quiz, created_at: details[0]?.created_at ?? '' }
}

test('every date is in the time zone of the account, whatever the time zone of the browser', {
  tag: '@rare',
}, async ({ page, creator, browser }) => {
  const { client } = creator
  const quiz = await createQuizWithParticipant(client)
  await page.goto(`/quiz/${quiz.id}/statistics`)
  const table = page.getByRole('table', { name: /Participants|Réponses/ })
  await expect(table.getByText(formatDate(quiz.created_at, 'Europe/Paris')).first()).toBeVisible()
  await expect(table.getByRole('columnheader', { name: 'Date' })).toHaveText('Date')

  await page.goto('/settings')
  await expect(select(page)).toHaveValue('Europe/Paris')
  await select(page).focus()
  // Typing the first letters selects a city.
  await page.keyboard.type('Noum')
  await page.keyboard.press('Tab')
  await expect(
    page.getByText(/^Vos dates sont à l’heure de Nouméa\s: il y est \d\d:\d\d\.$/),
  ).toBeVisible()
  await expectAccessible(page)
  const preferences = await client.preferences.get()
  expect(preferences.preferences.time_zone).toBe(NOUMEA)

  await page.goto(`/quiz/${quiz.id}/statistics`)
  await expect(table.getByText(formatDate(quiz.created_at, NOUMEA)).first()).toBeVisible()
  await expect(table.getByRole('columnheader', { name: 'Date (heure de Nouméa)' })).toBeVisible()
  await expect(page.getByLabel('Période (heure de Nouméa)')).toBeVisible()
  await expect(
    page.getByRole('img', { name: /^Participants par jour \(heure de Nouméa\)/ }),
  ).toBeVisible()
  await page.getByLabel('Période (heure de Nouméa)').selectOption('7')
  await expect(page.getByText('5 sur 5 participants')).toBeVisible()

  // A shared page shows the zone of the account on a device of another zone.
  const { token } = (await client.statisticsLinks.create({ id: quiz.id })).link
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo' })
  const stranger = await context.newPage()
  await stranger.goto(new URL(`/statistiques/${token}`, page.url()).href)
  await expect(stranger.getByText(/^Chiffres du .* \(heure de Nouméa\)$/)).toBeVisible()
  await context.close()

  await test.step('a closing date is in the time zone of the account', async () => {
    await page.goto(`/quiz/${quiz.id}/settings`)
    await page.getByRole('tab', { name: 'Accès' }).click()
    const field = page.getByLabel('Date et heure de clôture (heure de Nouméa)')
    await field.fill('2030-07-14T18:30')
    await field.blur()
    const closesAt = async () => (await client.quizzes.get({ id: quiz.id })).quiz.closes_at
    await expect.poll(closesAt).toBe('2030-07-14T07:30:00.000Z')
    await page.reload()
    await page.getByRole('tab', { name: 'Accès' }).click()
    await expect(field).toHaveValue('2030-07-14T18:30')
  })
})

test('a device with full storage shows the time zone of the account', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  await creator.client.preferences.set({ body: { time_zone: NOUMEA } })
  await page.addInitScript(() => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (key, value) {
      if (key === 'quizaine.time-zone') throw new DOMException('Full', 'QuotaExceededError')
      setItem.call(this, key, value)
    }
  })
  await page.goto('/settings')
  await expect(select(page)).toHaveValue(NOUMEA)
})

test.describe('the choice of the time zone on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the time zone of the device is one tap away, and the list begins with France', {
    tag: '@rare',
  }, async ({ page, creator: _ }) => {
    await page.goto('/settings')
    await expect(select(page).locator('optgroup').first()).toHaveAttribute(
      'label',
      'France et territoires',
    )
    const device = page.getByRole('button', {
      name: 'Prendre celui de cet appareil : New York',
    })
    await device.tap()
    await expect(select(page)).toHaveValue('America/New_York')
    await expect(page.getByText(/^Vos dates sont à l’heure de New York/)).toBeVisible()
    await expect(device).toBeHidden()
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
  })
})

test('the country of phone numbers is that of the time zone until the creator chooses one', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator: { client } }) => {
  await client.preferences.set({ body: { time_zone: 'Europe/Brussels' } })
  await page.goto('/settings')
  const country = page.getByLabel('Pays des numéros de téléphone')
  await expect(country).toHaveValue('BE')
  await country.selectOption({ label: 'Sénégal' })
  await expect(
    page.getByText('Les numéros sans indicatif sont lus comme ceux de ce pays : Sénégal.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(country).toHaveValue('SN')
})
