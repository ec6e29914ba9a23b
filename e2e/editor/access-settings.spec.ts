import type { Page } from '@playwright/test'
import { fromLocalTime, localMinute } from '../../src/domain/common/time-zone.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'
import { delayCalls } from '../support/network.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const field = (page: Page, label: string | RegExp) => page.getByLabel(label)
const SLUG = 'Adresse du questionnaire'
const LIMIT = 'Nombre maximum de participants'
const openAccess = async (page: Page, id: string): Promise<void> => {
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Accès' }).click()
}
/** Opens the tab from the results, so that Back leads there within the application. */
const openAccessFromResults = async (page: Page, id: string): Promise<void> => {
  await page.goto(`/quiz/${id}/results`)
  await page.locator(`a[href="/quiz/${id}/settings"]`).click()
  await page.getByRole('tab', { name: 'Accès' }).click()
}
const HAS_CHANGES = '**/has-changes'
const CLOSING = /^Date et heure de clôture/
const inParis = (local: string) => fromLocalTime(local, 'Europe/Paris')
const undo = (page: Page) => page.getByRole('button', { name: 'Annuler la dernière modification' })
const question = (page: Page) => page.getByRole('alertdialog')

test('a creator gives a quiz a readable address, a limit and a text for late visitors', {
  tag: '@rare',
}, async ({ page, creator, visitor }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const other = await publishedScoreQuiz(client)
  const slug = `rythme-${id.slice(-8)}`
  await client.quizzes.update({ id: other.id, body: { slug: `${slug}-pris` } })
  await openAccess(page, id)
  await field(page, SLUG).fill('Pas bon')
  await expect(page.getByText('De 3 à 60 caractères')).toBeVisible()
  await field(page, SLUG).fill('login')
  await expect(page.getByText('L’adresse « login » est réservée')).toBeVisible()
  await field(page, SLUG).fill(`${slug}-pris`)
  // The message appears during typing, before the call.
  await expect(page.getByText(`L’adresse « ${slug}-pris » est déjà prise`)).toBeVisible()
  await field(page, SLUG).press('Enter')
  await expect(page.getByText(`L’adresse « ${slug}-pris » est déjà prise`)).toBeVisible()
  await expectAccessible(page)
  await field(page, SLUG).fill(slug)
  // An address is not saved before the creator leaves the field.
  expect((await client.quizzes.get({ id })).quiz.slug).toBeNull()
  await field(page, SLUG).press('Enter')
  await expect(page.getByText(`/q/${slug}`, { exact: false }).first()).toBeVisible()
  await expect.poll(async () => (await client.quizzes.get({ id })).quiz.slug).toBe(slug)

  await visitor.goto(`/q/${slug}`)
  await choose(visitor, 'Libre')
  await field(page, LIMIT).fill('1')
  await field(page, LIMIT).press('Enter')
  await page.getByLabel('Texte affiché quand le questionnaire est clos').fill('Merci à tous !')
  await page.getByLabel('Texte affiché quand le questionnaire est clos').blur()
  await expect
    .poll(async () => {
      const { quiz } = await client.quizzes.get({ id })
      return [quiz.slug, quiz.max_responses, quiz.closed_text]
    })
    .toEqual([slug, 1, 'Merci à tous !'])

  // A second participant takes the only place before this visitor submits.
  const { question_id, answer_ids, open_id } = await client.questions
    .unified({ id })
    .then(({ questions: [choice, open] }) => ({
      question_id: choice?.id ?? '',
      answer_ids: choice?.answers.map((answer) => answer.id) ?? [],
      open_id: open?.id ?? '',
    }))
  const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: 'premiere@exemple.fr' }
  await client.publicQuiz.submit({ id, body: { answers } })
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await expect(visitor.getByText('ce questionnaire est clos')).toBeVisible()
  // The public page is closed within half a second after the last place is taken.
  await expect
    .poll(async () => (await visitor.request.get(`/q/${slug}`)).text())
    .toMatch(/Merci à tous\s!/)
  await visitor.goto(`/q/${slug}`)
  await expect(visitor.getByText('Merci à tous !')).toBeVisible()
  await expectAccessible(visitor)

  await page.goto('/dashboard')
  const card = page.getByRole('article').filter({ hasText: 'Clos' })
  await expect(card).toHaveCount(1)
  await openAccess(page, id)
  await expect(page.locator('main header').getByText('Clos', { exact: true })).toBeVisible()
})

