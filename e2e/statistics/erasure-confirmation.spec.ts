import type { Locator, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { rowOf } from '../support/regions.ts'

test.use({ creatorIs: 'signed in' })

/** Creates a quiz with participants `p1@exemple.fr` and so on; the first is the last row of the list. */
const createQuizWith = async (client: Client, nb_participants: number): Promise<string> => {
  const quiz = await publishedScoreQuiz(client, 'Quel rythme ?')
  for (let rank = 1; rank <= nb_participants; rank++) {
    const answers = {
      [quiz.question_id]: quiz.answer_ids[0] ?? '',
      [quiz.open_id]: `p${rank}@exemple.fr`,
    }
    await client.publicQuiz.submit({ id: quiz.id, body: { answers } })
  }
  return quiz.id
}

const tableOf = (page: Page) => page.getByRole('region', { name: 'Tableau des participants' })
const confirmation = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Effacement confirmé' })
const erase = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Supprimer ce participant' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
}
const readPositions = async (table: Locator): Promise<number[]> =>
  table.evaluate((one) => [Math.round(one.getBoundingClientRect().top), Math.round(scrollY)])

test('five clicks erase the last participant of the list, which keeps its place, and leave a confirmation to copy', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const id = await createQuizWith(client, 20)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const table = tableOf(page)
  const expectCopied = async (email: string): Promise<void> => {
    await confirmation(page).getByRole('button', { name: 'Copier la confirmation' }).click()
    await expect(confirmation(page).getByRole('button', { name: 'Copié' })).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(
      /^Effacement du \d.* \d{4} à \d\d:\d\d\n1 participation supprimée dans «/,
    )
    expect(copied.split('\n').at(-1)).toBe(`Personne : ${email}.`)
  }

  for (const [size, email, next, left] of [
    [{ width: 1440, height: 900 }, 'p1@exemple.fr', 'p2@exemple.fr', 19],
    [{ width: 390, height: 844 }, 'p2@exemple.fr', 'p3@exemple.fr', 18],
  ] as const)
    await test.step(`at ${size.width} px`, async () => {
      await page.setViewportSize(size)
      await page.goto(`/quiz/${id}/questions`)
      await page.getByRole('link', { name: 'Statistiques' }).click()
      await page
        .getByRole('navigation', { name: 'Sections de l’écran' })
        .getByRole('link', { name: 'Réponses détaillées' })
        .click()
      await expect(page.getByRole('heading', { name: 'Réponses détaillées' })).toBeFocused()
      await table.evaluate((one) => {
        one.scrollIntoView({ block: 'center' })
        one.scrollTo(0, one.scrollHeight)
      })
      await rowOf(page, email).click()
      await expect(page.getByRole('dialog', { name: email })).toBeVisible()
      const before = await readPositions(table)
      await erase(page)

      await expect(page.getByText(`${left} participants`, { exact: true })).toBeVisible()
      await expect(rowOf(page, email)).toHaveCount(0)
      await expect(rowOf(page, next)).toBeFocused()
      expect(await readPositions(table)).toEqual(before)
      expect(await table.evaluate((one) => one.scrollTop)).toBeGreaterThan(0)

      await expect(confirmation(page)).toContainText(
        '1 participation supprimée dans « Quel rythme ? »',
      )
      await expectAccessible(page)
      await expectCopied(email)
      await confirmation(page).getByRole('button', { name: 'Fermer' }).click()
      await expect(confirmation(page)).toHaveCount(0)
    })
})

test('an erasure announces no new participant and does not ask for the erased one', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const id = await createQuizWith(creator.client, 3)
  let has_erased = false
  const asked_after: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    const isDeletion = request.method() === 'DELETE'
    if (has_erased && !isDeletion && /\/responses\/[0-9a-f-]{36}$/.test(path))
      asked_after.push(path)
    has_erased ||= isDeletion
  })
  // The number of new responses keeps its value from before the deletion.
  await page.route('**/responses/live', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'data: {"nb_responses":3}\n\n' }),
  )
  await page.goto(`/quiz/${id}/statistics`)
  await page
    .getByRole('link', { name: /: voir le détail$/ })
    .first()
    .click()
  await expect(page.getByRole('button', { name: 'Supprimer ce participant' })).toBeVisible()
  await page.evaluate(() => {
    const texts: string[] = []
    Object.assign(window, { texts })
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('[role=status]'))
        if (/nouveau/.test(textContent)) texts.push(textContent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await erase(page)
  await expect(page.getByText('2 participants', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'texts') as string[])).toEqual([])
  expect(has_erased).toBe(true)
  expect(asked_after).toEqual([])
})
