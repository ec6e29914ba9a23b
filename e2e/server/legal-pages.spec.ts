import {
  publishedScoreQuiz,
  publishSample,
  readySondage,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const PAGES = ['Confidentialité', 'Accessibilité', 'Mentions légales']

test('the pages that the law requires are one click away and accessible', { tag: '@rare' }, async ({
  creator,
  page,
  visitor,
}) => {
  // Three pages with a full audit each.
  test.slow()
  const { id } = await publishedScoreQuiz(creator.client)
  await visitor.goto(`/q/${id}`)
  const footer = visitor.getByRole('contentinfo')
  await expect(footer).toContainText('L’auteur de ce questionnaire reçoit vos réponses')
  for (const name of PAGES) {
    if (name !== PAGES[0]) await visitor.goBack()
    await footer.getByRole('link', { name }).click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(name)
    await expectAccessible(visitor)
  }
  await page.goto('/settings')
  for (const name of PAGES) await expect(page.getByRole('link', { name })).toBeVisible()
})

test('the sign-in screen links to the legal pages, and a quiz without personal questions has no notice', {
  tag: '@rare',
}, async ({ creator, page, visitor }) => {
  await visitor.goto('/login')
  for (const name of PAGES) await expect(visitor.getByRole('link', { name })).toBeVisible()
  await expectAccessible(visitor)
  const { id, open_id } = await publishSample(creator.client, readySondage(creator.client))
  await creator.client.questions.remove({ id: open_id })
  await creator.client.quizzes.publish({ id })
  await page.goto(`/q/${id}`)
  await expect(page.getByRole('contentinfo')).not.toContainText('reçoit vos réponses')
})
