import type { Locator, Page } from '@playwright/test'
import { fromLocalTime } from '../../src/domain/common/time-zone.ts'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const OPENING = 'Date et heure d’ouverture (heure de Paris)'
const CLOSING = 'Date et heure de clôture (heure de Paris)'
const SENTENCE = /^Ouvre le vendredi 3 décembre 2900 à 9\sh\./
const question = (page: Page) => page.getByRole('alertdialog')
const openAccess = async (page: Page, id: string): Promise<void> => {
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Accès' }).click()
}

test('a creator announces an opening on wide and narrow screens, and visitors read it until then', {
  tag: '@rare',
}, async ({ page, creator: { client }, visitor }) => {
  const widths = [1440, 390]
  const { id } = await publishedScoreQuiz(client)
  const opensAt = async () => (await client.quizzes.get({ id })).quiz.opens_at
  const expectAccessibleAtWidths = (shown: Locator): Promise<void> =>
    atEachWidth(page, widths, async () => {
      await expect(shown).toBeVisible()
      await expectAccessible(page)
    })
  await openAccess(page, id)
  await atEachWidth(page, widths, async () => {
    await page.getByLabel(OPENING).fill('2900-12-03T09:00')
    await expect(
      page.getByText('cette date n’est pas enregistrée avant votre accord'),
    ).toBeVisible()
    expect(await opensAt()).toBeNull()
    await page.getByLabel(OPENING).press('Enter')
    await expect(question(page)).toContainText('plus personne ne pourra y répondre')
    await expectAccessible(page)
    await question(page).getByRole('button', { name: 'Annuler' }).click()
    await expect(page.getByLabel(OPENING)).toHaveValue('')
  })

  await page.getByLabel(OPENING).fill('2900-12-03T09:00')
  await page.getByLabel(OPENING).press('Enter')
  await question(page).getByRole('button', { name: 'Fermer jusque-là' }).press('Enter')
  await expect.poll(opensAt).toBe(fromLocalTime('2900-12-03T09:00', 'Europe/Paris'))
  await expect(page.getByText(SENTENCE)).toContainText(
    /«\sCe questionnaire ouvre le vendredi 3 décembre 2900 à 9\sh \(heure de Paris\)\.\s»/,
  )
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessibleAtWidths(page.getByText(SENTENCE))

  await visitor.goto(`/q/${id}`)
  await expect(visitor.getByRole('heading', { level: 1, name: 'Quel rythme ?' })).toBeVisible()
  await expect(visitor.getByText(/ouvre le vendredi 3 décembre 2900 à 9\sh/)).toBeVisible()
  await expectAccessible(visitor)

  await page.getByRole('button', { name: 'Partager' }).click()
  const share = page.getByRole('dialog', { name: 'Partager le quiz' })
  await expectAccessibleAtWidths(share.getByText(SENTENCE))
  await page.goto('/dashboard')
  await expectAccessibleAtWidths(page.getByRole('article').getByText('Ouvre le 3 décembre 2900'))

  await openAccess(page, id)
  await page.getByRole('button', { name: 'Retirer l’ouverture' }).press('Enter')
  await expect.poll(opensAt).toBeNull()
  await expect(page.getByLabel(OPENING)).toBeFocused()
  await expect
    .poll(async () => (await visitor.request.get(`/q/${id}`)).text())
    .toContain('Votre agenda')
})

test('a quiz opens at its time without a publication, also for a visitor without scripts', {
  tag: '@rare',
}, async ({ creator: { client }, visitor, browser }) => {
  const { id } = await publishedScoreQuiz(client)
  const openIn = (ms: number): Promise<unknown> =>
    client.quizzes.update({ id, body: { opens_at: new Date(Date.now() + ms).toISOString() } })
  await openIn(3_600_000)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  for (const one of [visitor, plain]) {
    await one.goto(`/q/${id}`)
    await expect(one.getByText('Ce questionnaire ouvre')).toBeVisible()
  }
  await openIn(2_000)
  await expect(async () => {
    await visitor.reload()
    await expect(visitor.getByText('Votre agenda')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await choose(visitor, 'Libre')
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await plain.reload()
  await expect(plain.getByText('Votre agenda')).toBeVisible()
  await context.close()
  await expect.poll(async () => (await client.quizzes.get({ id })).quiz.nb_responses).toBe(1)
})

test('an opening that is not before the closing is refused at the changed field', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await readyScoreQuiz(client)
  const readDates = async () => {
    const { quiz } = await client.quizzes.get({ id })
    return [quiz.opens_at, quiz.closes_at]
  }
  await openAccess(page, id)
  await page.getByLabel(CLOSING).fill('2900-12-15T18:00')
  await page.getByLabel(CLOSING).blur()
  await expect.poll(readDates).toEqual([null, '2900-12-15T17:00:00.000Z'])
  await page.getByLabel(OPENING).fill('2900-12-15T18:00')
  await page.getByLabel(OPENING).blur()
  await expect(page.getByLabel(OPENING)).toHaveAccessibleDescription(
    /L’ouverture doit venir avant la clôture/,
  )
  await expectAccessible(page)
  await page.getByLabel(OPENING).fill('2900-12-14T18:00')
  await expect.poll(readDates).toEqual(['2900-12-14T17:00:00.000Z', '2900-12-15T17:00:00.000Z'])
  await page.getByLabel(CLOSING).fill('2900-12-13T18:00')
  await page.getByLabel(CLOSING).blur()
  await expect(page.getByLabel(CLOSING)).toHaveAccessibleDescription(
    /La clôture doit venir après l’ouverture/,
  )
  expect(await readDates()).toEqual(['2900-12-14T17:00:00.000Z', '2900-12-15T17:00:00.000Z'])
})

test('contradictory dates of two editors are refused in French, and the field can be corrected', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator: { client } }) => {
  const { id } = await readyScoreQuiz(client)
  await openAccess(page, id)
  // Another editor sets the closing before this one has seen the change.
  await page.route('**/draft', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  await client.quizzes.update({ id, body: { closes_at: '2900-12-01T17:00:00Z' } })
  await page.unroute('**/draft')
  await page.getByLabel(OPENING).fill('2900-12-14T18:00')
  await page.getByLabel(OPENING).blur()
  await expect(page.getByText('L’ouverture doit venir avant la clôture').first()).toBeVisible()
  await expect.poll(async () => (await client.quizzes.get({ id })).quiz.opens_at).toBeNull()
  await page.getByLabel(OPENING).fill('2900-11-14T18:00')
  await expect
    .poll(async () => (await client.quizzes.get({ id })).quiz.opens_at)
    .toBe('2900-11-14T17:00:00.000Z')
})
