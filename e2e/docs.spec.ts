import { expect, test } from './fixtures.ts'

test('the API can be read at /docs, under its policy', async ({ page }) => {
  await page.goto('/docs')
  await expect(page.getByRole('heading', { name: /Quizaine/ })).toBeVisible()
  await expect(page.getByText('/api/v1/quizzes/{id}/publish')).toBeVisible()
})