test('a closing date is saved as it is typed, survives Back, and can be undone and removed', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  const closesAt = async () => (await client.quizzes.get({ id })).quiz.closes_at
  const closing = field(page, 'Date et heure de clôture (heure de Paris)')
  await openAccessFromResults(page, id)
  await expect(page.getByTitle('Aucune modification à publier')).toBeVisible()
  // The screen knows without an answer of the server that a closing date needs no publication.
  await page.route(HAS_CHANGES, (route) => route.abort())
  await closing.fill('2900-12-15T18:00')
  await expect(page.getByText('Fermera le mercredi 15 décembre 2900 à 18 h')).toBeVisible()
  await expect.poll(closesAt).toBe('2900-12-15T17:00:00.000Z')
  await expect(page.getByTitle('Aucune modification à publier')).toBeVisible()
  await page.unroute(HAS_CHANGES)
  await page.goBack()
  await expect(page).toHaveURL(`/quiz/${id}/results`)
  await expect.poll(closesAt).toBe('2900-12-15T17:00:00.000Z')
  await page.goForward()
  await expect(page.getByRole('tab', { name: 'Accès' })).toHaveAttribute('aria-selected', 'true')
  await expect(closing).toHaveValue('2900-12-15T18:00')
  await undo(page).click()
  await expect(page.getByText('Rétabli : date et heure de clôture').first()).toBeVisible()
  await expect(closing).toHaveValue('')
  await expect.poll(closesAt).toBeNull()

  await closing.fill('2900-12-16T18:00')
  await expect(page.getByText(/^Fermera le jeudi 16/)).toBeVisible()
  await page.getByRole('button', { name: 'Retirer la clôture' }).press('Enter')
  await expect.poll(closesAt).toBeNull()
  await expect(page.getByRole('button', { name: 'Retirer la clôture' })).toHaveCount(0)
  await expect(closing).toBeFocused()
})

test('a closing date in the past asks before it closes the quiz, and undo opens it again, on wide and narrow screens', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  const closesAt = async () => (await client.quizzes.get({ id })).quiz.closes_at
  const past = '2020-01-01T10:00'
  await openAccessFromResults(page, id)
  await test.step('a reload asks, and only while a date waits for the answer', async () => {
    await field(page, CLOSING).fill(past)
    const leaveDialog = page.waitForEvent('dialog')
    await page.evaluate(() => setTimeout(() => window.location.reload()))
    const browserQuestion = await leaveDialog
    expect(browserQuestion.type()).toBe('beforeunload')
    await browserQuestion.dismiss()
    await expect(field(page, CLOSING)).toHaveValue(past)
    await field(page, CLOSING).press('Enter')
    await question(page).getByRole('button', { name: 'Annuler' }).click()
    await expect(field(page, CLOSING)).toHaveValue('')
    // A question of the browser would end the reload.
    await page.reload()
  })
  await openAccessFromResults(page, id)
  await atEachWidth(page, [1440, 390], async (width) => {
    await test.step(`${width} px: the field asks`, async () => {
      await field(page, CLOSING).fill(past)
      await expect(page.getByText('Cette date est passée')).toBeVisible()
      expect(await closesAt()).toBeNull()
      await field(page, CLOSING).blur()
      await expect(question(page)).toContainText('plus personne ne pourra le commencer')
      await expectAccessible(page)
      await question(page).getByRole('button', { name: 'Annuler' }).click()
      await expect(field(page, CLOSING)).toHaveValue('')
    })
    await test.step(`${width} px: leaving the screen asks too, so that the date is not lost`, async () => {
      await field(page, CLOSING).fill(past)
      await page.goBack()
      await question(page).getByRole('button', { name: 'Clore maintenant' }).click()
      await expect.poll(closesAt).toBe(inParis(past))
      await page.goForward()
      await expect(page.getByText('Fermé le mercredi 1er janvier 2020 à 10 h')).toBeVisible()
      await expect(page.locator('main header').getByText('Clos', { exact: true })).toBeVisible()
      await expectAccessible(page)
    })
    await test.step(`${width} px: an undo on another step leads back to the field`, async () => {
      await page.locator(`a[href="/quiz/${id}/questions"]`).first().click()
      await expect(page.getByRole('heading', { name: 'Page 1' })).toBeVisible()
      await undo(page).click()
      await expect(page).toHaveURL(`/quiz/${id}/settings?onglet=acces`)
      await expect(field(page, CLOSING)).toBeFocused()
      await expect(field(page, CLOSING)).toHaveValue('')
      await expect.poll(closesAt).toBeNull()
    })
  })
})

