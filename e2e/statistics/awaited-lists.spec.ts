import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, test } from '../support/fixtures.ts'

/** Lists that are read again after another search or filter, while the answer of the server is awaited. */

test.use({ creatorIs: 'signed in' })

/** Creates a quiz with one participant for each name, and returns its id. */
const createQuizWith = async (client: Client, names: readonly string[]): Promise<string> => {
  const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
  for (const name of names) {
    const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: `${name}@exemple.fr` }
    await client.publicQuiz.submit({ id, body: { answers } })
  }
  return id
}

/** Delays the calls to an address until the returned function is called. */
const holdCalls = async (page: Page, address: string): Promise<() => void> => {
  const held = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

test('the rows of an earlier search are not counted as those of a new search', {
  tag: '@dom',
}, async ({ page, creator }) => {
  await page.goto(`/quiz/${await createQuizWith(creator.client, ['ada', 'zoe'])}/statistics`)
  const region = page.getByRole('region', { name: 'Tableau des participants' })
  const search = page.getByLabel('Chercher un participant')
  await search.fill('ada')
  const found_by_first = page.getByText('1 participant trouvé', { exact: true })
  await expect(found_by_first).toBeVisible()
  const release = await holdCalls(page, '**/responses?*')
  const call = page.waitForRequest((request) => request.url().includes('search=exemple'))
  await search.fill('exemple')
  await call
  await expect(region).toHaveAttribute('aria-busy', 'true')
  await expect(found_by_first).toHaveCount(0)
  release()
  await expect(page.getByText('2 participants trouvés', { exact: true })).toBeVisible()
  await expect(region).not.toHaveAttribute('aria-busy')
})

test('the texts of a question are read again after a filter has changed', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  await page.goto(`/quiz/${await createQuizWith(creator.client, ['ada', 'zoe'])}/statistics`)
  const open = page.getByRole('button', { name: 'Chercher dans les réponses' })
  const dialog = page.getByRole('dialog')
  await open.press('Enter')
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.locator('summary', { hasText: 'Filtrer les participants' }).press('Enter')
  await page.getByLabel('Email ou nom').fill('ZOE')
  await expect(page.getByText('1 sur 2 participants', { exact: true })).toBeVisible()
  const release = await holdCalls(page, '**/texts?*')
  await open.press('Enter')
  await expect(dialog.getByLabel('Mots cherchés')).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveCount(0)
  release()
  await expect(dialog.getByRole('listitem')).toHaveText(['zoe@exemple.fr1 réponse'])
})
