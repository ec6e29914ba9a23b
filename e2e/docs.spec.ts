import { expect, test } from './fixtures.ts'

test('the API can be read at /docs, under its policy', async ({ page }) => {
  await page.goto('/docs')
  // The reference of a hundred calls is drawn in one piece.
  await expect(page.getByRole('heading', { name: /Quizaine/ })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('/api/v1/quizzes/{id}/publish')).toBeVisible()
})
