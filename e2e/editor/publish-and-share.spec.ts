import { readFile } from 'node:fs/promises'
import type { Page, Route } from '@playwright/test'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { publishedToast } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const publishButton = (page: Page) => page.getByRole('button', { name: 'Publier', exact: true })
const share = (page: Page) => page.getByRole('dialog', { name: 'Partager le quiz' })

test('publishing closes its dialog, and the toast opens the selected link', async ({
  page,
  creator,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/settings`)
  await publishButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Publier le quiz' })
  await dialog.getByRole('button', { name: 'Publier' }).click()
  await expect(dialog).toBeHidden()
  const toast = publishedToast(page)
  await expect(toast).toBeVisible()
  await expect(share(page)).toBeHidden()
  await expect(page.locator('#share-quiz')).toBeFocused()
  await toast.getByRole('button', { name: 'Partager' }).click()
  await expect(share(page)).toBeVisible()
  const field = share(page).getByLabel('Lien public')
  await expect(field).toBeFocused()
  const link = `${new URL(page.url()).origin}/q/${id}`
  await expect(field).toHaveValue(link)
  expect(await page.evaluate(() => window.getSelection()?.toString())).toBe(link)
  await expectAccessible(page)

  await share(page).getByRole('button', { name: 'Copier le lien' }).click()
  await expect(share(page).getByRole('button', { name: 'Copié' })).toBeVisible()
  await expect(share(page).getByRole('status')).toHaveText('Lien copié')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await expect(share(page).getByRole('button', { name: 'Copier le lien' })).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(share(page)).toBeHidden()
  await expect(publishButton(page)).toHaveAttribute('title', 'Aucune modification à publier')
  await expect(page.getByRole('button', { name: 'Partager' })).toBeFocused()
})

test('Escape during a publication closes the dialog, and the outcome does not open it again', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/settings`)
  const dialog = page.getByRole('dialog')
  /** Publishes, closes the dialog before the response, then lets the server answer. */
  const publishAndLeave = async (answer: (route: Route) => Promise<void>): Promise<void> => {
    const arrived = Promise.withResolvers<Route>()
    await page.route('**/publish', arrived.resolve)
    await publishButton(page).click()
    await dialog.getByRole('button', { name: 'Publier' }).click()
    const route = await arrived.promise
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await answer(route)
    await page.unroute('**/publish')
  }
  await publishAndLeave((route) => route.abort())
  const failure = page.getByRole('status').filter({ hasText: 'Erreur lors de la publication' })
  await failure.getByRole('button', { name: 'Voir' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    'Une erreur est survenue lors de la publication du quiz.',
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(failure).toBeHidden()

  await publishAndLeave((route) => route.continue())
  await expect(publishedToast(page)).toBeVisible()
  await expect(failure).toBeHidden()
  await expect(dialog).toBeHidden()
  await expect(publishButton(page)).toBeDisabled()
  await expect(dialog).toBeHidden()
})

test('the dialog shows the link as a QR code that can be downloaded', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  await page.getByRole('button', { name: 'Partager' }).click()
  const picture = share(page).getByRole('img', { name: 'Code QR du lien public' })
  await expect(picture).toBeVisible()
  // A picture blocked by the security policy would have no natural size.
  await expect(picture).toHaveJSProperty('naturalWidth', 1024)
  await expectAccessible(page)

  const save = async (name: string): Promise<{ file: string; bytes: Buffer }> => {
    const downloading = page.waitForEvent('download')
    await share(page).getByRole('button', { name }).click()
    const download = await downloading
    return { file: download.suggestedFilename(), bytes: await readFile(await download.path()) }
  }
  const svg = await save('Télécharger en SVG')
  expect(svg.file).toBe(`code-qr-${id}.svg`)
  expect(svg.bytes.toString()).toMatch(/^<svg .*<\/svg>$/)
  const png = await save('Télécharger en PNG')
  expect(png.file).toBe(`code-qr-${id}.png`)
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
  expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([1024, 1024])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Partager' })).toBeFocused()
})
