import type { Page } from '@playwright/test'
import { createScreens } from '../support/creator-screens.ts'
import { openScreen } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

/** The effect of an action is announced to screen readers, and its announcement ends with its screen. */

test.use({ creatorIs: 'signed in' })

const announcement = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text })

test('another cross table and a finished export are announced, and the next screen begins without an announcement', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const path = await createScreens(creator.client)
  await page.goto(path('/quiz/:id/statistics'))
  await test.step('a chosen question announces its table', async () => {
    const card = page.getByRole('region', { name: 'Qui répond quoi' })
    await expect(card.getByRole('img')).toBeVisible()
    await expect(announcement(page, /Tableau\s:/)).toHaveCount(0)
    await card.getByLabel('Lignes').selectOption({ index: 1 })
    await expect(announcement(page, /Tableau\s: .+, par .+, 1 participant/)).toHaveCount(1)
  })
  await test.step('an export announces its download', async () => {
    await page.getByRole('button', { name: 'Exporter' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: /^CSV standard/ }).click()
    await download
    await expect(announcement(page, 'L’export est prêt')).toHaveCount(1)
  })
  await test.step('another screen begins without it', async () => {
    await openScreen(page, path('/quiz/:id/envois'))
    await expect(page.getByRole('link', { name: 'Retour aux statistiques' })).toBeVisible()
    await expect(announcement(page, 'L’export est prêt')).toHaveCount(0)
  })
})

test('the preview of a document announces its download, or why it failed', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const path = await createScreens(creator.client)
  await page.goto(path('/quiz/:id/results'))
  const button = page.getByRole('button', { name: 'Aperçu du rapport (PDF)' })
  const download = page.waitForEvent('download')
  await button.click()
  await download
  await expect(announcement(page, 'L’aperçu du rapport est prêt')).toHaveCount(1)
  await page.route('**/documents/link*', (route) => route.abort())
  await page.route('**/documents', (route) => route.abort())
  await button.click()
  await expect(page.getByRole('alert').first()).toBeVisible()
})
