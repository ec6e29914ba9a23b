import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { read } from './lean-react/parts.ts'
import { randomStates } from './lean-react/random-states.ts'
import { openRuntimePage } from './lean-react/runtime-page.ts'
import type { Beginning, countMade, showInTurn, Turns } from './lean-react/turns.ts'

declare global {
  interface Window {
    showInTurn: typeof showInTurn
    countMade: typeof countMade
  }
}

test.beforeEach(async ({ page }) => {
  await openRuntimePage(page)
  await page.addScriptTag({
    type: 'module',
    content: `import { countMade, showInTurn } from '/turns.ts'
      Object.assign(window, { countMade, showInTurn })`,
  })
  await page.waitForFunction(() => 'showInTurn' in window)
})

const BEGINNINGS: Beginning[] = ['nothing', 'markup', 'translated markup']
for (const beginning of BEGINNINGS)
  test(`whatever follows whatever, from ${beginning} on, the page is as React would have it`, ({
    page,
  }) =>
    fc.assert(
      fc.asyncProperty(randomStates, async (states) => {
        const markup = states.map((state) => renderToStaticMarkup(read(state)))
        const turns: Turns = { states, markup, beginning }
        const outcome = await page.evaluate((given) => window.showInTurn(given), turns)
        expect(outcome).toEqual({ wrong: [], replaced: 0 })
      }),
      { numRuns: 200 },
    ))

test('another key is another component', async ({ page }) => {
  expect(await page.evaluate(() => window.countMade(['1', '1', '2', '2', '1']))).toBe(3)
})
