import { expect, expectAccessible, test } from '../support/fixtures.ts'

test('the guide of the API links to its reference, and each page works under its security policy', {
  tag: '@rare',
}, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/docs')
  await expect(page.getByRole('heading', { name: 'L’API de Quizaine' })).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'Référence' }).first().click()
  await expect(page).toHaveURL(/\/docs\/reference/)
  await expect(page.getByRole('heading', { name: /Quizaine/ })).toBeVisible()
  await expect(page.getByText('/api/v1/quizzes/{id}/publish')).toBeVisible()
})
