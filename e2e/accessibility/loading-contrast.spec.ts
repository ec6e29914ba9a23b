import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { delayCalls } from '../support/network.ts'

test.use({ creatorIs: 'signed in' })

test('figures keep their contrast under a thin bar while they are reloaded', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id, question_id, open_id, answer_ids } = await publishedScoreQuiz(creator.client)
  for (const [rank, answer_id] of answer_ids.entries())
    await creator.client.publicQuiz.submit({
      id,
      body: { answers: { [question_id]: answer_id, [open_id]: `p${rank}@exemple.fr` } },
    })
  await page.goto(`/quiz/${id}/statistics`)
  const results = page.getByRole('toolbar', { name: 'Filtrer par résultat' })
  await expect(results.getByRole('button', { name: 'Pas à pas' })).toBeVisible()
  const releases = [
    await delayCalls(page, { method: 'GET', path: '**/responses*' }),
    await delayCalls(page, { method: 'GET', path: '**/key-figures*' }),
  ]
  await results.getByRole('button', { name: 'Pas à pas' }).click()
  const busy = page.locator('.loading-part[aria-busy=true]')
  await expect(busy.first()).toBeAttached()
  expect(
    await busy.evaluateAll((parts) => parts.map((part) => getComputedStyle(part).opacity)),
  ).not.toContain('0.6')
  await expectAccessible(page)
  expect(await busy.count()).toBeGreaterThan(0)
  for (const release of releases) release()
  await expect(busy).toHaveCount(0)
})
