import type { Page } from '@playwright/test'
import { createScreens, isPublic, needsMailServer, SCREENS } from '../support/creator-screens.ts'
import { expect, test } from '../support/fixtures.ts'
import { findSmallTargets, TOUCH } from '../support/layout-checks.ts'

/** Rules of every screen on a phone: targets are large enough for a finger, and nothing moves while a screen loads. */

test.use({ ...TOUCH, creatorIs: 'signed in' })

/** Greatest sum of unexpected layout shifts of a screen, as the Layout Instability API measures them. */
const MAX_SHIFT = 0.05

/** Moves of parts that a script has seen, with the sum of their scores. */
type Shifts = { sum: number; moves: string[] }
declare global {
  interface Window {
    shifts: Shifts
  }
}

const recordShifts = (): void => {
  type Source = { node?: Element; previousRect: DOMRect; currentRect: DOMRect }
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] }
  window.shifts = { sum: 0, moves: [] }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (entry.hadRecentInput) continue
      window.shifts.sum += entry.value
      for (const { node, previousRect, currentRect } of entry.sources)
        window.shifts.moves.push(
          `${node?.nodeName} ${node?.className}: ${previousRect.y} -> ${currentRect.y}, ${previousRect.height} -> ${currentRect.height}`,
        )
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Waits until a screen has loaded: two readings of its height and of its resources agree. */
const expectSettled = async (page: Page): Promise<void> => {
  await expect(page.getByRole('main')).toBeVisible()
  let before = ''
  await expect
    .poll(
      async () => {
        const last = before
        before = await page.evaluate(() =>
          [
            document.documentElement.scrollHeight,
            performance.getEntriesByType('resource').length,
            document.querySelectorAll('.appear-late, [data-loading]').length,
          ].join(),
        )
        return before === last
      },
      { intervals: [500] },
    )
    .toBe(true)
}

test('no screen of a creator has a small target or moves while it loads', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const path = await createScreens(creator.client)
  await page.addInitScript(recordShifts)
  const tabs = ['integrations', 'automatisations', 'acces'].map(
    (tab) => `/quiz/:id/settings?onglet=${tab}`,
  )
  const shown = SCREENS.filter((screen) => !isPublic(screen) && !needsMailServer(screen))
  for (const screen of [...shown, ...tabs])
    await test.step(screen, async () => {
      await page.goto(path(screen))
      await expectSettled(page)
      expect.soft(await findSmallTargets(page.locator('body'))).toEqual([])
      const { sum, moves } = await page.evaluate(() => window.shifts)
      expect.soft(sum, moves.join('\n')).toBeLessThanOrEqual(MAX_SHIFT)
    })
})

test('a chosen picture has its place before it has arrived', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const path = await createScreens(creator.client)
  await page.goto(path('/quiz/:id/results'))
  await page.getByRole('button', { name: 'Actions – À reprendre' }).click()
  await page.getByRole('menuitem', { name: 'Ajouter une image' }).click()
  const field = page.getByRole('group', { name: 'Image – À reprendre' })
  const heightOf = async () => Math.round((await field.boundingBox())?.height ?? 0)
  const sent = Promise.withResolvers<void>()
  await page.route('**/api/images', async (route) => {
    await sent.promise
    await route.continue()
  })
  await field.locator('input[type=file]').setInputFiles({
    name: 'point.svg.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  })
  await expect(field.getByRole('progressbar')).toBeVisible()
  const before = await heightOf()
  sent.resolve()
  await expect(field.getByRole('img')).toBeVisible()
  await expect(field.getByLabel('Description de l’image')).toBeFocused()
  expect(Math.abs((await heightOf()) - before)).toBeLessThanOrEqual(8)
})
