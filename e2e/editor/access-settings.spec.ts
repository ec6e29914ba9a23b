import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { choose, enterEmail, expectResult } from '../support/visitor-steps.ts'

test.use({ creatorIs: 'signed in' })

const field = (page: Page, label: string) => page.getByLabel(label)
const SLUG = 'Adresse du questionnaire'
const LIMIT = 'Nombre maximum de participants'
const openAccess = async (page: Page, id: string): Promise<void> => {
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Accès' }).click()
}
/** Types into a field, leaves the field and waits until it shows that the text is stored. */
const fillAndWaitUntilStored = async (page: Page, label: string, text: string): Promise<void> => {
  await field(page, label).fill(text)
  await field(page, label).blur()
  // The status of the field is checked, not the status of the draft in the header.
  const state = field(page, label).locator(
    'xpath=ancestor::div[p[@role="status"]][1]/p[@role="status"]',
  )
  await expect(state).toHaveText('Enregistré')
}

test('a creator gives a quiz a readable address, a limit and a text for late visitors', async ({
  page,
  creator,
  visitor,
}) => {
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
  await fillAndWaitUntilStored(page, SLUG, slug)
  await expect(page.getByText(`/q/${slug}`, { exact: false }).first()).toBeVisible()

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
  await client.taking.submit({ id, body: { answers } })
  await enterEmail(visitor)
  await expectResult(visitor, 'Grand saut')
  await expect(visitor.getByText('ce questionnaire est clos')).toBeVisible()
  // The public page is closed within half a second after the last place is taken.
  await expect
    .poll(async () => (await visitor.request.get(`/q/${slug}`)).text())
    .toContain('Merci à tous !')
  await visitor.goto(`/q/${slug}`)
  await expect(visitor.getByText('Merci à tous !')).toBeVisible()
  await expectAccessible(visitor)

  await page.goto('/dashboard')
  const card = page.getByRole('article').filter({ hasText: 'Clos' })
  await expect(card).toHaveCount(1)
  await openAccess(page, id)
  await expect(page.locator('main header').getByText('Clos', { exact: true })).toBeVisible()
})

test('a closing date is in Paris time and can be removed', async ({ page, creator }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const closesAt = async () => (await client.quizzes.get({ id })).quiz.closes_at
  await openAccess(page, id)
  await fillAndWaitUntilStored(
    page,
    'Date et heure de clôture (heure de Paris)',
    '2026-07-14T18:30',
  )
  expect(await closesAt()).toBe('2026-07-14T16:30:00.000Z')
  await page.reload()
  await page.getByRole('tab', { name: 'Accès' }).click()
  await expect(field(page, 'Date et heure de clôture (heure de Paris)')).toHaveValue(
    '2026-07-14T18:30',
  )
  await page.getByRole('button', { name: 'Retirer la clôture' }).press('Enter')
  await expect.poll(closesAt).toBeNull()
  await expect(page.getByRole('button', { name: 'Retirer la clôture' })).toHaveCount(0)
  await expect(field(page, 'Date et heure de clôture (heure de Paris)')).toBeFocused()
})

test('an accepted change is stored although the draft cannot be reloaded', async ({
  page,
  creator,
}) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const limit = async () => (await client.quizzes.get({ id })).quiz.max_responses
  await openAccess(page, id)
  await expect(field(page, LIMIT)).toHaveValue('')
  await page.route('**/quizzes/*/draft', (route) =>
    route.fulfill({ status: 503, json: { error: 'Panne passagère' } }),
  )
  await fillAndWaitUntilStored(page, LIMIT, '12')
  await expect(field(page, LIMIT)).toHaveValue('12')
  await expect(page.getByText(/^Non enregistré/)).toHaveCount(0)
  expect(await limit()).toBe(12)
  // The draft on the screen never had a limit, but removing the stored limit is still a change.
  await fillAndWaitUntilStored(page, LIMIT, '')
  expect(await limit()).toBeNull()
})