test('a closing date in the past is asked about once, even if the code of the next screen arrives late', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  const past = '2020-01-01T10:00'
  await openAccessFromResults(page, id)
  // After a reload, the browser has to load the code of the results again.
  await page.reload()
  await expect(field(page, CLOSING)).toHaveValue('')
  const release = await delayCalls(page, { method: 'GET', path: '**/assets/*' })
  await field(page, CLOSING).fill(past)
  await page.goBack()
  await question(page).getByRole('button', { name: 'Clore maintenant' }).click()
  await expect
    .poll(async () => (await client.quizzes.get({ id })).quiz.closes_at)
    .toBe(inParis(past))
  release()
  // A second question would keep the new result from being typed.
  await page.getByLabel('Nouveau résultat').click()
  await page.keyboard.type('Entre deux')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Nom du résultat 3')).toHaveValue('Entre deux')
  await expect(question(page)).toHaveCount(0)
})

test('a closing date is in the time zone of the account, and a date of today is no past date', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  const time_zone = 'Pacific/Noumea'
  await client.preferences.set({ body: { time_zone } })
  const soon = new Date(Date.now() + 5 * 60_000).toISOString()
  const local = localMinute(soon, time_zone)
  await openAccess(page, id)
  await field(page, 'Date et heure de clôture (heure de Nouméa)').fill(local)
  await expect(page.getByText(/^Fermera .* \(heure de Nouméa\)$/)).toBeVisible()
  await expect
    .poll(async () => (await client.quizzes.get({ id })).quiz.closes_at)
    .toBe(fromLocalTime(local, time_zone))
  await expect(question(page)).toHaveCount(0)
})

test('a limit that is already reached asks before it closes the quiz, and other limits are saved as they are typed', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator: { client } }) => {
  const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
  const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: 'a@exemple.fr' }
  await client.publicQuiz.submit({ id, body: { answers } })
  const limit = async () => (await client.quizzes.get({ id })).quiz.max_responses
  await openAccess(page, id)
  await field(page, LIMIT).pressSequentially('12')
  await expect.poll(limit).toBe(12)
  await field(page, LIMIT).fill('1')
  await field(page, LIMIT).press('Enter')
  await expect(question(page)).toContainText('Ce nombre est déjà atteint (1).')
  await page.keyboard.press('Escape')
  await expect(field(page, LIMIT)).toHaveValue('12')

  await test.step('a change without a connection waits, and is stored when the network returns', async () => {
    await page.context().setOffline(true)
    await field(page, LIMIT).fill('34')
    await expect(page.getByText('Hors ligne, nouvel essai…')).toBeVisible()
    expect(await limit()).toBe(12)
    await page.context().setOffline(false)
    await expect.poll(limit).toBe(34)
    await expect(field(page, LIMIT)).toHaveValue('34')
  })
})
